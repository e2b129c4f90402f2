import ChemopenBytes
import ChemopenModel

/// Writes the header, atoms and bonds of V2000 molfiles.
struct V2000Writer {
    /// Whether the options require V2000, regardless of losses.
    private let isAskedFor: Bool
    /// The losses of all molecules that were written.
    private(set) var losses: [Loss] = []

    init(_ options: WriteOptions) {
        isAskedFor = options.version == .v2000
    }

    /// Appends the molecule as V2000.
    ///
    /// - Parameter rule: The rule that determines the hydrogens, if it is not the molecule's own.
    /// - Returns: The content that requires V3000, if writing was stopped there; always `nil` if the options require
    ///   V2000.
    mutating func write(
        _ molecule: borrowing Molecule, meantBy rule: Molecule.HydrogenRule? = nil, to output: inout [UInt8]
    ) -> V3000Need? {
        output.appendHeading(of: molecule, .v2000, &losses)
        let atomCount = molecule.atoms.count
        output.appendPadded(atomCount, width: 3)
        output.appendPadded(molecule.bonds.count, width: 3)
        output.append(molecule.flags.contains(.chiral) ? V2000Text.chiralCounts : V2000Text.counts)
        var properties = V2000Properties(molecule, meantBy: rule ?? molecule.hydrogenRule)
        if properties.needsLargeValence, isNeed(.largeValence) { return .largeValence }
        if let need = writeAtoms(molecule, &properties, to: &output) { return need }
        if let need = writeBonds(molecule, &properties, to: &output) { return need }
        if isAskedFor { noteLosses(of: molecule) }
        var lines = V2000PropertyWriter()
        lines.write(molecule, properties, to: &output)
        losses.note(lines.losses)
        output.append("M  END\n")
        return nil
    }

    /// Records content that V2000 cannot store; returns `true` if V3000 must be written instead.
    private mutating func isNeed(_ need: V3000Need) -> Bool {
        if !isAskedFor { return true }
        losses.note(need.feature, Text(need.loss))
        return false
    }

    private mutating func noteLosses(of molecule: borrowing Molecule) {
        for need in V3000Need.ranges(molecule.extras.contents) { losses.note(need.feature, Text(need.text)) }
    }

    // MARK: Atoms

    private mutating func writeAtoms(
        _ molecule: borrowing Molecule, _ properties: inout V2000Properties, to output: inout [UInt8]
    ) -> V3000Need? {
        var isPrecise = false
        let atoms = molecule.atoms
        let length = AtomLine.empty.count
        var start = output.appendLines(V2000Text.atomLines, of: length, count: atoms.count) - length
        var text = output.mutableSpan
        let hasDrawnCharges = !properties.drawnCharges.isEmpty
        let isPlain = properties.isPlain
        for index in atoms.indices {
            let atom = atoms[index]
            start &+= length
            if isPlain, !hasDrawnCharges, let rest = text.setPlainLine(of: atom, at: start) {
                isPrecise = isPrecise || rest >= CoordinateFit.leastRest
                continue
            }
            let x = text.setCoordinate(atom.position.x, at: start + AtomLine.x.lowerBound)
            let y = text.setCoordinate(atom.position.y, at: start + AtomLine.y.lowerBound)
            let z = text.setCoordinate(atom.position.z, at: start + AtomLine.z.lowerBound)
            if x == .wide || y == .wide || z == .wide, isNeed(.wideCoordinates) { return .wideCoordinates }
            isPrecise = isPrecise || x == .cut || y == .cut || z == .cut
            if atom.label == Atom.noLabel {
                let symbol = atom.element.symbolBytes
                let place = start + AtomLine.symbol.lowerBound
                text[place] = symbol.0 == 0 ? UInt8(ascii: "*") : symbol.0
                if symbol.1 != 0 { text[place + 1] = symbol.1 }
            } else {
                writeLabel(molecule, index, &properties, at: start + AtomLine.symbol.lowerBound, to: &text)
            }
            if atom.charge != 0 || hasDrawnCharges {
                if !writeCharge(Int(atom.charge), index, &properties, at: start, to: &text) {
                    return .largeCharge
                }
            }
            if atom.isotope != 0 { properties.isotopes.append((index, Int(atom.isotope))) }
            if atom.radical != .none { properties.radicals.append((index, atom.radical.mdlCode)) }
            if atom.mapNumber != 0 {
                if !(0...999).contains(atom.mapNumber) {
                    if isNeed(.largeMapNumber) { return .largeMapNumber }
                } else {
                    text.setCode(Int(atom.mapNumber), in: AtomColumn.map.range, at: start)
                }
            }
            if !atom.marks.isEmpty { writeMarks(atom.marks, at: start, to: &text) }
            if !isPlain { properties.writeCodes(ofAtom: index, at: start, to: &text) }
        }
        if isPrecise, isNeed(.preciseCoordinates) { return .preciseCoordinates }
        return nil
    }

