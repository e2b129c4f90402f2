import ChemopenBytes
import ChemopenModel

/// A drawing as it stands in its file: every object and property, whether anything is made of it or not.
///
/// It is written again in its own spelling without a loss; in the other one, what that has no words for is told.
enum WholeDrawing {
    case binary(CDXTokens)
    case text(CDXMLTokens)

    /// Nothing where the bytes are no drawing that is whole.
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

    /// The drawing as a file of CDX.
    static func inCDX(_ bytes: [UInt8]) -> RewrittenFile? {
        switch WholeDrawing(bytes) {
        case .binary(let tokens): return RewrittenFile(tokens.spelled())
        case .text(let tokens):
            return CDXMLToCDX.file(tokens)
        case nil: return nil
        }
    }

    /// The drawing as a file of CDXML; nothing where its objects stand deeper in one another than XML is read.
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
