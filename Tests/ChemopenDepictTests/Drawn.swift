import Chemopen

@testable import ChemopenDepict

/// Small molecules for the tests, and queries about pictures.
extension Molecule {
    /// Creates a molecule from the symbols and positions of its atoms.
    init(_ atoms: [(String, Double, Double)], _ bonds: [Bond] = []) {
        self.init()
        for (name, x, y) in atoms {
            self.atoms.append(Atom(ChemicalElement(symbol: name) ?? .none, at: Position(x, y)))
            if ChemicalElement(symbol: name) == nil { setLabel(Text(name), ofAtom: self.atoms.count - 1) }
        }
        self.bonds = bonds
    }

    static var benzene: Molecule {
        Molecule(
            [
                ("C", 0, 1), ("C", 0.866, 0.5), ("C", 0.866, -0.5), ("C", 0, -1), ("C", -0.866, -0.5),
                ("C", -0.866, 0.5),
            ], (0..<6).map { Bond($0, ($0 + 1) % 6, $0 % 2 == 0 ? .double : .single) })
    }
}

extension Picture {
    /// The text of the picture in reading order, from left to right.
    var words: String {
        letters.sorted { $0.start.x < $1.start.x }.map { letters in
            switch letters.script {
            case .normal: letters.text
            case .lowered: "_" + letters.text
            case .raised: "^" + letters.text
            }
        }.joined()
    }

    var letters: [Letters] {
        marks.compactMap { if case .letters(let letters) = $0 { letters } else { nil } }
    }

    var strokes: [Stroke] {
        marks.compactMap { if case .stroke(let stroke) = $0 { stroke } else { nil } }
    }

    var fills: [[Point]] {
        marks.compactMap { if case .fill(let points, _) = $0 { points } else { nil } }
    }

    /// The text that lines cross: bonds cross any label, brackets cross only atom labels.
    var crossings: [String] {
        var crossings: [String] = []
        for stroke in strokes where stroke.ink == .line {
            for (start, end) in zip(stroke.points, stroke.points.dropFirst()) {
                for letters in letters
                where (stroke.points.count == 2 || letters.size > 7)
                    && letters.box.grown(by: -0.3).part(of: start, end) != nil
                {
                    crossings.append(letters.text)
                }
            }
        }
        return crossings
    }

    /// The lines of the drawing's SVG, in any order.
    var elements: Set<Substring> {
        var picture = self
        picture.title = ""
        return Set(String(decoding: picture.svg(), as: UTF8.self).split(separator: "\n"))
    }

    func letters(_ text: String) -> Letters? { letters.first { $0.text == text } }
}

extension Record {
    /// Returns the only record of a text.
    static func read(_ text: String) throws -> Record? {
        var records = try readUnknown(bytes: Array(text.utf8))
        return try records.next()
    }
}
