import ChemopenBytes
import ChemopenModel

extension Format {
    /// All formats, in the order in which doubt is settled: the more particular first.
    public static let all: [Format] = [sketchEl, dataSheet, rdfile, rxnfile, sdfile, molfile, cdx, cdxml, jsonLines]

    /// Formats that are written and not read.
    public static let onlyWritten: [Format] = [smiles, csv, tsv]
}

extension FormatRegistry {
    /// The formats of Chemopen.
    public static let standard = FormatRegistry(Format.all, onlyWritten: Format.onlyWritten)
}
