// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

extension chemopen_atom {
    /// Adds the atom to a molecule. Returns an error message if it is not valid.
    func join(_ molecule: inout Molecule) -> String? {
        guard molecule.atoms.count + 1 < Bond.atomLimit else { return "too many atoms" }
        var atom = Atom(.none, at: Position())
        if let fault = write(to: &atom, labels: molecule.labels.count) { return fault }
        molecule.atoms.append(atom)
        if atom.element == .none, label == -1 { molecule.setLabel("*", ofAtom: molecule.atoms.count - 1) }
        return nil
    }

    /// Sets the properties of an atom. Returns an error message if they are not valid.
    fileprivate func write(to atom: inout Atom, labels: Int) -> String? {
        guard x.isFinite, y.isFinite, z.isFinite else { return "a coordinate is not finite" }
        guard let element = UInt8(exactly: self.element).flatMap({ ChemicalElement(rawValue: $0) }) else {
            return "unknown atomic number: \(self.element)"
        }
        guard label == -1 || (0..<labels).contains(Int(label)) else { return "there is no label \(label)" }
        guard let charge = Int16(exactly: self.charge), let isotope = UInt16(exactly: self.isotope),
            (0...100).contains(radical), (-1...100).contains(hydrogens), map_number >= 0
        else { return "the charge, isotope, radical, hydrogen count or map number is out of range" }
        atom.element = element
        atom.position = Position(x, y, z)
        atom.label = label
        atom.charge = charge
        atom.isotope = isotope
        atom.radical = .unpaired(Int(radical))
        atom.hydrogens = hydrogens < 0 ? .unstated : .fixed(Int(hydrogens))
        atom.mapNumber = map_number
        return nil
    }
}

extension chemopen_bond {
    /// Adds the bond to a molecule. Returns an error message if it is not valid.
    func join(_ molecule: inout Molecule) -> String? {
        if let fault = fault(amongAtoms: molecule.atoms.count) { return fault }
        var bond = Bond(Int(from), Int(to), .single)
        if let fault = write(to: &bond) { return fault }
        molecule.bonds.append(bond)
        return nil
    }

    private func fault(amongAtoms count: Int) -> String? {
        guard (0..<count).contains(Int(from)), (0..<count).contains(Int(to)) else {
            return "one of its atoms does not exist"
        }
        return from == to ? "it connects an atom with itself" : nil
    }

    private func write(to bond: inout Bond) -> String? {
        guard let order = UInt8(exactly: self.order).flatMap({ Bond.Order(rawValue: $0) }),
            let mark = UInt8(exactly: self.mark).flatMap({ Bond.Mark(rawValue: $0) })
        else { return "unknown order or mark" }
        bond.order = order
        bond.mark = mark
        return nil
    }

    /// Sets the properties of an existing bond. Returns an error message if they are not valid.
    fileprivate func replace(_ bond: inout Bond, amongAtoms count: Int) -> String? {
        if let fault = fault(amongAtoms: count) { return fault }
        if let fault = write(to: &bond) { return fault }
        (bond.from, bond.to) = (from, to)
        return nil
    }
}

