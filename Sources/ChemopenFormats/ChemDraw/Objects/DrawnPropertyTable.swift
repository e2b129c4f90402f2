/// The published properties: first those that the reader of records uses, then the looks.
enum DrawnPropertyTable {
    final class Row: Sendable {
        let property: DrawnProperty
        /// The name in CDXML; empty if the property is no attribute.
        let name: String
        let type: DrawnType
        /// The start of the attribute up to its value.
        let start: [UInt8]

        init(_ property: DrawnProperty, _ name: String, _ type: DrawnType) {
            self.property = property
            self.name = name
            self.type = type
            start = Array(" \(name)=\"".utf8)
        }
    }

    static let all = rows + DrawnLooks.rows

    static func row(of property: DrawnProperty) -> Row? {
        let place = property.rawValue < limit ? places[Int(property.rawValue)] : 0
        return place == 0 ? nil : all[Int(place) - 1]
    }

    /// Returns the row with a name in CDXML. A name that two rows share is that of the first.
    static func row(named name: [UInt8]) -> Row? { rowsByName[name] }

    private static let rowsByName = Dictionary(
        all.filter { !$0.name.isEmpty }.map { (Array($0.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })

    /// Whether only pages use a property.
    static func isLook(_ property: DrawnProperty) -> Bool {
        property.rawValue >= limit || Int(places[Int(property.rawValue)]) > rows.count
    }

    /// How the fast path of the binary reader treats a property; by tag.
    struct Quick {
        var property = DrawnProperty(rawValue: 0)
        /// The form of its values, if the fast path reads it.
        var form: DrawnType.Form?
        /// It is published and skipped.
        var isLook = false
        var isSigned = false
        var isInSpace = false
        /// The lowest and the highest number with a meaning.
        var first: Int16 = .min
        var last: Int16 = .max
        /// The numbers between them that have none, a bit for each.
        var holes: UInt64 = 0

        init() {}

        init(_ row: Row) {
            let type = row.type
            property = row.property
            isSigned = type.isSigned
            isInSpace = type.order.count == 3
            let isPlain = type.names.count <= 64 && !type.isCounted && (type.parts == 65536 && type.byteCount == 4)
            if Self.simple.contains(type.form) || isPlain && Self.plain.contains(type.form) { form = type.form }
            guard type.form == .named, type.names.count <= 64 else { return }
            form = .named
            first = Int16(type.firstNumber)
            last = Int16(type.firstNumber + type.names.count - 1)
            for (number, name) in type.names.enumerated() where name.isEmpty { holes |= 1 << UInt64(number) }
        }

        private static let simple: Set<DrawnType.Form> = [.integer, .identifier, .flag, .charge, .order, .text]
        private static let plain: Set<DrawnType.Form> = [.point, .box, .fraction, .identifiers]
    }

    static let quick: [Quick] = {
        var quick = [Quick](repeating: Quick(), count: Int(limit))
        for tags in DrawnLooks.ranges where tags.upperBound < limit {
            for tag in tags { quick[Int(tag)].isLook = true }
        }
        for tag in DrawnLooks.tables { quick[Int(tag)].isLook = false }
        for row in rows { quick[Int(row.property.rawValue)] = Quick(row) }
        return quick
    }()

    static let limit: UInt16 = 0x2000

    private static let places: [UInt16] = {
        var places = [UInt16](repeating: 0, count: Int(limit))
        for (place, row) in all.enumerated() { places[Int(row.property.rawValue)] = UInt16(place + 1) }
        return places
    }()
}
