import CCoordgen
import Glibc

/// `chemopen-layout`: answers each line on standard input, a structure in numbers, with a line of the places of its atoms.
///
/// It is `chemopen` that calls it. It stands alone so that all else starts without the library it needs, and so that what
/// goes wrong in there, or takes too long, costs one picture.
///
/// A question: the numbers of atoms and of bonds; for each atom its element and its charge; for each bond the six numbers of
/// `coordgen_place`. The answer: x and y of each atom, in thousandths of a bond; nothing where there is no answer.
@main
enum Main {
    static func main() {
        guard CommandLine.arguments.count == 1 else {
            complain("chemopen-layout is called by chemopen; see chemopen depict --help")
            exit(2)
        }
        guard coordgen_is_known() != 0 else {
            complain("chemopen-layout: error: it was built without coordgen (Debian's libcoordgen-dev)")
            exit(3)
        }
        limitMemory()
        var input = LineInput()
        while let line = input.next() {
            // Whoever asked has given up by then, or is no more.
            alarm(60)
            write(answer(to: line))
            alarm(0)
        }
        exit(0)
    }

    private static let mostAtoms = 5000

    private static func answer(to line: [UInt8]) -> [UInt8] {
        let numbers = line.split(separator: UInt8(ascii: " ")).compactMap { word in
            Int32(String(decoding: word, as: UTF8.self))
        }
        guard numbers.count >= 2, let question = Question(numbers), question.atomCount <= mostAtoms,
            let places = question.places()
        else { return [UInt8(ascii: "\n")] }
        var text: [UInt8] = []
        for place in places {
            // A structure is some thousand bonds wide at the most.
            text += "\(Int((max(-1e9, min(1e9, place)) * 1000).rounded())) ".utf8
        }
        text.append(UInt8(ascii: "\n"))
        return text
    }
}

/// A structure whose atoms are to be placed.
struct Question {
    let atomCount: Int
    private var elements: [Int32] = []
    private var charges: [Int32] = []
    private var bonds: [Int32] = []

    /// `nil` where the numbers do not agree.
    init?(_ numbers: [Int32]) {
        let bondCount = Int(numbers[1])
        atomCount = Int(numbers[0])
        guard atomCount > 0, bondCount >= 0, numbers.count == 2 + 2 * atomCount + 6 * bondCount else { return nil }
        for atom in 0..<atomCount {
            elements.append(max(0, min(118, numbers[2 + 2 * atom])))
            charges.append(numbers[3 + 2 * atom])
        }
        bonds = Array(numbers[(2 + 2 * atomCount)...])
        for bond in 0..<bondCount {
            let row = bonds[(6 * bond)..<(6 * bond + 6)].map { Int($0) }
            let isSound =
                0..<atomCount ~= row[0] && 0..<atomCount ~= row[1] && row[0] != row[1] && 0..<atomCount ~= row[3]
                && 0..<atomCount ~= row[4] && 0...3 ~= row[2] && 0...2 ~= row[5]
            if !isSound { return nil }
        }
    }

    func places() -> [Double]? {
        var places = [Double](repeating: 0, count: 2 * atomCount)
        let failure = unsafe coordgen_place(
            Int32(truncatingIfNeeded: atomCount), elements, charges, Int32(truncatingIfNeeded: bonds.count / 6), bonds,
            &places)
        return failure == 0 ? places : nil
    }
}

// MARK: The process

/// The lines of standard input.
struct LineInput {
    private var bytes: [UInt8] = []
    private var start = 0

    /// A line without its end; `nil` behind the last, and where one is beyond all measure.
    mutating func next() -> [UInt8]? {
        var searched = start
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return Array(bytes[start..<end])
            }
            bytes.removeFirst(start)
            start = 0
            searched = bytes.count
            guard bytes.count < 1 << 22 else { return nil }
            var block = [UInt8](repeating: 0, count: 64 * 1024)
            let taken = unsafe read(0, &block, block.count)
            if taken > 0 { bytes += block[..<taken] } else if taken == 0 || errno != EINTR { return nil }
        }
    }
}

func write(_ bytes: [UInt8]) {
    var done = 0
    while done < bytes.count {
        let written = unsafe bytes[done...].withUnsafeBytes { rest in
            unsafe Glibc.write(1, rest.baseAddress, rest.count)
        }
        if written > 0 { done += written } else if errno != EINTR { exit(1) }
    }
}

func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
}

/// A structure that asks for more memory than this ends the program.
func limitMemory() {
    var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
}
