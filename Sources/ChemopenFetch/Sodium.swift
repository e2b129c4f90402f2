import CSodium
import ChemopenBytes
import ChemopenDesktop

// Only this file calls libsodium.

/// The key that encrypts cached files, stored in the keyring.
struct StoreKey {
    fileprivate let bytes: [UInt8]
    private static let source = "chemopen's store of fetched files"

    /// Returns the existing key, or `nil` if it does not exist.
    static func kept() throws(Keyring.Failure) -> StoreKey? {
        guard let text = try Keyring.secret(of: source, .key) else { return nil }
        let digits = Array(text.utf8).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 64, text.utf8.count == 64 else {
            throw Keyring.Failure(text: "the key in the keyring is not valid")
        }
        return StoreKey(bytes: stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    /// Returns the existing key, or creates one.
    static func keptOrMade() throws(Keyring.Failure) -> StoreKey {
        if let key = try kept() { return key }
        var source = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &source) }
        try Keyring.keep(hexadecimal(bytes), of: Self.source, .key, label: "Chemopen: key of fetched files")
        return StoreKey(bytes: bytes)
    }

    /// Deletes the key. If you delete the key, files that were encrypted with it become unreadable.
    static func forget() throws(Keyring.Failure) -> Bool { try Keyring.withdraw(source, .key) }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// Returns a hash of a text. With a key, nobody can find the text by hashing guesses.
func fingerprint(_ text: String, _ key: StoreKey?) -> String {
    var name = [UInt8](repeating: 0, count: 16)
    let bytes = Array(text.utf8)
    let key = key?.bytes ?? []
    _ = unsafe crypto_generichash(&name, name.count, bytes, UInt64(bytes.count), key, key.count)
    return hexadecimal(name)
}

extension StoreKey {
    /// Encrypts and authenticates a short text.
    func seal(_ text: [UInt8]) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: crypto_secretbox_noncebytes())
        unsafe randombytes_buf(&nonce, nonce.count)
        var box = [UInt8](repeating: 0, count: text.count + crypto_secretbox_macbytes())
        _ = unsafe crypto_secretbox_easy(&box, text, UInt64(text.count), nonce, bytes)
        return nonce + box
    }

    /// Decrypts a text. Returns `nil` if it was encrypted with another key or has been changed.
    func open(_ sealed: [UInt8]) -> [UInt8]? {
        let (nonceCount, macCount) = (crypto_secretbox_noncebytes(), crypto_secretbox_macbytes())
        guard sealed.count >= nonceCount + macCount else { return nil }
        let (nonce, box) = (Array(sealed[..<nonceCount]), Array(sealed[nonceCount...]))
        var text = [UInt8](repeating: 0, count: box.count - macCount)
        guard unsafe crypto_secretbox_open_easy(&text, box, UInt64(box.count), nonce, bytes) == 0 else { return nil }
        return text
    }
}

/// A partial download.
protocol PartFile: AnyObject {
    /// The number of bytes downloaded.
    var count: Int { get }
    func empty() throws(FileError)
    func append(_ bytes: [UInt8]) throws(FileError)
    /// Completes the file and flushes it to disk.
    func finish() throws(FileError)
}

/// An unencrypted partial download, which a later run can resume.
final class ClearPart: PartFile {
    private let file: GrowingFile
    private(set) var count: Int

    init(_ path: LocalPath) throws(FileError) {
        file = try GrowingFile(path)
        count = file.size
    }

    func empty() throws(FileError) {
        try file.empty()
        count = 0
    }

    func append(_ bytes: [UInt8]) throws(FileError) {
        try file.append(bytes)
        count += bytes.count
    }

    func finish() throws(FileError) { try file.settle() }
}

/// A partial download that is encrypted block by block.
@safe final class SealedPart: PartFile {
    private let file: GrowingFile
    private let key: StoreKey
    private var state = crypto_secretstream_xchacha20poly1305_state()
    private var waiting: [UInt8] = []
    private(set) var count = 0

    fileprivate static let blockSize = 64 * 1024
    fileprivate static let extra = crypto_secretstream_xchacha20poly1305_abytes()
    fileprivate static let headerSize = crypto_secretstream_xchacha20poly1305_headerbytes()

    init(_ path: LocalPath, _ key: StoreKey) throws(FileError) {
        file = try GrowingFile(path)
        self.key = key
        try empty()
    }

    func empty() throws(FileError) {
        try file.empty()
        waiting.removeAll(keepingCapacity: true)
        count = 0
        var header = [UInt8](repeating: 0, count: Self.headerSize)
        _ = unsafe crypto_secretstream_xchacha20poly1305_init_push(&state, &header, key.bytes)
        try file.append(header)
    }

    func append(_ bytes: [UInt8]) throws(FileError) {
        count += bytes.count
        waiting += bytes
        while waiting.count > Self.blockSize {
            try seal(Array(waiting.prefix(Self.blockSize)), isLast: false)
            waiting.removeFirst(Self.blockSize)
        }
    }

    func finish() throws(FileError) {
        try seal(waiting, isLast: true)
        try file.settle()
    }

    private func seal(_ block: [UInt8], isLast: Bool) throws(FileError) {
        var sealed = [UInt8](repeating: 0, count: block.count + Self.extra)
        let tag =
            isLast
            ? crypto_secretstream_xchacha20poly1305_tag_final() : crypto_secretstream_xchacha20poly1305_tag_message()
        _ = unsafe crypto_secretstream_xchacha20poly1305_push(
            &state, &sealed, nil, block, UInt64(block.count), nil, 0, tag)
        try file.append(sealed)
    }
}

extension StoreKey {
    /// Decrypts a file and writes it to a descriptor. Returns `false` if the file is incomplete or encrypted with
    /// another key.
    func unseal(_ path: LocalPath, to number: Int32) throws(FileError) -> Bool {
        var source = try ByteSource(path: path, from: 0)
        var state = crypto_secretstream_xchacha20poly1305_state()
        var isBegun = false
        while true {
            let wanted = isBegun ? SealedPart.blockSize + SealedPart.extra : SealedPart.headerSize
            while source.window.count < wanted, try source.fill() {}
            let start = source.window.lowerBound
            let block = Array(source.buffer[source.window].prefix(wanted))
            source.consume(to: start + block.count)
            guard isBegun else {
                guard block.count == wanted,
                    unsafe crypto_secretstream_xchacha20poly1305_init_pull(&state, block, bytes) == 0
                else { return false }
                isBegun = true
                continue
            }
            guard block.count >= SealedPart.extra else { return false }
            var clear = [UInt8](repeating: 0, count: block.count - SealedPart.extra)
            var tag: UInt8 = 0
            guard
                unsafe crypto_secretstream_xchacha20poly1305_pull(
                    &state, &clear, nil, &tag, block, UInt64(block.count), nil, 0) == 0
            else { return false }
            try writeAll(clear, to: number)
            if tag == crypto_secretstream_xchacha20poly1305_tag_final() {
                while source.window.isEmpty, try source.fill() {}
                return source.window.isEmpty
            }
        }
    }
}
