/// An independent check of the directional bonds of a SMILES. If a double bond has directions at both ends, each end
/// must have one neighbor above and one below.
struct DirectionJudge {
    private struct Bond {
        var from: Int
        var to: Int
        var symbol: Character
    }

    private var bonds: [Bond] = []
    private var current = -1
    private var pending: Character = "-"
    private var count = 0
    private var branches: [Int] = []
    private var rings: [Int: (atom: Int, symbol: Character)] = [:]

    /// Returns the number of double bonds with two neighbors on the same side.
    static func contradictions(in smiles: String) -> Int {
        var judge = DirectionJudge()
        var rest = Array(smiles)[...]
        while let letter = rest.popFirst() { judge.take(letter, &rest) }
        return judge.bonds.count { $0.symbol == "=" && !judge.isSound($0) }
    }

    private mutating func take(_ letter: Character, _ rest: inout ArraySlice<Character>) {
        switch letter {
        case "(": branches.append(current)
        case ")": current = branches.removeLast()
        case ".": current = -1
        case "=", "#", "/", "\\", "~", "-": pending = letter
        case "%": ring(Int(String([rest.removeFirst(), rest.removeFirst()])) ?? 0)
        case "0"..."9": ring(Int(String(letter)) ?? 0)
        case "[":
            while rest.removeFirst() != "]" {}
            atom()
        default:
            if let next = rest.first, next.isLowercase { rest.removeFirst() }
            atom()
        }
    }

    private mutating func atom() {
        if current >= 0 { bonds.append(Bond(from: current, to: count, symbol: pending)) }
        current = count
        count += 1
        pending = "-"
    }

    private mutating func ring(_ number: Int) {
        if let open = rings.removeValue(forKey: number) {
            let turned: [Character: Character] = ["/": "\\", "\\": "/"]
            let symbol = open.symbol == "-" ? turned[pending] ?? pending : open.symbol
            bonds.append(Bond(from: open.atom, to: current, symbol: symbol))
        } else {
            rings[number] = (current, pending)
        }
        pending = "-"
    }

    private func isSound(_ double: Bond) -> Bool {
        let sides = [double.from, double.to].map { end in
            bonds.compactMap { bond -> Bool? in
                guard bond.symbol == "/" || bond.symbol == "\\", bond.from == end || bond.to == end else { return nil }
                return (bond.symbol == "/") == (bond.from == end)
            }
        }
        if sides.contains(where: \.isEmpty) { return true }
        return sides.allSatisfy { Set($0).count == $0.count }
    }
}
