import CInChI
import ChemopenAnswers
import Glibc

/// `chemopen-inchi`: answers each line on standard input, a structure in numbers, with a line of its InChI and InChIKey.
///
/// It is `chemopen` that calls it. It stands alone so that all else starts without the library it needs, and so that what
/// goes wrong in there, or takes too long, costs one structure.
///
/// A question: the numbers of atoms, bonds and configurations, and the rows of numbers of `inchi_of`. The answer: the InChI,
/// a tab, the key; nothing where there is none.
@main
enum Main {
    static func main() {
        if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
            print("chemopen-inchi, with the InChI library \(version.isEmpty ? "of an unknown version" : version)")
            exit(0)
        }
        answerLines(
            as: "chemopen-inchi", help: "help where",
            with: ("the InChI library (Debian's libinchi-dev)", inchi_is_known() != 0), answer)
    }

    private static var version: String {
        var text = [CChar](repeating: 0, count: 64)
        unsafe inchi_version(&text, Int32(truncatingIfNeeded: text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func answer(to line: [UInt8]) -> [UInt8] {
        if line.elementsEqual("version".utf8) { return Array("\(version)\n".utf8) }
        let numbers = wholeNumbers(in: line)
        guard let question = Question(numbers), let answer = question.answer() else { return [UInt8(ascii: "\n")] }
        return answer
    }
}

/// A structure whose InChI is asked for.
struct Question {
    private let atomCount: Int
    private var atoms: [Int32] = []
    private var bonds: [Int32] = []
    private var stereo: [Int32] = []

    /// The library of 2010 counts no more.
    private static let mostAtoms = 1023

    /// `nil` where the numbers do not agree.
    init?(_ numbers: [Int32]) {
        guard numbers.count >= 3, numbers[..<3].allSatisfy({ 0...10_000 ~= $0 }) else { return nil }
        let (bondCount, stereoCount) = (Int(numbers[1]), Int(numbers[2]))
        atomCount = Int(numbers[0])
        guard 1...Self.mostAtoms ~= atomCount, numbers.count == 3 + 5 * atomCount + 3 * bondCount + 7 * stereoCount
        else {
            return nil
        }
        atoms = Array(numbers[3..<(3 + 5 * atomCount)])
        bonds = Array(numbers[(3 + 5 * atomCount)..<(3 + 5 * atomCount + 3 * bondCount)])
        stereo = Array(numbers[(3 + 5 * atomCount + 3 * bondCount)...])
        let known = 0..<Int32(truncatingIfNeeded: atomCount)
        for place in stride(from: 0, to: atoms.count, by: 5) {
            let isSound =
                -100...100 ~= atoms[place + 1] && 0...999 ~= atoms[place + 2] && 0...2 ~= atoms[place + 3]
                && 0...100 ~= atoms[place + 4]
            if !isSound { return nil }
        }
        for place in stride(from: 0, to: bonds.count, by: 3) {
            let (from, to) = (bonds[place], bonds[place + 1])
            guard known ~= from, known ~= to, from != to, 1...3 ~= bonds[place + 2] else { return nil }
        }
        for place in stride(from: 0, to: stereo.count, by: 7) {
            let ends = stereo[(place + 2)..<(place + 6)]
            let isSound =
                1...2 ~= stereo[place] && (stereo[place] == 2 ? stereo[place + 1] == -1 : known ~= stereo[place + 1])
                && ends.allSatisfy { known ~= $0 } && 1...2 ~= stereo[place + 6]
            if !isSound { return nil }
        }
    }

    func answer() -> [UInt8]? {
        var inchi = [CChar](repeating: 0, count: 1 << 16)
        var key = [CChar](repeating: 0, count: inchi_key_room)
        let failure = unsafe inchi_of(
            Int32(truncatingIfNeeded: atomCount), atoms, Int32(truncatingIfNeeded: bonds.count / 3), bonds,
            Int32(truncatingIfNeeded: stereo.count / 7), stereo, &inchi, Int32(truncatingIfNeeded: inchi.count), &key)
        guard failure == 0 else { return nil }
        var answer = inchi.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        answer.append(UInt8(ascii: "\t"))
        answer += key.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        answer.append(UInt8(ascii: "\n"))
        return answer
    }
}
