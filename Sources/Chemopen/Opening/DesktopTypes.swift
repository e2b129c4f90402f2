import ChemopenDesktop

extension Format {
    /// The type under which desktops know the format.
    public var mimeType: String { mimeTypes.first ?? "application/octet-stream" }

    /// The types that a desktop is told of: the format's type itself, and its gzipped form where that is claimed.
    public var typeDescriptions: [TypeDescription] {
        guard let signature else { return [] }
        let picture = IconPicture(signature.kind.subject, color: color)
        var type = TypeDescription(mimeType, name: name, picture: picture)
        type.aliases = Array(mimeTypes.dropFirst())
        type.parent = signature.parent
        type.patterns = extensions.map {
            .init("*.\($0)", weight: signature.extensionWeight, isCaseSensitive: signature.lowercaseOnly.contains($0))
        }
        type.priority = signature.priority
        type.matches = signature.matches.map(\.described)
        type.rootElement = signature.rootElement
        if signature.gzippedExtensions.isEmpty { return [type] }
        var packed = TypeDescription(
            gzippedType, name: "\(name) (gzip)",
            picture: IconPicture(signature.kind.subject, color: color, isPacked: true))
        packed.parent = "application/gzip"
        packed.patterns = signature.gzippedExtensions.map { .init("*.\($0).gz") }
        return [type, packed]
    }

    /// The type of the gzipped form.
    var gzippedType: String { mimeType + "-compressed" }

    /// A colour for the icon, which tells formats of one kind apart; the same for the same format.
    private var color: String {
        let colors = ["#2a6f97", "#b5543c", "#3d7a4f", "#7a5195", "#a8761c", "#33707a", "#94405f", "#4f6128"]
        let sum = id.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        return colors[sum % colors.count]
    }
}

extension TypeSignature.Match {
    fileprivate var described: TypeDescription.Match {
        .init(text, at: offsets, mask: mask, and: inner.map(\.described))
    }
}

extension TypeSignature.Kind {
    fileprivate var subject: IconPicture.Subject {
        switch self {
        case .molecule: .molecule
        case .reaction: .reaction
        case .collection: .collection
        case .drawing: .drawing
        }
    }
}

extension DesktopPackage {
    /// The package of all formats.
    ///
    ///     for file in DesktopPackage.ofAllFormats().files { print(file.path) }
    public static func ofAllFormats(among formats: FormatRegistry = .standard) -> DesktopPackage {
        let types = formats.sorted { $0.id < $1.id }.flatMap(\.typeDescriptions)
        let targets = formats.filter { $0.makeWriter != nil && $0.holds.contains(.severalRecords) }.sorted {
            $0.id < $1.id
        }
        return DesktopPackage(types, conversions: targets.map { ($0.id, $0.name) })
    }
}
