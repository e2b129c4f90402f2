import ChemopenBytes
import ChemopenModel

extension Format {
    /// The formats that are detected from content, the more specific first.
    public static let all: [Format] = [sketchEl, dataSheet, rdfile, rxnfile, sdfile, molfile, cdx, cdxml, jsonLines]

    /// Formats that match many texts. They are detected only with a file name or a declared type.
    public static let toldByName: [Format] = [csv, tsv, smiles]

    /// The formats that can only be written.
    public static let onlyWritten: [Format] = []
}

extension FormatRegistry {
    /// The formats of Chemopen.
    public static let standard = FormatRegistry(
        Format.all, toldByName: Format.toldByName, onlyWritten: Format.onlyWritten)
}