    /// Writes the drawn charge as `M  CHG` and atom code, and the true charge as `M  ZCH` if it differs. Returns
    /// `false` if V3000 must be written instead.
    private mutating func writeCharge(
        _ charge: Int, _ index: Int, _ properties: inout V2000Properties, at start: Int,
        to text: inout MutableSpan<UInt8>
    ) -> Bool {
        let drawn = properties.drawnCharges.isEmpty ? charge : properties.drawnCharges[index] ?? charge
        if max(abs(drawn), abs(charge)) > 15, isNeed(.largeCharge) { return false }
        let written = min(15, max(-15, drawn))
        if written != charge {
            let fitting = min(999, max(-99, charge))
            if fitting != charge {
                losses.note(.charges, "beyond three columns, written as the nearest value that fits")
            }
            properties.trueCharges.append((index, fitting))
        }
        if written != 0 { properties.charges.append((index, written)) }
        if written != 0, abs(written) <= 3 { text.setCode(4 - written, in: AtomColumn.charge.range, at: start) }
        return true
    }

    /// Writes a label of up to three characters unchanged, and other labels as the alias of `*`.
    ///
    /// A label that would be read as an element also becomes an alias. D and T are written as hydrogen with `M  ISO`.
    private mutating func writeLabel(
        _ molecule: borrowing Molecule, _ index: Int, _ properties: inout V2000Properties, at place: Int,
        to text: inout MutableSpan<UInt8>
    ) {
        let atom = molecule.atoms[index]
        let label = molecule.symbol(ofAtom: index)
        if atom.element != .none {
            let symbol = atom.element.symbolBytes
            text[place] = symbol.0
            if symbol.1 != 0 { text[place + 1] = symbol.1 }
        } else if molecule.notes(onAtom: index).contains(where: \.isSite) {
            text[place] = UInt8(ascii: "R")
            text[place + 1] = UInt8(ascii: "#")
        } else if molecule.isNamedByGroup(index) {
            text[place] = UInt8(ascii: "*")
        } else if V3000Need.fits(label), !label.isEmpty {
            for (offset, byte) in label.bytes.enumerated() { text[place + offset] = byte }
        } else {
            losses.note(.labels, "written as the alias of *, because the symbol would be misread")
            text[place] = UInt8(ascii: "*")
            properties.longLabels.append((index, label))
        }
    }

    private func writeMarks(_ marks: Atom.Marks, at start: Int, to text: inout MutableSpan<UInt8>) {
        if marks.parity != 0 { text.setCode(marks.parity, in: AtomColumn.parity.range, at: start) }
        if marks.contains(.stereoCare) { text.setCode(1, in: AtomColumn.stereoCare.range, at: start) }
        if marks.contains(.inverts) { text.setCode(1, in: AtomColumn.inversion.range, at: start) }
        if marks.contains(.retains) { text.setCode(2, in: AtomColumn.inversion.range, at: start) }
        if marks.contains(.exactChange) { text.setCode(1, in: AtomColumn.exactChange.range, at: start) }
    }

    // MARK: Bonds

