import Chemopen

/// The page about the language of conditions.
enum ConditionHelp {
    static let topic = "where"

    private static let forms = [
        ("MASS < 500", "a field and a number: = != < <= > >="),
        ("DATE >= 2024-01-31", "a day, in fields that begin with one"),
        ("NAME ~ acid", "a field that contains a text"),
        ("NAME = 'salt and water'", "a text with and, or, a comma or a sign in it stands in quotes"),
        ("\"Mol. (g/mol)\" > 5", "so does the name of a field with a sign in it"),
        ("ID in (A1, A2)", "one of several values; not in turns it round"),
        ("MASS between 100 and 200", "both ends included"),
        ("number(IC50) < 10", "values with signs before them or units behind them: >50, 1,234 nM"),
        ("NOTE exists, NOTE is empty", "a field that is there; one without a value, or not there"),
        ("has(stereo)", "a feature of the structure"),
        ("not A = 5 and (B or C ...)", "not, and, or, parentheses"),
    ]

    private static let remarks = [
        "A record without the field fulfils no comparison: MASS != 5 and not MASS = 5 differ there.",
        "Of several values, those of a reaction's components among them, one that fits is enough.",
        "A value that is no number is neither above nor below one, and the records left for that are told.",
    ]

    static func print(on terminal: Terminal) {
        for line in lines { terminal.print(line) }
    }

    /// The page.
    static var lines: [String] {
        ["Conditions, as --where and the search of the viewer take them", ""] + twoColumns(forms) + [""] + remarks
            + ["", "Words that are computed; in quotes they mean a field of that name:"]
            + twoColumns(Criteria.vocabulary.map { ($0.word, $0.meaning) })
            + ["", "has(...) takes:"] + traits
            + ["", "Example: chemopen convert --where 'mass < 500 and not has(charges)' kinases.sdf.gz small.sdf"]
    }

    /// The features that `has` asks for, in lines that a terminal has room for.
    private static var traits: [String] {
        var lines: [String] = []
        var line = ""
        for name in Criteria.traits {
            let word = line.isEmpty ? name : ", " + name
            if line.count + word.count > 90 {
                lines.append("  " + line + ",")
                line = name
            } else {
                line += word
            }
        }
        return lines + ["  " + line]
    }
}
