/// The formats that files are read and written in: those of Chemopen, and whatever a program adds.
///
///     var formats = FormatRegistry.standard
///     formats.add(.xyz)
///     var records = try readUnknown(path: "a.xyz", ReadOptions(among: formats))
///     var conversion = Conversion(to: .xyz, among: formats)
///
/// As a collection it is the formats that are told by content, in the order in which doubt about a file is settled.
public struct FormatRegistry: Sendable {
    private var read: [Format]
    /// Formats that are read where a file's name, its declared type or the caller says so, and not by content alone.
    public private(set) var toldByName: [Format]
    /// Formats that are written and not read.
    public private(set) var onlyWritten: [Format]

    /// A registry of these formats and no others.
    public init(_ formats: [Format], toldByName: [Format] = [], onlyWritten: [Format] = []) {
        read = formats
        self.toldByName = toldByName
        self.onlyWritten = onlyWritten
    }

    /// Adds a format behind the others, or in the place of the one that has its id.
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

    /// The registry with formats added: `FormatRegistry.standard.adding(.xyz)`.
    public func adding(_ formats: Format...) -> FormatRegistry {
        var registry = self
        for format in formats { registry.add(format) }
        return registry
    }

    /// All formats: those told by content, those told by name, those that are only written.
    public var all: [Format] { read + toldByName + onlyWritten }

    /// The format with an id, such as `sdf`.
    public subscript(id: String) -> Format? {
        all.first { $0.id == id }
    }

    /// The first format whose files have an extension, which is given in small letters and without its dot.
    public func format(withExtension suffix: String) -> Format? {
        all.first { $0.extensions.contains(suffix) }
    }
}

extension FormatRegistry: RandomAccessCollection {
    /// The place of the first format.
    public var startIndex: Int { read.startIndex }
    /// The place behind the last format.
    public var endIndex: Int { read.endIndex }

    /// How sure the format at a place is of a file. To take the format out for that would cost a copy of it.
    package func confidence(ofFormatAt place: Int, in head: Head) -> Confidence { read[place].sniff(head) }

    /// The place of the first format whose files have an extension.
    package func place(withExtension suffix: String) -> Int? {
        read.firstIndex { $0.extensions.contains(suffix) }
    }

    /// A format by its place in the order in which doubt is settled.
    public subscript(position: Int) -> Format { read[position] }
}

extension FormatRegistry: ExpressibleByArrayLiteral {
    /// A registry of these formats and no others.
    public init(arrayLiteral formats: Format...) {
        self.init(formats)
    }
}
