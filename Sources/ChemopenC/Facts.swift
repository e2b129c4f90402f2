// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// The values that can be computed, as C structures, created once.
@safe
private enum FactTable {
    nonisolated(unsafe) static let entries: UnsafeBufferPointer<chemopen_fact> = unsafe make()

    private static func make() -> UnsafeBufferPointer<chemopen_fact> {
        var facts = ComputedFields.descriptions.map { ($0.name, TableColumn.Kind($0.kind).rawValue, $0.meaning) }
        for form in StructureForm.allCases { facts.append((form.rawValue, "string", form.meaning)) }
        let place = UnsafeMutableBufferPointer<chemopen_fact>.allocate(capacity: facts.count)
        for (index, fact) in facts.enumerated() {
            let entry = unsafe chemopen_fact(
                name: immortal(fact.0), type: immortal(fact.1), meaning: immortal(fact.2))
            unsafe place.initializeElement(at: index, to: entry)
        }
        return UnsafeBufferPointer(place)
    }
}

@c @implementation
public func chemopen_facts(
    _ facts: UnsafeMutablePointer<UnsafePointer<chemopen_fact>?>?, _ count: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let facts = unsafe facts, let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe facts.pointee = unsafe FactTable.entries.baseAddress
    unsafe count.pointee = unsafe FactTable.entries.count
    return CHEMOPEN_OK
}

extension ComputedFields {
    /// Creates a list of values from their names, with an error message for callers.
    static func given(_ names: [String]) throws(CallError) -> ComputedFields {
        let values: ComputedFields
        do throws(UnknownName) {
            values = try ComputedFields(names)
        } catch {
            let known = ComputedFields.names + StructureForm.allCases.map(\.rawValue)
            throw CallError(
                CHEMOPEN_MISUSE,
                "no value \"\(Text(error.name).shown)\" can be computed" + suggestion(for: error.name, among: known))
        }
        if let problem = values.problem { throw CallError(CHEMOPEN_UNSUPPORTED, problem) }
        return values
    }
}

@c @implementation
public func chemopen_record_value(
    _ record: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ value: UnsafeMutablePointer<chemopen_text>?
) -> chemopen_status {
    guard let value = unsafe value else { return CHEMOPEN_MISUSE }
    unsafe value.pointee = unsafe chemopen_text()
    return unsafe with(record, as: RecordHandle.self) { record in
        guard let name = unsafe string(name) else { return record.misuse("the name is null") }
        if let form = StructureForm(rawValue: name) {
            guard let (bytes, report) = form.text(of: record.record) else { return CHEMOPEN_ABSENT }
            unsafe value.pointee = unsafe record.lendValue(bytes, report)
            return CHEMOPEN_OK
        }
        do throws(CallError) {
            let texts = try ComputedFields.given([name]).texts(of: record.record).first ?? []
            if texts.isEmpty { return CHEMOPEN_ABSENT }
            let bytes = Array(texts.joined(separator: [UInt8(ascii: "\n")]))
            unsafe value.pointee = unsafe record.lendValue(bytes, WriteReport())
            return CHEMOPEN_OK
        } catch {
            return record.fail(error)
        }
    }
}
