/// The published properties: first those that the reader makes something of, then looks.
enum DrawnPropertyTable {
    final class Row: Sendable {
        let property: DrawnProperty
        let name: String
        let type: DrawnType
        /// The names of its values, and the number of the first.
        let valueNames: [[UInt8]]
        let firstNumber: Int

        init(_ property: DrawnProperty, _ name: String, _ type: DrawnType) {
            self.property = property
            self.name = name
            self.type = type
            let (names, first) = type.names ?? ([], 0)
            valueNames = names.map { Array($0.utf8) }
            firstNumber = first
        }

        /// The number of a named value.
        func number(ofValue name: Span<UInt8>) -> Int? {
            for place in valueNames.indices where name.spells(valueNames[place]) { return place + firstNumber }
            return nil
        }

        /// Whether a number has a name.
        func isNumberOfValue(_ number: Int) -> Bool {
            valueNames.indices.contains(number &- firstNumber)
        }

        /// The name of a number; nothing where it has none.
        func name(ofValue number: Int) -> [UInt8]? {
            guard isNumberOfValue(number) else { return nil }
            let name = valueNames[number &- firstNumber]
            return name.isEmpty ? nil : name
        }
    }

    /// The row of a property that the reader makes something of.
    static func row(of tag: UInt16) -> Row? {
        let place = tag < limit ? places[Int(tag)] : 0
        return place == 0 || place > rows.count ? nil : rows[Int(place) - 1]
    }

    /// The row of any published property.
    static func anyRow(of tag: UInt16) -> Row? {
        let place = tag < limit ? places[Int(tag)] : 0
        return place == 0 ? nil : all[Int(place) - 1]
    }

    /// The row of any published property, by its name in CDXML. A name that two rows share is the first one's.
    static func row(named name: [UInt8]) -> Row? { rowsByName[name] }

    private static let rowsByName = Dictionary(
        all.filter { !$0.name.isEmpty }.map { (Array($0.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })

    /// The names of the properties in CDXML.
    static var names: [String] { all.map(\.name) }

    static func row(at place: Int) -> Row { all[place] }

    /// Whether a row, by its place, is of a look.
    static func isLook(at place: Int) -> Bool { place >= rows.count }

    /// The rows of all published properties.
    static let all = rows + DrawnLooks.rows

    /// How the commonest values are read at once; by tag.
    struct Quick {
        enum Way: UInt8 {
            /// By the row, if there is one.
            case row
            case signed, unsigned, flag, charge, point, point3D, box, coordinate, order, identifiers, text
            /// Published, and passed over.
            case look
        }

        var way = Way.row
        /// The lowest and the highest number that has a meaning.
        var first: Int16 = .min
        var last: Int16 = .max
        /// The numbers between these two that have none, a bit for each.
        var holes: UInt64 = 0
        var property = DrawnProperty(rawValue: 0)
    }

    static let quick: [Quick] = {
        var quick = [Quick](repeating: Quick(), count: Int(limit))
        for tags in DrawnLooks.ranges where tags.upperBound < limit {
            for tag in tags { quick[Int(tag)].way = .look }
        }
        for tag in DrawnLooks.tables { quick[Int(tag)].way = .row }
        for row in rows {
            let place = Int(row.property.rawValue)
            quick[place] = Quick(property: row.property)
            switch row.type {
            case .signed: quick[place].way = .signed
            case .unsigned, .identifier: quick[place].way = .unsigned
            case .flag, .truth: quick[place].way = .flag
            case .point: quick[place].way = .point
            case .point3D: quick[place].way = .point3D
            case .box: quick[place].way = .box
            case .coordinate: quick[place].way = .coordinate
            case .bondOrder: quick[place].way = .order
            case .charge: quick[place].way = .charge
            case .identifiers: quick[place].way = .identifiers
            case .text: quick[place].way = .text
            case .named, .namedFromMinusOne:
                guard let (names, first) = row.type.names, names.count <= 64 else { break }
                quick[place].way = .signed
                quick[place].first = Int16(first)
                quick[place].last = Int16(first + names.count - 1)
                for (number, name) in names.enumerated() where name.isEmpty {
                    quick[place].holes |= 1 << UInt64(number)
                }
            default: break
            }
        }
        return quick
    }()

    static let limit: UInt16 = 0x2000

    private static let places: [UInt16] = {
        var places = [UInt16](repeating: 0, count: Int(limit))
        for (place, row) in all.enumerated() { places[Int(row.property.rawValue)] = UInt16(place + 1) }
        return places
    }()
}
