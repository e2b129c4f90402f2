// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

/// A substructure pattern.
@safe
final class PatternHandle: Handle {
    private var filter: StructureFilter?
    private var search: SubstructureSearch?
    private var atoms = LentMemory<Int32>()

    func begin(_ make: () throws(CallError) -> SMARTSPattern) -> chemopen_status {
        do throws(CallError) {
            let pattern = try make()
            filter = StructureFilter([pattern])
            search = SubstructureSearch(pattern)
            return CHEMOPEN_OK
        } catch {
            return fail(error)
        }
    }

    /// Returns whether the pattern is found, or `nil` if this is unknown.
    func finds(in record: Record) -> Bool? {
        let before = filter?.abandoned
        let isFound = filter?.finds(in: record) ?? false
        return filter?.abandoned == before ? isFound : nil
    }

    var isOpen: Bool { search != nil }
    var isReaction: Bool { search?.pattern.isReaction ?? false }

    /// Finds all matches and lends their atoms. Returns whether the list is complete.
    func match(_ molecule: Molecule, atMost most: Int) -> Bool {
        let matches = search?.matches(in: molecule, atMost: most) ?? []
        (size, count) = (matches.first?.count ?? 0, matches.count)
        atoms.empty(for: size * count)
        for match in matches {
            for atom in match { atoms.append(Int32(clamping: atom)) }
        }
        return search?.gaveUp != true
    }

    private(set) var size = 0
    private(set) var count = 0
    var pointer: UnsafePointer<Int32>? { unsafe atoms.pointer }

    static let tooLong = CallError(CHEMOPEN_UNSUPPORTED, "the search reached its limit")
}

@c @implementation
public func chemopen_pattern_new(
    _ pattern: UnsafeMutablePointer<OpaquePointer?>?, _ smarts: UnsafePointer<CChar>?
) -> chemopen_status {
    unsafe open(pattern, PatternHandle()) { handle in
        guard let text = unsafe string(smarts) else { return handle.misuse("the pattern is null") }
        return handle.begin { () throws(CallError) in
            do throws(SMARTSError) {
                return try SMARTSPattern(text)
            } catch {
                var failure = CallError(CHEMOPEN_UNSUPPORTED, error.message)
                failure.columns = error.range.lowerBound + 1..<error.range.upperBound + 1
                throw failure
            }
        }
    }
}

@c @implementation
public func chemopen_pattern_of_record(
    _ pattern: UnsafeMutablePointer<OpaquePointer?>?, _ record: OpaquePointer?, _ isExact: Int32
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        unsafe open(pattern, PatternHandle()) { handle in
            var whole = record.record
            whole.expandAbbreviations()
            return handle.begin { () throws(CallError) in try structurePattern(of: whole, isExact: isExact != 0) }
        }
    }
}

private func structurePattern(of record: Record, isExact: Bool) throws(CallError) -> SMARTSPattern {
    do throws(DrawnPatternError) {
        switch record.subject {
        case .molecule(let molecule) where !molecule.atoms.isEmpty:
            return isExact ? SMARTSPattern(exactly: molecule) : try SMARTSPattern(drawn: molecule)
        case .reaction(let reaction):
            return isExact ? try SMARTSPattern(exactly: reaction) : try SMARTSPattern(drawn: reaction)
        case .molecule, .none: break
        }
    } catch {
        throw CallError(CHEMOPEN_UNSUPPORTED, "\(error)")
    }
    throw CallError(CHEMOPEN_ABSENT, "the record has no structure with atoms")
}

@c @implementation
public func chemopen_pattern_finds(
    _ pattern: OpaquePointer?, _ record: OpaquePointer?, _ isFound: UnsafeMutablePointer<Int32>?
) -> chemopen_status {
    guard let isFound = unsafe isFound else { return CHEMOPEN_MISUSE }
    unsafe isFound.pointee = 0
    return unsafe with(pattern, as: PatternHandle.self) { pattern in
        unsafe with(record, as: RecordHandle.self) { record in
            guard pattern.isOpen else { return pattern.misuse("the pattern is not valid") }
            guard let answer = pattern.finds(in: record.record) else { return pattern.fail(PatternHandle.tooLong) }
            unsafe isFound.pointee = answer ? 1 : 0
            return CHEMOPEN_OK
        }
    }
}

@c @implementation
public func chemopen_pattern_matches(
    _ pattern: OpaquePointer?, _ record: OpaquePointer?, _ most: Int,
    _ atoms: UnsafeMutablePointer<UnsafePointer<Int32>?>?, _ atomCount: UnsafeMutablePointer<Int>?,
    _ matchCount: UnsafeMutablePointer<Int>?
) -> chemopen_status {
    guard let atoms = unsafe atoms, let atomCount = unsafe atomCount, let matchCount = unsafe matchCount else {
        return CHEMOPEN_MISUSE
    }
    unsafe (atoms.pointee, atomCount.pointee, matchCount.pointee) = (nil, 0, 0)
    return unsafe with(pattern, as: PatternHandle.self) { pattern in
        unsafe with(record, as: RecordHandle.self) { record in
            guard pattern.isOpen, most >= 0 else { return pattern.misuse("the pattern or the limit is not valid") }
            if pattern.isReaction {
                return pattern.misuse("a reaction pattern has no matches of atoms; use chemopen_pattern_finds")
            }
            guard case .molecule(let molecule) = record.record.subject else { return CHEMOPEN_ABSENT }
            let isComplete = pattern.match(molecule, atMost: most == 0 ? 1000 : most)
            unsafe (atoms.pointee, atomCount.pointee, matchCount.pointee) = unsafe (
                pattern.pointer, pattern.size, pattern.count
            )
            return isComplete ? CHEMOPEN_OK : pattern.fail(PatternHandle.tooLong)
        }
    }
}

@c @implementation
public func chemopen_pattern_error(
    _ pattern: OpaquePointer?, _ error: UnsafeMutablePointer<chemopen_error>?
) -> chemopen_status {
    unsafe with(pattern, as: PatternHandle.self) { unsafe $0.lendFailure(to: error) }
}

@c @implementation
public func chemopen_pattern_close(_ pattern: UnsafeMutablePointer<OpaquePointer?>?) -> chemopen_status {
    unsafe close(pattern, PatternHandle.self)
}
