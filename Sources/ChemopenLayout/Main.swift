import CCoordgen
import ChemopenAnswers

/// `chemopen-layout`: reads a structure as numbers from each line of standard input, and writes a line of
/// coordinates.
///
/// The program is run by `chemopen`. It is a separate executable because other commands can then start without its
/// library, and because a crash or a timeout in the library affects only one picture.
///
/// A request contains the numbers of atoms and bonds, then the element and the charge of each atom, then the six
/// numbers of `coordgen_place` for each bond. The response contains x and y of each atom, in thousandths of a bond
/// length; it is an empty line if the layout failed.
@main
enum Main {
    static func main() {
        answerLines(
            as: "chemopen-layout", help: "depict --help",
            with: ("coordgen (Debian's libcoordgen-dev)", coordgen_is_known() != 0), answer)
    }

    private static let mostAtoms = 5000

    private static func answer(to line: [UInt8]) -> [UInt8] {
        let numbers = wholeNumbers(in: line)
        guard numbers.count >= 2, let question = Question(numbers), question.atomCount <= mostAtoms,
            let places = question.places()
        else { return [UInt8(ascii: "\n")] }
        var text: [UInt8] = []
        for place in places {
            // A structure is at most a few thousand bonds wide.
            text += "\(Int((max(-1e9, min(1e9, place)) * 1000).rounded())) ".utf8
        }
        text.append(UInt8(ascii: "\n"))
        return text
    }
}

/// A structure that requires coordinates.
struct Question {
    let atomCount: Int
    private var elements: [Int32] = []
    private var charges: [Int32] = []
    private var bonds: [Int32] = []

    /// Parses a request; `nil` if the numbers are inconsistent.
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
