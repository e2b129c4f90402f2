/// The first three lines of an MDL file, stored together because most molecules have short ones.
package struct Heading: Sendable, Hashable {
    private var bytes: [UInt8] = []
    private var nameEnd: Int32 = 0
    private var originEnd: Int32 = 0

    package init() {}

    package var name: Text {
        get { Text(bytes: bytes[..<Int(nameEnd)]) }
        set { setName(newValue.bytes[...]) }
    }

    package var origin: Text {
        get { Text(bytes: bytes[Int(nameEnd)..<Int(originEnd)]) }
        set { set(name: name.bytes[...], origin: newValue.bytes[...], comment: comment.bytes[...]) }
    }

    package var comment: Text {
        get { Text(bytes: bytes[Int(originEnd)...]) }
        set { set(name: name.bytes[...], origin: origin.bytes[...], comment: newValue.bytes[...]) }
    }

    package var isEmpty: Bool { bytes.isEmpty }

    package var hasNoName: Bool { nameEnd == 0 }

    /// Clears the lines but retains their memory for reuse.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        nameEnd = 0
        originEnd = 0
    }

    package mutating func setName(_ name: ArraySlice<UInt8>) {
        let shift = name.count &- Int(nameEnd)
        bytes.replaceSubrange(..<Int(nameEnd), with: name)
        nameEnd = Int32(clamping: name.count)
        originEnd = Int32(clamping: Int(originEnd) &+ shift)
    }

    /// Replaces the three lines, and reuses their memory.
    package mutating func set(name: ArraySlice<UInt8>, origin: ArraySlice<UInt8>, comment: ArraySlice<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(name.count + origin.count + comment.count)
        bytes.append(contentsOf: name)
        nameEnd = Int32(clamping: bytes.count)
        bytes.append(contentsOf: origin)
        originEnd = Int32(clamping: bytes.count)
        bytes.append(contentsOf: comment)
    }

    /// The three lines as slices, which writers can use without copying them.
    package var lines: (name: ArraySlice<UInt8>, origin: ArraySlice<UInt8>, comment: ArraySlice<UInt8>) {
        (bytes[..<Int(nameEnd)], bytes[Int(nameEnd)..<Int(originEnd)], bytes[Int(originEnd)...])
    }
}
