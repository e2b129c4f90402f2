/// A desktop entry that lists a program in menus for types that it can open only after conversion.
public struct ConversionEntry: Sendable, Hashable {
    /// The ID of the program's own entry.
    public let handlerID: String
    /// The name of the program.
    public let name: String
    /// The icon of the program, if it has one.
    public let icon: String?
    /// The program that must be installed for the entry to be valid.
    public let program: String
    /// The MIME types that are converted for the program.
    public let types: [String]

    /// The key that marks entries of this kind.
    static let key = "X-Chemopen-Bridge"
    private static let beginning = "chemopen.via-"

    /// Creates an entry. Fails if `types` is empty or the handler has no executable, such as a bus-only application.
    public init?(_ handler: Handler, types: [String], in session: SessionEnvironment) {
        guard let program = try? handler.entry.program(in: session).text, !types.isEmpty else { return nil }
        handlerID = handler.id
        name = handler.name
        icon = handler.entry.icon
        self.program = program
        self.types = types
    }

    /// The ID of the entry. It sorts after chemopen's own entry, because some desktops choose the alphabetically first
    /// entry.
    var id: String { Self.beginning + handlerID }

    static func isID(_ id: String) -> Bool { id.hasPrefix(beginning) }
}
