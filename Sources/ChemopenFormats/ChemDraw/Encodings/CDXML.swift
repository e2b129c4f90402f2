import ChemopenBytes
import ChemopenModel

extension Format {
    /// ChemDraw's XML format, which describes the same drawings as CDX.
    public static let cdxml = Format(
        id: "cdxml",
        name: "ChemDraw CDXML",
        mimeTypes: ["chemical/x-cdxml"],
        extensions: ["cdxml"],
        supportedFeatures: DrawingFeatures.all,
        sniff: sniffCDXML
    )
    .read(by: DrawingReader.self)
    .written(by: DrawingWriter<CDXMLSpelling>.self)
    .onCommonPages()
    .seen(by: DrawingReader.pages)
    .rewriting(by: WholeDrawing.inCDXML)
    .signed(.cdxml)
}

@Sendable private func sniffCDXML(_ head: Head) -> Confidence {
    guard CDXMLText.looksLikeXML(head.bytes[...]) else { return .no }
    return CDXMLText.mentionsCDXML(head.bytes[...]) ? .certain : .no
}