    private mutating func writeBonds(
        _ molecule: borrowing Molecule, _ properties: inout V2000Properties, to output: inout [UInt8]
    ) -> V3000Need? {
        let bonds = molecule.bonds
        let drawnAsAny = molecule.extras.isEmpty ? [] : molecule.extras.contents.sgroups.dativeBonds
        let length = BondColumn.emptyLine.count
        var start = output.appendLines(V2000Text.bondLines, of: length, count: bonds.count) - length
        var text = output.mutableSpan
        for index in bonds.indices {
            let bond = bonds[index]
            start &+= length
            let plainOrder = Int(truncatingIfNeeded: bond.onlyOrderNumber)
            if 1...3 ~= plainOrder {
                text.setPlainLine(of: bond, plainOrder, at: start)
                continue
            }
            switch bond.order {
            case .dative where !drawnAsAny.contains(index) && isNeed(.dativeBond): return .dativeBond
            case .hydrogen where isNeed(.hydrogenBond): return .hydrogenBond
            default: break
            }
            let type: Int
            if bond.order == .dative, drawnAsAny.contains(index) {
                type = 8
            } else if let said = bond.order.mdlType {
                type = said
            } else {
                properties.trueOrders.append((index, Int(bond.order.rawValue)))
                type = bond.order == .zero ? 1 : 3
            }
            text.setNumbers(Int(bond.from) + 1, Int(bond.to) + 1, type, at: start + BondColumn.first.range.lowerBound)
            switch bond.mark {
            case .none: break
            case .up: text.setCode(1, in: BondColumn.mark.range, at: start)
            case .down: text.setCode(6, in: BondColumn.mark.range, at: start)
            case .either: text.setCode(bond.order == .double ? 3 : 4, in: BondColumn.mark.range, at: start)
            }
            if bond.traits.isEmpty, bond.reactingCenter == 0 { continue }
            for term in BondTerm.all {
                let code = term.get(bond)
                if code == 0 { continue }
                if let column = term.column {
                    text.setCode(code, in: column.range, at: start)
                } else if let need = term.need, isNeed(need) {
                    return need
                }
            }
        }
        return nil
    }
}

/// The lines before any values are set.
enum V2000Text {
    /// The text after the numbers of atoms and bonds.
    static let counts = Array(CountsColumns.empty[CountsColumns.lists.lowerBound...])
    static let chiralCounts: [UInt8] = {
        var line = CountsColumns.empty
        line[CountsColumns.chiral.upperBound - 1] = Ascii.zero + 1
        return Array(line[CountsColumns.lists.lowerBound...])
    }()
    /// Many lines in one block, which can be copied together.
    static let atomLines = Array(repeatElement(AtomLine.empty, count: 64).joined())
    static let bondLines = Array(repeatElement(BondColumn.emptyLine, count: 64).joined())
}

/// How a coordinate fits into its ten columns.
enum CoordinateFit {
    case exact
    /// The value has more than four decimals and is rounded.
    case cut
    /// The value is too large for four decimals in ten columns.
    case wide

    /// The smallest rounding error of a cut value, in ten-thousandths. For a value with four decimals, the error is
    /// smaller: it only affects the last bits of the product.
    static var leastRest: Double { 1e-6 }
}

extension [UInt8] {
    fileprivate mutating func append(_ bytes: [UInt8]) {
        append(contentsOf: bytes)
    }

    /// Appends identical lines from a block of them, and returns the start of the first.
    fileprivate mutating func appendLines(_ piece: [UInt8], of length: Int, count lines: Int) -> Int {
        let start = count
        var rest = lines &* length
        reserveCapacity(start &+ rest)
        while rest > piece.count {
            append(contentsOf: piece)
            rest &-= piece.count
        }
        append(contentsOf: piece[..<rest])
        return start
    }
}

extension MutableSpan where Element == UInt8 {
    /// Sets a number of up to three digits, right-aligned in three columns of a line.
    @inline(__always)
    fileprivate mutating func setCode(_ code: Int, in columns: Range<Int>, at start: Int) {
        if (0...9).contains(code) {
            self[start + columns.upperBound - 1] = Ascii.zero &+ UInt8(truncatingIfNeeded: code)
        } else {
            setNumber(code, at: start + columns.lowerBound)
        }
    }

    /// Sets three numbers in three columns each. The caller ensures that they do not exceed 999.
    @inline(__always)
    fileprivate mutating func setNumbers(_ first: Int, _ second: Int, _ third: Int, at start: Int) {
        let third = threeColumns(third)
        storeWord(threeColumns(first) | threeColumns(second) &<< 24 | third &<< 48, in: &self, at: start)
        self[start &+ 8] = UInt8(truncatingIfNeeded: third &>> 16)
    }

