import ChemopenBytes
import ChemopenDepict
import ChemopenFormats
import ChemopenModel

extension Page {
    /// The pages of a drawing as they look, with everything on them; `nil` for a file of records that stand on no page.
    ///
    ///     for page in try Page.all(of: Source("scheme.cdxml")) ?? [] {
    ///         print(Picture(of: page)?.title ?? "an empty page")
    ///     }
    ///
    /// - Parameters:
    ///   - format: the format of the file; `nil` where the content is to tell.
    ///   - options: how it is read.
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
