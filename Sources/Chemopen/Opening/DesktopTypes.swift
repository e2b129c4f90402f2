import ChemopenDesktop

extension Format {
    /// The MIME type that desktops use for the format.
    public var mimeType: String { mimeTypes.first ?? "application/octet-stream" }

    /// The types to register with the desktop: the format's own type, and the type of its gzipped form if the format
    /// claims that.
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

    /// The color of the icon. It depends only on the format, and distinguishes formats with the same symbol.
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
    /// Creates the package with the types of all formats.
    ///
    ///     for file in DesktopPackage.ofAllFormats().files { print(file.path) }
    ///
    /// - Returns: The package with its files.
    public static func ofAllFormats(among formats: FormatRegistry = .standard) -> DesktopPackage {
        let types = formats.sorted { $0.id < $1.id }.flatMap(\.typeDescriptions)
        let targets = formats.filter { $0.isWritable && $0.supportedFeatures.contains(.severalRecords) }.sorted {
            $0.id < $1.id
        }
        return DesktopPackage(types, conversions: targets.map { ($0.id, $0.name) })
    }
}
