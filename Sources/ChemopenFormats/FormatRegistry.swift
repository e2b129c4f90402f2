/// A list of file formats for reading and writing: Chemopen's own formats, and any that a program adds.
///
///     var formats = FormatRegistry.standard
///     formats.add(.xyz)
///     var records = try readUnknown(path: "a.xyz", ReadOptions(among: formats))
///     var conversion = Conversion(to: .xyz, among: formats)
///
/// As a collection, it contains the formats that can be detected from content. If several formats match a file equally
/// well, the first one in this order is used.
public struct FormatRegistry: Sendable {
    private var read: [Format]
    /// The formats that are never detected from content alone, but only with a file name, a declared type or a request
    /// by the caller.
    public private(set) var toldByName: [Format]
    /// The formats that can only be written.
    public private(set) var onlyWritten: [Format]

    /// Creates a registry with only these formats.
    public init(_ formats: [Format], toldByName: [Format] = [], onlyWritten: [Format] = []) {
        read = formats
        self.toldByName = toldByName
        self.onlyWritten = onlyWritten
    }

    /// Adds a format at the end, or replaces the format with the same id.
    public mutating func add(_ format: Format) {
        if let place = read.firstIndex(where: { $0.id == format.id }) {
            read[place] = format
        } else if let place = toldByName.firstIndex(where: { $0.id == format.id }) {
            toldByName[place] = format
        } else if let place = onlyWritten.firstIndex(where: { $0.id == format.id }) {
            onlyWritten[place] = format
        } else if format.makeReader == nil {
            onlyWritten.append(format)
        } else {
            read.append(format)
        }
    }

    /// Returns the registry with additional formats: `FormatRegistry.standard.adding(.xyz)`.
    public func adding(_ formats: Format...) -> FormatRegistry {
        var registry = self
        for format in formats { registry.add(format) }
        return registry
    }

    /// All formats, in three groups: detected from content, detected from a name, and only written.
    public var all: [Format] { read + toldByName + onlyWritten }

    /// The format with an id, such as `sdf`.
    public subscript(id: String) -> Format? {
        all.first { $0.id == id }
    }

    /// Returns the first format with a file name extension, or `nil`. The extension must be in lower case and without
    /// its dot.
    public func format(withExtension suffix: String) -> Format? {
        all.first { $0.extensions.contains(suffix) }
    }
}

extension FormatRegistry: RandomAccessCollection {
    /// The index of the first format.
    public var startIndex: Int { read.startIndex }
    /// The index after the last format.
    public var endIndex: Int { read.endIndex }

    /// Returns the certainty of the format at an index for a file. Access to the format itself would copy it.
    package func confidence(ofFormatAt place: Int, in head: Head) -> Confidence { read[place].sniff(head) }

    /// Returns the index of the first format with a file name extension.
    package func place(withExtension suffix: String) -> Int? {
        read.firstIndex { $0.extensions.contains(suffix) }
    }

    /// The format at an index.
    public subscript(position: Int) -> Format { read[position] }
}

extension FormatRegistry: ExpressibleByArrayLiteral {
    /// Creates a registry with only these formats.
    public init(arrayLiteral formats: Format...) {
        self.init(formats)
    }
}
