import Glibc

/// A growing buffer for the data of a column. Its memory is handed over without copying.
@safe
struct ArrowBuffer: ~Copyable {
    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    /// The alignment that Arrow recommends.
    private static let alignment = 64

    init(room: Int = 256) {
        capacity = room
        unsafe start = .allocate(byteCount: room, alignment: Self.alignment)
    }

    deinit {
        unsafe start.deallocate()
    }

    @inline(__always)
    private mutating func makeRoom(for more: Int) {
        if capacity - count < more { grow(for: more) }
    }

    private mutating func grow(for more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: Self.alignment)
        unsafe larger.copyMemory(from: start, byteCount: count)
        unsafe start.deallocate()
        unsafe start = unsafe larger
    }

    mutating func append(_ bytes: Span<UInt8>) {
        makeRoom(for: bytes.count)
        unsafe bytes.withUnsafeBufferPointer { source in
            if let first = source.baseAddress { unsafe (start + count).copyMemory(from: first, byteCount: bytes.count) }
        }
        count += bytes.count
    }

    @inline(__always)
    mutating func append<Value: BitwiseCopyable>(_ value: Value) {
        makeRoom(for: MemoryLayout<Value>.size)
        unsafe (start + count).storeBytes(of: value, as: Value.self)
        count += MemoryLayout<Value>.size
    }

    /// Appends a value several times.
    mutating func append<Value: BitwiseCopyable>(_ value: Value, times: Int) {
        makeRoom(for: MemoryLayout<Value>.size * times)
        for _ in 0..<times {
            unsafe (start + count).storeBytes(of: value, as: Value.self)
            count += MemoryLayout<Value>.size
        }
    }

    /// Sets a bit, counted from the lowest bit of the first byte. New bytes before it are zero.
    @inline(__always)
    mutating func setBit(_ place: Int) {
        let byte = place >> 3
        if byte >= count { append(UInt8(0), times: byte + 1 - count) }
        let value = unsafe (start + byte).load(as: UInt8.self)
        unsafe (start + byte).storeBytes(of: value | 1 << UInt8(truncatingIfNeeded: place & 7), as: UInt8.self)
    }

    /// Extends the buffer with zeros to a number of bits.
    mutating func padBits(to bits: Int) {
        let bytes = (bits + 7) >> 3
        if bytes > count { append(UInt8(0), times: bytes - count) }
    }

    mutating func shorten(to length: Int) {
        count = min(count, length)
    }

    /// Returns the bytes from an offset to the end.
    func bytes(from place: Int) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: start + place, count: max(0, count - place)))
    }

    /// Returns the memory, which the caller must deallocate, and starts with an empty buffer.
    mutating func take() -> UnsafeMutableRawPointer {
        let taken = unsafe start
        capacity = 256
        unsafe start = .allocate(byteCount: capacity, alignment: Self.alignment)
        count = 0
        return unsafe taken
    }
}
