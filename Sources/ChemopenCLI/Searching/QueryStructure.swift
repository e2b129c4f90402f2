import Chemopen

extension Option {
    static let substructure = Option(
        "--substructure", path: "FILE", isRepeatable: true,
        help: "use only records that contain the structure drawn in FILE")
    static let exact = Option(
        "--exact", path: "FILE|SMILES", isRepeatable: true, help: "use only records of exactly this structure")
    static let racemates = Option(
        "--racemates", help: "an enantiomer in --exact also finds its racemate")
}

extension UsageError {
    init(_ error: QueryStructureError) {
        if error.text.isEmpty {
            self.init(error.message)
        } else {
            self.init(error.message, in: error.text, at: error.part)
        }
    }
}
