import CInChI
import ChemopenAnswers
import Glibc

/// `chemopen-inchi`: reads a structure as numbers from each line of standard input, and writes its InChI and
/// InChIKey.
///
/// The program is run by `chemopen`. It is a separate executable because other commands can then start without its
/// library, and because a crash or a timeout in the library affects only one structure.
///
/// A request contains the numbers of atoms, bonds and configurations, then the rows of numbers for `inchi_of`. The
/// response contains the InChI, a tab and the key; it is an empty line if there is no InChI.
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

/// A structure that requires an InChI.
struct Question {
    private let atomCount: Int
    private var atoms: [Int32] = []
    private var bonds: [Int32] = []
    private var stereo: [Int32] = []

    /// The limit of the library version of 2010.
    private static let mostAtoms = 1023

    /// Parses a request; `nil` if the numbers are inconsistent.
    init?(_ numbers: [Int32]) {
        guard numbers.count >= 3, numbers[..<3].allSatisfy({ 0...10_000 ~= $0 }) else { return nil }
        let (bondCount, stereoCount) = (Int(numbers[1]), Int(numbers[2]))
        atomCount = Int(numbers[0])
        guard 1...Self.mostAtoms ~= atomCount, numbers.count == 3 + 8 * atomCount + 4 * bondCount + 7 * stereoCount
        else {
            return nil
        }
        let (firstBond, firstStereo) = (3 + 8 * atomCount, 3 + 8 * atomCount + 4 * bondCount)
        atoms = Array(numbers[3..<firstBond])
        bonds = Array(numbers[firstBond..<firstStereo])
        stereo = Array(numbers[firstStereo...])
        let known = 0..<Int32(truncatingIfNeeded: atomCount)
        for place in stride(from: 0, to: atoms.count, by: 8) {
            let isSound =
                -100...100 ~= atoms[place + 1] && 0...999 ~= atoms[place + 2] && 0...2 ~= atoms[place + 3]
                && 0...100 ~= atoms[place + 4]
            if !isSound { return nil }
        }
        for place in stride(from: 0, to: bonds.count, by: 4) {
            let (from, to) = (bonds[place], bonds[place + 1])
            guard known ~= from, known ~= to, from != to, 1...3 ~= bonds[place + 2],
                [0, 1, 3, 4, 6].contains(bonds[place + 3])
            else { return nil }
        }
        for place in stride(from: 0, to: stereo.count, by: 7) {
            let ends = stereo[(place + 2)..<(place + 6)]
            let isSound =
                1...3 ~= stereo[place] && (stereo[place] == 2 ? stereo[place + 1] == -1 : known ~= stereo[place + 1])
                && ends.allSatisfy { known ~= $0 } && 1...2 ~= stereo[place + 6]
            if !isSound { return nil }
        }
    }

    func answer() -> [UInt8]? {
        var inchi = [CChar](repeating: 0, count: 1 << 16)
        var key = [CChar](repeating: 0, count: inchi_key_room)
        let failure = unsafe inchi_of(
            Int32(truncatingIfNeeded: atomCount), atoms, Int32(truncatingIfNeeded: bonds.count / 4), bonds,
            Int32(truncatingIfNeeded: stereo.count / 7), stereo, &inchi, Int32(truncatingIfNeeded: inchi.count), &key)
        guard failure == 0 else { return nil }
        var answer = inchi.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        answer.append(UInt8(ascii: "\t"))
        answer += key.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        answer.append(UInt8(ascii: "\n"))
        return answer
    }
}
