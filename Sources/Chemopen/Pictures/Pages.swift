import ChemopenBytes
import ChemopenDepict
import ChemopenFormats
import ChemopenModel

extension Page {
    /// Reads the pages of a drawing with all objects on them.
    ///
    ///     for page in try Page.all(of: Source("scheme.cdxml")) ?? [] {
    ///         print(Picture(of: page)?.title ?? "an empty page")
    ///     }
    ///
    /// - Parameters:
    ///   - format: The format of the file, or `nil` to detect it.
    ///   - options: The options for reading.
    /// - Returns: The pages, or `nil` if the format has no pages.
    /// - Throws: `ReadError` if the source cannot be read or its format is unknown.
    public static func all(
        of origin: Source, as format: Format? = nil, _ options: ReadOptions = ReadOptions()
    ) throws(ReadError) -> [Page]? {
        var source = try origin.openToRead(options)
        let found = try source.identified(
            as: format, declaredAs: origin.declaredType, among: options.knownFormats)
        guard let readPages = found.format.readPages else { return nil }
        return try readPages(source, options)
    }
}
