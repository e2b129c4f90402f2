/// An entry with which a program stands in the desktop's own menus for types that it gets by conversion.
public struct Bridge: Sendable, Hashable {
    /// The program's own entry.
    public let handlerID: String
    /// The name of the program.
    public let name: String
    /// Its icon, where it has one.
    public let icon: String?
    /// Its program, without which the entry does not count.
    public let program: String
    /// The MIME types that it gets by conversion.
    public let types: [String]

    /// The key by which an entry of this kind is known.
    static let key = "X-Chemopen-Bridge"
    private static let beginning = "chemopen.via-"

    /// `nil` for a program that is no entry's own, such as one that is only started over the bus.
    public init?(_ handler: Handler, types: [String], in session: Surroundings) {
        guard let program = try? handler.entry.program(in: session).text, !types.isEmpty else { return nil }
        handlerID = handler.id
        name = handler.name
        icon = handler.entry.icon
        self.program = program
        self.types = types
    }

    /// It comes behind this program's own in the order of the alphabet, by which some desktops choose.
    var id: String { Self.beginning + handlerID }

    static func isID(_ id: String) -> Bool { id.hasPrefix(beginning) }
}