    /// Sets a number right-aligned in three columns. Larger numbers would be truncated; the caller excludes them.
    @inline(__always)
    mutating func setNumber(_ number: Int, at start: Int) {
        var rest = number.magnitude
        var place = start &+ 2
        repeat {
            self[place] = Ascii.zero &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            place &-= 1
        } while rest > 0 && place >= start
        if number < 0, place >= start { self[place] = Ascii.minus }
    }

    /// Sets the line of a 2D atom that has only an element and a position, over a line of zeros.
    ///
    /// - Returns: The largest difference between a number and its text; `nil`, without changes, for other atoms.
    @inline(__always)
    fileprivate mutating func setPlainLine(of atom: Atom, at start: Int) -> Double? {
        guard atom.position.z == 0, atom.label == Atom.noLabel, atom.charge == 0, atom.isotope == 0,
            atom.radical == .none, atom.mapNumber == 0, atom.marks.isEmpty
        else { return nil }
        let (first, second) = atom.element.symbolBytes
        guard first != 0, let rest = setTwentyColumns(atom.position.x, atom.position.y, at: start) else { return nil }
        self[start &+ AtomLine.symbol.lowerBound] = first
        if second != 0 { self[start &+ AtomLine.symbol.lowerBound &+ 1] = second }
        return rest
    }

    /// Sets the line of a bond that has only an order, from one to three, over a line of zeros.
    @inline(__always)
    fileprivate mutating func setPlainLine(of bond: Bond, _ order: Int, at start: Int) {
        let numbers = threeColumns(Int(bond.from) &+ 1) | threeColumns(Int(bond.to) &+ 1) &<< 24
        let blanks: UInt64 = 0x2020
        storeWord(numbers | blanks &<< 48, in: &self, at: start &+ BondColumn.first.range.lowerBound)
        self[start &+ BondColumn.order.range.upperBound &- 1] = Ascii.zero &+ UInt8(truncatingIfNeeded: order)
    }

    /// Sets a coordinate in the format `%10.4f`, in ten columns that contain zero, without a minus sign for zero.
    @inline(__always)
    fileprivate mutating func setCoordinate(_ value: Double, at start: Int) -> CoordinateFit {
        // The z coordinate of each atom in a 2D drawing has this form.
        if value == 0 { return .exact }
        if let rest = setTenColumns(value, at: start) { return rest < CoordinateFit.leastRest ? .exact : .cut }
        return value > -9_999.999_95 && value < 99_999.999_95
            ? setRoundedCoordinate(value, at: start) : setWideCoordinate(value, at: start)
    }

    /// Sets a coordinate. For ties, the exact value decides, not its product with ten thousand.
    private mutating func setRoundedCoordinate(_ value: Double, at start: Int) -> CoordinateFit {
        var text: [UInt8] = []
        text.appendFixed(value, decimals: 4, width: 10)
        for (offset, byte) in text.prefix(10).enumerated() { self[start + offset] = byte }
        let scaled = value * 10_000
        return abs(scaled - scaled.rounded()) < 1e-6 ? .exact : .cut
    }

    /// Sets a coordinate with as many decimals as fit.
    private mutating func setWideCoordinate(_ value: Double, at start: Int) -> CoordinateFit {
        for decimals in stride(from: 3, through: 0, by: -1) {
            var text: [UInt8] = []
            text.appendFixed(value, decimals: decimals, width: 10)
            if text.count <= 10 {
                for (offset, byte) in text.enumerated() { self[start + offset] = byte }
                return .wide
            }
        }
        for (offset, byte) in "    0.0000".utf8.enumerated() { self[start + offset] = byte }
        return .wide
    }
}

/// Returns a number of up to three digits, right-aligned in the three low bytes, with the first column in the lowest.
@inline(__always)
private func threeColumns(_ number: Int) -> UInt64 {
    let number = UInt64(truncatingIfNeeded: number)
    // For numbers of this size, a multiplication and a shift divide by ten.
    let tens = (number &* 6_554) &>> 16
    let hundreds = (tens &* 103) &>> 10
    let digits = hundreds | (tens &- hundreds &* 10) &<< 8 | (number &- tens &* 10) &<< 16
    let blanks: UInt64 = tens == 0 ? 0x1010 : hundreds == 0 ? 0x10 : 0
    return (digits | 0x30_3030) ^ blanks
}
