/// The published properties: first those that the record reader uses, then those of the appearance.
enum DrawnPropertyTable {
    final class Row: Sendable {
        let property: DrawnProperty
        /// The name in CDXML; empty if the property is not an attribute.
        let name: String
        let type: DrawnType
        /// The text of the attribute before its value.
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

    /// Returns the row with a CDXML name. If two rows share a name, returns the first.
    static func row(named name: [UInt8]) -> Row? { rowsByName[name] }

    private static let rowsByName = Dictionary(
        all.filter { !$0.name.isEmpty }.map { (Array($0.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })

    /// Whether a property is used only for pages.
    static func isLook(_ property: DrawnProperty) -> Bool {
        property.rawValue >= limit || Int(places[Int(property.rawValue)]) > rows.count
    }

    /// The treatment of a property by the fast path of the binary reader.
    struct Quick {
        var property = DrawnProperty(rawValue: 0)
        /// The form of its values, if the fast path supports it.
        var form: DrawnType.Form?
        /// Whether the property is published and skipped.
        var isLook = false
        var isSigned = false
        var isInSpace = false
        /// The lowest and the highest valid number.
        var first: Int16 = .min
        var last: Int16 = .max
        /// A bit for each invalid number between them.
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