/// Changes the molecule of a record. The record stays unchanged if the function returns an error message.
private func edit(
    _ record: OpaquePointer?, creates: Bool = false, _ change: (inout Molecule) -> String?
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        var molecule: Molecule
        switch record.record.subject {
        case .molecule(let known): molecule = known
        case .none where creates: molecule = Molecule()
        default: return record.fail(CallError(CHEMOPEN_ABSENT, "the record is not a molecule"))
        }
        if let fault = change(&molecule) { return record.misuse(fault) }
        record.beginChange()
        record.record.subject = .molecule(molecule)
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_record_set_atoms(
    _ record: OpaquePointer?, _ atoms: UnsafePointer<chemopen_atom>?, _ count: Int
) -> chemopen_status {
    unsafe edit(record) { molecule in
        guard count == molecule.atoms.count, unsafe count == 0 || atoms != nil else {
            return "expected \(molecule.atoms.count) atoms, found \(count)"
        }
        let hydrogens = molecule.hydrogenCounts()
        let given = unsafe Given(atoms, count)
        for index in given.indices {
            guard let atom = given[index] else { continue }
            let (before, radical) = (molecule.atoms[index].hydrogens, molecule.atoms[index].radical)
            if let fault = atom.write(to: &molecule.atoms[index], labels: molecule.labels.count) {
                return "atom \(index): \(fault)"
            }
            if Int(atom.hydrogens) == hydrogens[index] { molecule.atoms[index].hydrogens = before }
            // The number of electrons does not distinguish a singlet from a triplet.
            if Int(atom.radical) == radical.unpairedElectrons { molecule.atoms[index].radical = radical }
            if atom.element == 0, atom.label == -1 { molecule.setLabel("*", ofAtom: index) }
        }
        if molecule.hasHeights { molecule.flags.insert(.threeDimensional) }
        molecule.flags.remove(.withoutCoordinates)
        return nil
    }
}

@c @implementation
public func chemopen_record_set_bonds(
    _ record: OpaquePointer?, _ bonds: UnsafePointer<chemopen_bond>?, _ count: Int
) -> chemopen_status {
    unsafe edit(record) { molecule in
        guard count == molecule.bonds.count, unsafe count == 0 || bonds != nil else {
            return "expected \(molecule.bonds.count) bonds, found \(count)"
        }
        let given = unsafe Given(bonds, count)
        for index in given.indices {
            let atoms = molecule.atoms.count
            if let fault = given[index]?.replace(&molecule.bonds[index], amongAtoms: atoms) {
                return "bond \(index): \(fault)"
            }
        }
        return nil
    }
}

@c @implementation
public func chemopen_record_add_atom(
    _ record: OpaquePointer?, _ atom: UnsafePointer<chemopen_atom>?
) -> chemopen_status {
    unsafe edit(record, creates: true) { molecule in
        guard let atom = unsafe atom?.pointee else { return "the atom is null" }
        return atom.join(&molecule)
    }
}

@c @implementation
public func chemopen_record_add_bond(
    _ record: OpaquePointer?, _ bond: UnsafePointer<chemopen_bond>?
) -> chemopen_status {
    unsafe edit(record) { molecule in
        guard let bond = unsafe bond?.pointee else { return "the bond is null" }
        return bond.join(&molecule)
    }
}

/// Returns the caller's indices, or an error message if one of them is not valid.
private func indices(_ list: UnsafePointer<Int32>?, _ count: Int, below limit: Int) -> Result<[Int], CallError> {
    guard count >= 0, unsafe count == 0 || list != nil else {
        return .failure(CallError(CHEMOPEN_MISUSE, "the indices are null, but their count is not 0"))
    }
    var indices: [Int] = []
    let given = unsafe Given(list, count)
    for place in given.indices {
        guard let index = given[place].map(Int.init), (0..<limit).contains(index) else {
            return .failure(CallError(CHEMOPEN_MISUSE, "there is no index \(given[place] ?? -1)"))
        }
        indices.append(index)
    }
    return .success(indices)
}

@c @implementation
public func chemopen_record_remove_atoms(
    _ record: OpaquePointer?, _ list: UnsafePointer<Int32>?, _ count: Int
) -> chemopen_status {
    unsafe edit(record) { molecule in
        switch unsafe indices(list, count, below: molecule.atoms.count) {
        case .failure(let error): return error.message
        case .success(let indices): molecule.removeAtoms(indices)
        }
        return nil
    }
}

@c @implementation
public func chemopen_record_remove_bonds(
    _ record: OpaquePointer?, _ list: UnsafePointer<Int32>?, _ count: Int
) -> chemopen_status {
    unsafe edit(record) { molecule in
        switch unsafe indices(list, count, below: molecule.bonds.count) {
        case .failure(let error): return error.message
        case .success(let indices): molecule.removeBonds(indices)
        }
        return nil
    }
}

@c @implementation
public func chemopen_record_remove_structure(_ record: OpaquePointer?) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        record.beginChange()
        record.record.subject = .none
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_record_equal(
    _ record: OpaquePointer?, _ other: OpaquePointer?, _ answer: UnsafeMutablePointer<Int32>?
) -> chemopen_status {
    guard let answer = unsafe answer else { return CHEMOPEN_MISUSE }
    unsafe answer.pointee = 0
    if unsafe record != nil && record == other {
        unsafe answer.pointee = 1
        return CHEMOPEN_OK
    }
    return unsafe with(record, as: RecordHandle.self) { record in
        unsafe with(other, as: RecordHandle.self) { other in
            unsafe answer.pointee = record.record == other.record ? 1 : 0
            return CHEMOPEN_OK
        }
    }
}

// MARK: Text

extension Record {
    /// Parses a text that contains a single record, and returns it with the issues in the text.
    ///
    /// If no format is specified and none is detected, a single line is read as SMILES.
    static func parsed(_ bytes: [UInt8], as format: Format?) throws(CallError) -> (record: Record, issues: [Issue]) {
        var record = Record()
        var issues: [Issue] = []
        var count = 0
        do throws(ReadError) {
            var stream = try RecordStream.open(memory(bytes), as: Self.format(format, of: bytes))
            if try stream.read(into: &record) {
                issues = stream.issues
                count = try hasNext(&stream) ? 2 : 1
            }
        } catch {
            throw CallError(error)
        }
        switch count {
        case 0: throw CallError(CHEMOPEN_ABSENT, "the text contains no record")
        case 1: return (record, issues)
        default: throw CallError(CHEMOPEN_UNSUPPORTED, "the text contains more than one record")
        }
    }

    private static func memory(_ bytes: [UInt8]) throws(ReadError) -> ByteSource {
        do throws(FileError) {
            return try ByteSource(bytes, name: "text")
        } catch {
            throw ReadError(error)
        }
    }

    private static func format(_ known: Format?, of bytes: [UInt8]) throws(ReadError) -> Format {
        if let known { return known }
        do throws(ReadError) {
            var source = try memory(bytes)
            return try source.identified(as: nil).format
        } catch {
            let isLine = !bytes.isEmpty && !bytes.dropLast().contains(UInt8(ascii: "\n"))
            if case .unrecognized = error.kind, isLine { return .smiles }
            throw error
        }
    }

    /// Returns whether another record follows, even an unreadable one.
    private static func hasNext(_ stream: inout RecordStream) throws(ReadError) -> Bool {
        do throws(ReadError) {
            var other = Record()
            return try stream.read(into: &other)
        } catch {
            if case .file = error.kind { throw error }
            return true
        }
    }
}

@c @implementation
public func chemopen_record_parse(
    _ record: OpaquePointer?, _ text: UnsafeRawPointer?, _ length: Int, _ format: UnsafePointer<CChar>?
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        guard let text = unsafe bytes(text?.assumingMemoryBound(to: CChar.self), length) else {
            return record.misuse("the text is null")
        }
        guard let format = unsafe Format.named(format) else {
            return record.fail(CallError(CHEMOPEN_UNSUPPORTED, unsafe "unknown format: \"\(string(format) ?? "")\""))
        }
        do throws(CallError) {
            let parsed = try Record.parsed(text, as: format)
            record.beginChange()
            record.record = parsed.record
            record.lend(parsed.issues)
            return CHEMOPEN_OK
        } catch {
            return record.fail(error)
        }
    }
}
