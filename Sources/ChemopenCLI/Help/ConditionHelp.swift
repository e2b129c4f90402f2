import Chemopen

/// The help page on conditions.
enum ConditionHelp {
    static let topic = "where"

    private static let forms = [
        ("MASS < 500", "a field and a number: = != < <= > >="),
        ("DATE >= 2024-01-31", "a date; the field must start with one"),
        ("NAME ~ acid", "a field that contains a text; upper and lower case differ"),
        ("NAME ~* acid", "the same in any case"),
        ("NAME = 'salt and water'", "quote a text that contains and, or, a comma or a sign"),
        ("\"Mol. (g/mol)\" > 5", "quote a field name that contains a sign"),
        ("ID in (A1, A2)", "one of several values; not in means another value"),
        ("MASS between 100 and 200", "both ends included; not between means outside"),
        ("number(IC50) < 10", "the number in a value with a sign or a unit: >50, 1,234 nM"),
        ("NOTE exists, NOTE is empty", "a field that is present; one without a value, or missing"),
        ("has(stereo)", "a feature of the structure"),
        ("contains('c1ccncc1')", "a substructure in SMARTS, as with --smarts"),
        ("not A = 5 and (B or C ...)", "not, and, or, parentheses"),
    ]

    private static let remarks = [
        "A record without the field matches no comparison, so MASS != 5 and not MASS = 5 differ, and",
        "ID not in (A1) and not ID in (A1) differ too.",
        "All other comparisons of texts, and names of fields, distinguish upper and lower case.",
        "has(aromatic) means an aromatic ring by RDKit's rules, however it is drawn; has(stereo) means",
        "a configuration of an atom or of a double bond, drawn or stated.",
        "If a field has several values, or a reaction several components, one match is enough.",
        "A value that is not a number never matches < or >; skipped records are reported.",
    ]

    private static let title = "Conditions for --where and for the search of the viewer"
    private static let example =
        "chemopen convert --where 'mass < 500 and not has(charges)' kinases.sdf.gz small.sdf"
    private static let titleOfFacts = "Computed facts (in quotes, a name means the field of that name):"
    private static let titleOfFeatures = "Features for has(...):"
    private static var facts: [(String, String)] { RecordFilter.vocabulary.map { ($0.word, $0.meaning) } }

    static func print(on terminal: Terminal) {
        let page = HelpPage(terminal)
        page.heading(title)
        page.rows(forms)
        page.blank()
        page.prose(remarks)
        page.blank()
        page.heading(titleOfFacts, isFollowed: true)
        page.rows(facts)
        page.blank()
        page.heading(titleOfFeatures, isFollowed: true)
        if terminal.columns == nil {
            page.prose(traits)
        } else {
            terminal.print(Styled("  " + RecordFilter.traits.joined(separator: ", ")), hanging: 2)
        }
        page.blank()
        page.examples(["Example: \(example)"])
    }

    /// The lines of the page.
    static var lines: [String] {
        [title, ""] + twoColumns(forms) + [""] + remarks + ["", titleOfFacts] + twoColumns(facts)
            + ["", titleOfFeatures] + traits + ["", "Example: \(example)"]
    }

    /// The features that `has` supports, in lines that fit in a terminal.
    private static var traits: [String] {
        var lines: [String] = []
        var line = ""
        for name in RecordFilter.traits {
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
