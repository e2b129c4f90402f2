import CChemopen
import Chemopen

@c @implementation
public func chemopen_identify(
    _ path: UnsafePointer<CChar>?, _ identity: UnsafeMutablePointer<chemopen_identity>?
) -> chemopen_status {
    guard identity != nil, let path = bytes(path) else { return CHEMOPEN_MISUSE }
    return identify(LocalPath(bytes: path), identity) { () throws(FileError) in
        try ByteSource(path: LocalPath(bytes: path))
    }
}

@c @implementation
public func chemopen_identify_memory(
    _ content: UnsafeRawPointer?, _ length: Int, _ name: UnsafePointer<CChar>?,
    _ identity: UnsafeMutablePointer<chemopen_identity>?
) -> chemopen_status {
    guard identity != nil,
        let content = bytes(content?.assumingMemoryBound(to: CChar.self), min(length, 4 * Head.limit))
    else { return CHEMOPEN_MISUSE }
    let name = LocalPath(bytes: bytes(name) ?? Array("memory".utf8))
    return identify(name, identity) { () throws(FileError) in try ByteSource(content, name: name) }
}

private func identify(
    _ name: LocalPath, _ place: UnsafeMutablePointer<chemopen_identity>?, _ open: () throws(FileError) -> ByteSource
) -> chemopen_status {
    var identity = chemopen_identity()
    var status = CHEMOPEN_OK
    do throws(ReadError) {
        var source: ByteSource
        do throws(FileError) {
            source = try open()
        } catch {
            throw ReadError(error)
        }
        let (head, failure) = source.peekHead()
        identity.is_compressed = source.isCompressed ? 1 : 0
        guard let found = Chemopen.identify(head, named: name) else {
            throw failure ?? ReadError(unrecognised: head, in: name)
        }
        identity.format = FormatTable.entry(of: found.format)
        if let other = found.namedAs { identity.named_as = FormatTable.entry(of: other) }
        identity.evidence = EvidenceTable.word(of: found.evidence)
        identity.confidence = Int32(found.confidence.rawValue)
    } catch {
        status = CallError(error).status
        let text = Array("\(error)".utf8)
        withUnsafeMutableBytes(of: &identity.message) { room in
            var end = min(text.count, room.count - 1)
            while end > 0, end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
            for index in 0..<end { room[index] = text[index] }
        }
    }
    return fill(place, with: identity) ? status : CHEMOPEN_MISUSE
}

@safe
private enum EvidenceTable {
    private nonisolated(unsafe) static let content = immortal(Identification.Evidence.content.rawValue)
    private nonisolated(unsafe) static let both = immortal(Identification.Evidence.contentAndName.rawValue)
    private nonisolated(unsafe) static let name = immortal(Identification.Evidence.name.rawValue)

    static func word(of evidence: Identification.Evidence) -> UnsafePointer<CChar> {
        switch evidence {
        case .contentAndName: both
        case .name: name
        case .content, .contentAndType, .request: content
        }
    }
}
