import Glibc

// This is the only file that accesses memory without a bounds check for each byte.

/// Returns eight bytes as one number, the first byte lowest, with one bounds check; 0 beyond the end of the bytes.
@inlinable @inline(__always)
package func loadWord(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
    guard index >= 0, index &+ 8 <= bytes.count else { return 0 }
    return unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self).littleEndian
}

/// Returns two numbers of eight bytes each, with one bounds check; zeros beyond the end of the bytes.
@inlinable @inline(__always)
package func loadWords(_ bytes: Span<UInt8>, at index: Int) -> SIMD2<UInt64> {
    guard index >= 0, index &+ 16 <= bytes.count else { return SIMD2() }
    return unsafe SIMD2(
        bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self).littleEndian,
        bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &+ 8, as: UInt64.self).littleEndian)
}

/// Stores the eight bytes of a number, the lowest first. Does nothing beyond the end of the bytes.
@inlinable @inline(__always)
package func storeWord(_ word: UInt64, in bytes: inout MutableSpan<UInt8>, at index: Int) {
    guard index >= 0, index &+ 8 <= bytes.count else { return }
    var raw = unsafe bytes.mutableBytes
    unsafe raw.storeBytes(of: word.littleEndian, toUncheckedByteOffset: index, as: UInt64.self)
}

extension OutputSpan where Element == UInt8 {
    /// Appends the bytes of a span in one copy. Traps if there is not enough space, like `append`.
    @inlinable @inline(__always)
    package mutating func append(copying bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity)
        unsafe withUnsafeMutableBufferPointer { buffer, initialized in
            unsafe bytes.withUnsafeBufferPointer { source in
                guard let base = buffer.baseAddress, let start = source.baseAddress else { return }
                unsafe (base + initialized).initialize(from: start, count: source.count)
            }
            initialized += bytes.count
        }
    }

    /// Appends the bytes of a literal. Traps if there is not enough space, like `append`.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe append(copying: $0.span) }
    }

    /// Appends up to eight bytes of a number, the lowest first. If there is no space for all eight, appends `count`
    /// bytes one at a time and traps like `append`.
    @inlinable @inline(__always)
    package mutating func append(word: UInt64, count: Int) {
        if freeCapacity < 8 {
            for place in 0..<max(0, min(count, 8)) { append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(place)))) }
            return
        }
        unsafe withUnsafeMutableBufferPointer { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(base + initialized).storeBytes(of: word.littleEndian, as: UInt64.self)
            initialized += max(0, min(count, 8))
        }
    }

    /// Appends up to sixteen bytes of two numbers, the lowest byte of the first one first. If there is no space for all
    /// sixteen, appends the two numbers separately.
    @inlinable @inline(__always)
    package mutating func append(words first: UInt64, _ second: UInt64, count: Int) {
        if freeCapacity < 16 {
            append(word: first, count: min(8, count))
            return append(word: second, count: count &- 8)
        }
        unsafe withUnsafeMutableBufferPointer { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            let start = unsafe UnsafeMutableRawPointer(base + initialized)
            unsafe start.storeBytes(of: first.littleEndian, as: UInt64.self)
            unsafe start.storeBytes(of: second.littleEndian, toByteOffset: 8, as: UInt64.self)
            initialized += max(0, min(count, 16))
        }
    }
}

/// Returns the index of the first occurrence of a byte in `from..<to`, or `nil`. Bounds past the end are clamped.
@inlinable @inline(__always)
package func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from: Int, to: Int) -> Int? {
    let end = min(to, bytes.count)
    guard from >= 0, from < end else { return nil }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let base = unsafe UnsafeRawPointer(buffer.baseAddress),
            let hit = unsafe memchr(base + from, Int32(byte), end - from)
        else { return nil }
        return unsafe UnsafeRawPointer(hit) - base
    }
}

extension Span where Element == UInt8 {
    /// Whether the bytes in a range begin with a literal.
    @inlinable @inline(__always)
    package func range(_ range: Range<Int>, begins literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard range.count >= length else { return false }
        for index in 0..<length {
            if unsafe self[range.lowerBound &+ index] != literal.utf8Start[index] { return false }
        }
        return true
    }
}

extension [UInt8] {
    /// Appends the bytes of a span in one copy, without the reference count of an array slice.
    @inlinable @inline(__always)
    package mutating func append(copying bytes: Span<UInt8>) {
        append(addingCapacity: bytes.count) { $0.append(copying: bytes) }
    }

    /// Appends the bytes of a literal: `bytes.append("M  END\n")`.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe append(copying: $0.span) }
    }
}
