// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

@c @implementation
public func chemopen_identify(
    _ path: UnsafePointer<CChar>?, _ identity: UnsafeMutablePointer<chemopen_identity>?
) -> chemopen_status {
    guard unsafe identity != nil, let path = unsafe bytes(path) else { return CHEMOPEN_MISUSE }
    return unsafe identify(LocalPath(bytes: path), identity) { () throws(FileError) in
        try ByteSource(path: LocalPath(bytes: path))
    }
}

@c @implementation
public func chemopen_identify_memory(
    _ content: UnsafeRawPointer?, _ length: Int, _ name: UnsafePointer<CChar>?,
    _ identity: UnsafeMutablePointer<chemopen_identity>?
) -> chemopen_status {
    guard unsafe identity != nil,
        let content = unsafe bytes(content?.assumingMemoryBound(to: CChar.self), min(length, 4 * Head.limit))
    else { return CHEMOPEN_MISUSE }
    let name = unsafe LocalPath(bytes: bytes(name) ?? Array("memory".utf8))
    return unsafe identify(name, identity) { () throws(FileError) in try ByteSource(content, name: name) }
}

private func identify(
    _ name: LocalPath, _ place: UnsafeMutablePointer<chemopen_identity>?, _ open: () throws(FileError) -> ByteSource
) -> chemopen_status {
    var identity = unsafe chemopen_identity()
    var status = CHEMOPEN_OK
    do throws(ReadError) {
        var source: ByteSource
        do throws(FileError) {
            source = try open()
        } catch {
            throw ReadError(error)
        }
        let (head, failure) = source.peekHead()
        unsafe identity.is_compressed = source.isCompressed ? 1 : 0
        guard let found = Chemopen.identify(head, named: name) else {
            throw failure ?? ReadError(unrecognized: head, in: name)
        }
        unsafe identity.format = unsafe FormatTable.entry(of: found.format)
        if let other = found.namedAs { unsafe identity.named_as = unsafe FormatTable.entry(of: other) }
        unsafe identity.evidence = unsafe EvidenceTable.word(of: found.evidence)
        unsafe identity.confidence = Int32(found.confidence.rawValue)
    } catch {
        status = CallError(error).status
        let text = Array("\(error)".utf8)
        unsafe withUnsafeMutableBytes(of: &identity.message) { room in
            var end = min(text.count, room.count - 1)
            while end > 0, end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
            for index in 0..<end { unsafe room[index] = text[index] }
        }
    }
    return unsafe fill(place, with: identity) ? status : CHEMOPEN_MISUSE
}

@safe
private enum EvidenceTable {
    private nonisolated(unsafe) static let content = unsafe immortal(Identification.Evidence.content.rawValue)
    private nonisolated(unsafe) static let both = unsafe immortal(Identification.Evidence.contentAndName.rawValue)
    private nonisolated(unsafe) static let name = unsafe immortal(Identification.Evidence.name.rawValue)

    static func word(of evidence: Identification.Evidence) -> UnsafePointer<CChar> {
        switch evidence {
        case .contentAndName: unsafe both
        case .name: unsafe name
        case .content, .contentAndType, .request: unsafe content
        }
    }
}
