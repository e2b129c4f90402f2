import ChemopenBytes
import ChemopenModel

extension Format {
    /// All formats that a file's content shows, in the order in which doubt is settled: the more particular first.
    public static let all: [Format] = [sketchEl, dataSheet, rdfile, rxnfile, sdfile, molfile, cdx, cdxml, jsonLines]

    /// Formats that many a text looks like: a file is read in one of them where its name or its declared type says so.
    public static let toldByName: [Format] = [csv, tsv, smiles]

    /// Formats that are written and not read.
    public static let onlyWritten: [Format] = []
}

extension FormatRegistry {
    /// The formats of Chemopen.
    public static let standard = FormatRegistry(
        Format.all, toldByName: Format.toldByName, onlyWritten: Format.onlyWritten)
}
