// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

@c @implementation
public func chemopen_record_new(_ record: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    unsafe open(record, RecordHandle()) { _ in CHEMOPEN_OK }
}

@c @implementation
public func chemopen_record_copy(
    _ copy: UnsafeMutablePointer<OpaquePointer?>?, _ record: OpaquePointer?
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        unsafe open(copy, RecordHandle()) { handle in
            handle.record = record.record
            return CHEMOPEN_OK
        }
    }
}

@c @implementation
public func chemopen_record_close(_ record: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    unsafe close(record, RecordHandle.self)
}

@c @implementation
public func chemopen_record_error(
    _ record: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { unsafe $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_record_kind(
    _ record: OpaquePointer?, _ kind: UnsafeMutablePointer<chemopen_kind>?
) -> chemopen_status {
    guard let kind = unsafe kind else { return CHEMOPEN_MISUSE }
    unsafe kind.pointee = CHEMOPEN_DATA
    return unsafe with(record, as: RecordHandle.self) { record in
        switch record.record.subject {
        case .none: unsafe kind.pointee = CHEMOPEN_DATA
        case .molecule: unsafe kind.pointee = CHEMOPEN_MOLECULE
        case .reaction: unsafe kind.pointee = CHEMOPEN_REACTION
        }
        return CHEMOPEN_OK
    }
}

/// Lends text of a record. Returns `CHEMOPEN_ABSENT` if it does not exist.
func lend(
    _ record: OpaquePointer?, _ place: UnsafeMutablePointer<chemopen_text>?, _ find: (RecordHandle) -> chemopen_text?
) -> chemopen_status {
    guard let place = unsafe place else { return CHEMOPEN_MISUSE }
    unsafe place.pointee = unsafe chemopen_text()
    return unsafe with(record, as: RecordHandle.self) { record in
        guard let text = unsafe find(record) else { return CHEMOPEN_ABSENT }
        unsafe place.pointee = unsafe text
        return CHEMOPEN_OK
    }
}

/// Lends an array of a record. Returns `CHEMOPEN_ABSENT` if it does not exist.
func lend<Item>(
    _ record: OpaquePointer?, _ place: UnsafeMutablePointer<UnsafePointer<Item>?>?,
    _ count: UnsafeMutablePointer<Int>?,
    _ find: (RecordHandle) -> (first: UnsafePointer<Item>?, count: Int)?
) -> chemopen_status {
    guard let place = unsafe place, let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe (place.pointee, count.pointee) = (nil, 0)
    return unsafe with(record, as: RecordHandle.self) { record in
        guard let found = unsafe find(record) else { return CHEMOPEN_ABSENT }
        unsafe (place.pointee, count.pointee) = unsafe found
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_record_title(
    _ record: OpaquePointer?, _ title: UnsafeMutablePointer<chemopen_text>?
) -> chemopen_status {
    unsafe lend(record, title) { unsafe $0.lendTitle() }
}

@c @implementation
public func chemopen_record_set_title(
    _ record: OpaquePointer?, _ title: UnsafePointer<CChar>?, _ length: Int
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        guard let title = unsafe bytes(title, length) else { return record.misuse("the title is null") }
        return record.setTitle(Text(bytes: title)) ? CHEMOPEN_OK : CHEMOPEN_ABSENT
    }
}

// MARK: Fields

@c @implementation
public func chemopen_record_fields(
    _ record: OpaquePointer?, _ fields: UnsafeMutablePointer<UnsafePointer<chemopen_field>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    unsafe lend(record, fields, count) { unsafe $0.lendFields() }
}

@c @implementation
public func chemopen_record_field(
    _ record: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ nameLength: Int,
    _ value: UnsafeMutablePointer<chemopen_text>?
) -> chemopen_status {
    guard let name = unsafe bytes(name, nameLength) else { return CHEMOPEN_MISUSE }
    return unsafe lend(record, value) { record in
        let values = unsafe record.lendValues(of: name)
        return unsafe values.count > 0 ? values.first?.pointee : nil
    }
}

@c @implementation
public func chemopen_record_values_of(
    _ record: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ nameLength: Int,
    _ values: UnsafeMutablePointer<UnsafePointer<chemopen_text>?>?, _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let name = unsafe bytes(name, nameLength) else { return CHEMOPEN_MISUSE }
    return unsafe lend(record, values, count) { unsafe $0.lendValues(of: name) }
}

/// Calls a function with the name and value of a field.
private func change(
    _ record: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ nameLength: Int, _ value: UnsafePointer<CChar>?,
    _ valueLength: Int, _ body: (RecordHandle, Text, Text) -> chemopen_status
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        guard let name = unsafe bytes(name, nameLength), let value = unsafe bytes(value, valueLength) else {
            return record.misuse("the name or the value is null")
        }
        return body(record, Text(bytes: name), Text(bytes: value))
    }
}

@c @implementation
public func chemopen_record_set_field(
    _ record: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ nameLength: Int, _ value: UnsafePointer<CChar>?,
    _ valueLength: Int
) -> chemopen_status {
    unsafe change(record, name, nameLength, value, valueLength) { record, name, value in
        record.setField(name, value)
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_record_add_field(
    _ record: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ nameLength: Int, _ value: UnsafePointer<CChar>?,
    _ valueLength: Int
) -> chemopen_status {
    unsafe change(record, name, nameLength, value, valueLength) { record, name, value in
        record.beginChange()
        record.record.fields.append(name, value)
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_record_remove_field(
    _ record: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ nameLength: Int
) -> chemopen_status {
    unsafe change(record, name, nameLength, nil, 0) { record, name, _ in
        record.removeField(name) ? CHEMOPEN_OK : CHEMOPEN_ABSENT
    }
}

// MARK: Structure

@c @implementation
public func chemopen_record_atoms(
    _ record: OpaquePointer?, _ atoms: UnsafeMutablePointer<UnsafePointer<chemopen_atom>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    unsafe lend(record, atoms, count) { unsafe $0.lendAtoms() }
}

@c @implementation
public func chemopen_record_bonds(
    _ record: OpaquePointer?, _ bonds: UnsafeMutablePointer<UnsafePointer<chemopen_bond>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    unsafe lend(record, bonds, count) { unsafe $0.lendBonds() }
}

@c @implementation
public func chemopen_record_labels(
    _ record: OpaquePointer?, _ labels: UnsafeMutablePointer<UnsafePointer<chemopen_text>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    unsafe lend(record, labels, count) { unsafe $0.lendLabels() }
}

@c @implementation
public func chemopen_record_set_molecule(
    _ record: OpaquePointer?, _ atoms: UnsafePointer<chemopen_atom>?, _ atomCount: Int,
    _ bonds: UnsafePointer<chemopen_bond>?, _ bondCount: Int, _ labels: UnsafePointer<chemopen_text>?,
    _ labelCount: Int
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        guard atomCount >= 0, bondCount >= 0, labelCount >= 0, unsafe atomCount == 0 || atoms != nil,
            unsafe bondCount == 0 || bonds != nil, unsafe labelCount == 0 || labels != nil
        else { return record.misuse("the atoms, bonds or labels are null, but their count is not 0") }
        var molecule = Molecule()
        let labels = unsafe Given(labels, labelCount)
        for index in unsafe labels.indices {
            guard let text = unsafe labels[index], let label = unsafe bytes(text.bytes, text.length) else {
                return record.misuse("a label is null")
            }
            molecule.labels.append(Text(bytes: label))
        }
        let atoms = unsafe Given(atoms, atomCount)
        for index in atoms.indices {
            if let fault = atoms[index]?.join(&molecule) { return record.misuse("atom \(index): \(fault)") }
        }
        let bonds = unsafe Given(bonds, bondCount)
        for index in bonds.indices {
            if let fault = bonds[index]?.join(&molecule) { return record.misuse("bond \(index): \(fault)") }
        }
        if molecule.hasHeights { molecule.flags.insert(.threeDimensional) }
        record.set(molecule)
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_record_formula(
    _ record: OpaquePointer?, _ formula: UnsafeMutablePointer<chemopen_text>?
) -> chemopen_status {
    unsafe lend(record, formula) { unsafe $0.lendFormula() }
}

@c @implementation
public func chemopen_record_issues(
    _ record: OpaquePointer?, _ issues: UnsafeMutablePointer<UnsafePointer<chemopen_issue>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    unsafe lend(record, issues, count) { unsafe $0.lendIssues() }
}

// MARK: Text and pictures

@c @implementation
public func chemopen_record_text(
    _ record: OpaquePointer?, _ format: UnsafePointer<CChar>?, _ version: Int32,
    _ text: UnsafeMutablePointer<chemopen_text>?
) -> chemopen_status {
    guard let text = unsafe text else { return CHEMOPEN_MISUSE }
    unsafe text.pointee = unsafe chemopen_text()
    return unsafe with(record, as: RecordHandle.self) { record in
        guard let options = WriteOptions(version: version, carriageReturns: 0) else {
            return record.misuse("unknown version: \(version)")
        }
        guard let name = unsafe string(format) else { return record.misuse("the format is null") }
        guard let format = FormatRegistry.standard[name] else {
            return record.fail(CallError(CHEMOPEN_UNSUPPORTED, "unknown format: \"\(name)\""))
        }
        switch unsafe record.lendText(format, options) {
        case .success(let lent):
            unsafe text.pointee = unsafe lent
            return CHEMOPEN_OK
        case .failure(let error):
            return record.fail(CallError(error))
        }
    }
}

@c @implementation
public func chemopen_record_losses(
    _ record: OpaquePointer?, _ losses: UnsafeMutablePointer<UnsafePointer<chemopen_loss>?>?,
    _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    unsafe lend(record, losses, count) { unsafe $0.lendLosses() }
}

extension WriteOptions {
    /// Creates options from the values in the header. Returns `nil` for an unknown version.
    init?(version: Int32, carriageReturns: Int32) {
        self.init()
        switch version {
        case 0: self.version = .asNeeded
        case 2000: self.version = .v2000
        case 3000: self.version = .v3000
        default: return nil
        }
        self.carriageReturns = carriageReturns != 0
    }
}

@c @implementation
public func chemopen_record_svg(
    _ record: OpaquePointer?, _ options: UnsafePointer<chemopen_draw_options>?,
    _ svg: UnsafeMutablePointer<chemopen_text>?
) -> chemopen_status {
    unsafe lend(record, svg) { record in
        guard let taken = unsafe given(options) else {
            _ = record.misuse("the size of the options is not valid")
            return nil
        }
        var style = Picture.Style(taken.is_dark != 0 ? .dark : .light, hasColors: taken.has_colors != 0)
        style.expandsAbbreviations = taken.expands_abbreviations != 0
        func size(_ wanted: Double) -> Double? { wanted > 0 && wanted < 1e6 ? wanted : nil }
        return unsafe record.lendPicture(style, width: size(taken.width), height: size(taken.height))
    }
}
