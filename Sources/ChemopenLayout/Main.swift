import CCoordgen
import ChemopenAnswers

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
