import ChemopenBytes
import ChemopenModel

/// A complete drawing: every object and property, whether Chemopen uses it or not.
///
/// In its own encoding, it is written without loss. In the other encoding, data that cannot be represented are
/// reported.
enum WholeDrawing {
    case binary(CDXTokens)
    case text(CDXMLTokens)

    /// Reads a drawing; returns nil if the bytes are not a complete drawing.
    init?(_ bytes: [UInt8]) {
        switch DrawingWrapping(of: bytes[...]) {
        case .binary:
            guard let tokens = CDXTokens(bytes) else { return nil }
            self = .binary(tokens)
        case .xml:
            guard let tokens = CDXMLTokens(bytes), tokens.hasDocument else { return nil }
            self = .text(tokens)
        case .base64:
            let (content, fault) = Base64.decode(bytes[...])
            guard fault == nil, !content.starts(with: "VmpDR".utf8) else { return nil }
            self.init(content)
        case .compoundFile:
            guard let content = CompoundFile(bytes[...])?.stream(named: "CONTENTS"),
                !content.starts(with: CompoundFile.signature)
            else { return nil }
            self.init(content)
        case .foreign, .none: return nil
        }
    }

    /// Returns the drawing as a CDX file.
    static func inCDX(_ bytes: [UInt8]) -> RewrittenFile? {
        switch WholeDrawing(bytes) {
        case .binary(let tokens): return RewrittenFile(tokens.spelled())
        case .text(let tokens):
            return CDXMLToCDX.file(tokens)
        case nil: return nil
        }
    }

    /// Returns the drawing as a CDXML file; nil if its objects are nested more deeply than the XML reader supports.
    static func inCDXML(_ bytes: [UInt8]) -> RewrittenFile? {
        switch WholeDrawing(bytes) {
        case .binary(let tokens):
            return CDXToCDXML.file(tokens)
        case .text(let tokens):
            var losses: [Loss] = []
            let bytes = tokens.spelled(&losses)
            return RewrittenFile(bytes, losses: losses)
        case nil: return nil
        }
    }
}
