import ChemopenBytes

/// The three-letter key of a V2000 property line: `RBC` in `M  RBC`.
struct PropertyKey: Sendable, Hashable {
    let code: UInt32

    @inline(__always)
    init(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
        code = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
    }

    @inline(__always)
    private init(_ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar) {
        code = first.value << 16 | second.value << 8 | third.value
    }

    @inline(__always)
    static func ~= (pattern: PropertyKey, value: PropertyKey) -> Bool {
        pattern.code == value.code
    }
}

extension PropertyKey: CustomStringConvertible {
    /// The beginning of its lines: `M  RBC`.
    var description: String {
        var line: [UInt8] = []
        line.beginPropertyLine(self)
        return String(decoding: line, as: UTF8.self)
    }
}

extension PropertyKey {
    // Atoms, bonds and the molecule.

    static var charges: PropertyKey { PropertyKey("C", "H", "G") }
    static var radicals: PropertyKey { PropertyKey("R", "A", "D") }
    static var isotopes: PropertyKey { PropertyKey("I", "S", "O") }
    static var ringBonds: PropertyKey { PropertyKey("R", "B", "C") }
    static var substitution: PropertyKey { PropertyKey("S", "U", "B") }
    static var unsaturated: PropertyKey { PropertyKey("U", "N", "S") }
    static var attachmentPoints: PropertyKey { PropertyKey("A", "P", "O") }
    static var rgroupSites: PropertyKey { PropertyKey("R", "G", "P") }
    static var linkNodes: PropertyKey { PropertyKey("L", "I", "N") }
    static var atomList: PropertyKey { PropertyKey("A", "L", "S") }
    static var attachmentOrder: PropertyKey { PropertyKey("A", "A", "L") }
    static var rgroupLogic: PropertyKey { PropertyKey("L", "O", "G") }
    static var trueOrders: PropertyKey { PropertyKey("Z", "B", "O") }
    static var trueCharges: PropertyKey { PropertyKey("Z", "C", "H") }
    static var hydrogens: PropertyKey { PropertyKey("H", "Y", "D") }
    static var registryNumber: PropertyKey { PropertyKey("R", "E", "G") }
    static var end: PropertyKey { PropertyKey("E", "N", "D") }

    // Sgroups.

    static var sgroupKinds: PropertyKey { PropertyKey("S", "T", "Y") }
    static var sgroupSubtypes: PropertyKey { PropertyKey("S", "S", "T") }
    static var sgroupConnectivities: PropertyKey { PropertyKey("S", "C", "N") }
    static var sgroupIdentifiers: PropertyKey { PropertyKey("S", "L", "B") }
    static var sgroupComponentNumbers: PropertyKey { PropertyKey("S", "N", "C") }
    static var sgroupBracketStyles: PropertyKey { PropertyKey("S", "B", "T") }
    static var sgroupParents: PropertyKey { PropertyKey("S", "P", "L") }
    static var sgroupExpansions: PropertyKey { PropertyKey("S", "D", "S") }
    static var sgroupAtoms: PropertyKey { PropertyKey("S", "A", "L") }
    static var sgroupParentAtoms: PropertyKey { PropertyKey("S", "P", "A") }
    static var sgroupBonds: PropertyKey { PropertyKey("S", "B", "L") }
    static var sgroupCorrespondence: PropertyKey { PropertyKey("C", "R", "S") }
    static var sgroupLabel: PropertyKey { PropertyKey("S", "M", "T") }
    static var sgroupClass: PropertyKey { PropertyKey("S", "C", "L") }
    static var sgroupBracket: PropertyKey { PropertyKey("S", "D", "I") }
    static var sgroupBondVector: PropertyKey { PropertyKey("S", "B", "V") }
    static var sgroupAttachments: PropertyKey { PropertyKey("S", "A", "P") }
    static var sgroupField: PropertyKey { PropertyKey("S", "D", "T") }
    static var sgroupDisplay: PropertyKey { PropertyKey("S", "D", "D") }
    static var sgroupDataPart: PropertyKey { PropertyKey("S", "C", "D") }
    static var sgroupData: PropertyKey { PropertyKey("S", "E", "D") }
}

extension [UInt8] {
    /// Appends `M  ` and the letters of a key.
    mutating func beginPropertyLine(_ key: PropertyKey) {
        append(addingCapacity: 6) { output in
            output.append(UInt8(ascii: "M"))
            output.append(Ascii.blank)
            output.append(Ascii.blank)
            output.append(UInt8(truncatingIfNeeded: key.code &>> 16))
            output.append(UInt8(truncatingIfNeeded: key.code &>> 8))
            output.append(UInt8(truncatingIfNeeded: key.code))
        }
    }
}

/// The fields of a V2000 bond line, `111222tttsssxxxrrrccc`, in order.
enum BondColumn: Int, CaseIterable, Sendable {
    case first, second, order, mark, unused, topology, reactingCenter

    /// The columns in the line, counted from 0.
    @inline(__always) var range: Range<Int> { 3 &* rawValue..<3 &* rawValue &+ 3 }
}

/// The fields after the symbol in a V2000 atom line, in order. The first has two columns, all others have three.
enum AtomColumn: Int, CaseIterable, Sendable {
    case massDifference, charge, parity, hydrogens, stereoCare, valence, fixedHydrogens, component, componentNumber
    case map, inversion, exactChange

    /// The columns in the line, counted from 0.
    @inline(__always) var range: Range<Int> {
        rawValue == 0 ? 34..<36 : 33 + 3 * rawValue..<36 + 3 * rawValue
    }
}
