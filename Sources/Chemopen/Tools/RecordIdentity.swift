/// A rule that determines which records are duplicates.
public enum RecordIdentity: Sendable, Hashable {
    /// The same structure: the same canonical SMILES with its extensions, after abbreviations are expanded.
    ///
    /// Isotopes, charges, radicals and configurations matter; coordinates, names, labels without a meaning, and the
    /// drawing of nitro groups, aromatic rings and explicit hydrogens do not. A structure with content that SMILES
    /// cannot store, such as atom lists, R groups or polymer brackets, is equal only to structures with the same
    /// content and coordinates. Tautomers, and salts with and without their counterions, are different structures.
    case structure
    /// The same text of a field or a computed value, such as `inchikey`.
    case value(RecordFact)

    /// The reason why the rule cannot be applied on this machine, or `nil` if it can.
    public var problem: String? { if case .value(let fact) = self { fact.problem } else { nil } }

    var readsStructure: Bool { if case .value(let fact) = self { fact.readsStructure } else { true } }
}

/// A source of texts that are equal for equal records.
struct IdentityText: ~Copyable {
    private let identity: RecordIdentity
    private var writer: (any RecordWriter & ~Copyable)?

    init(_ identity: RecordIdentity) throws(Conversion.Failure) {
        self.identity = identity
        writer = nil
        guard identity == .structure else { return }
        var options = WriteOptions()
        (options.isCanonical, options.isPiece) = (true, true)
        do throws(WriteError) {
            writer = .some(try Format.smiles.makeWriter(ByteSink(), options))
        } catch {
            throw .write(error)
        }
    }

    /// Returns the text of a record, or `nil` if it has no identity. The record may be modified.
    mutating func text(
        of record: inout Record, _ context: RecordFilter.Context
    ) throws(Conversion.Failure) -> [UInt8]? {
        guard case .value(let fact) = identity else { return try structure(of: &record) }
        return fact.text(in: record, context)
    }

    private mutating func structure(of record: inout Record) throws(Conversion.Failure) -> [UInt8]? {
        switch record.subject {
        case .none: return nil
        case .molecule(let molecule): if molecule.atoms.isEmpty { return nil }
        case .reaction(let reaction): if reaction.components.isEmpty { return nil }
        }
        record.fields.removeAll()
        record.registry.removeAll(keepingCapacity: true)
        record.verbatim.removeAll(keepingCapacity: true)
        record.setName([])
        record.expandAbbreviations()
        do throws(WriteError) {
            guard let report = try writer?.write(record), var line = writer?.takeBytes() else { return nil }
            if let end = line.firstIndex(where: { $0 == Ascii.tab || $0 == Ascii.lineFeed }) {
                line.removeSubrange(end...)
            }
            if report.losses.contains(where: { Self.ofStructures.contains($0.feature) }) {
                var hasher = Hasher()
                hasher.combine(record.subject)
                line.append(Ascii.tab)
                line.appendHex(UInt64(bitPattern: Int64(hasher.finalize())))
            }
            return line
        } catch {
            throw .write(error)
        }
    }

    /// The features that distinguish structures even if SMILES cannot store them.
    private static let ofStructures: Set<Feature> = [
        .radicals, .radicalMultiplicity, .hydrogenCounts, .valences, .bonds, .zeroOrderBonds, .higherOrders,
        .queryBonds, .dativeBonds, .hydrogenBonds, .multicenterBonds, .stereoGroups, .sgroups, .atomLists, .queryAtoms,
        .bondTopology, .linkNodes, .rgroups, .rgroupLogic, .attachmentPoints, .agents, .severalSteps, .stoichiometry,
        .templates,
    ]
}

/// A table of texts that stores only their hashes, of 96 bits each, and their indices.
struct DigestTable {
    private var keys: [UInt64] = []
    private var checks: [UInt32] = []
    /// The indices, if they are stored.
    private var indices: [UInt32] = []
    private let keepsIndices: Bool
    private(set) var count = 0
    private let hashes = (KeyedHash(), KeyedHash())

    init(keepsIndices: Bool) {
        self.keepsIndices = keepsIndices
    }

    /// Adds a text. Returns whether it is new, and the number of new texts before its first occurrence.
    mutating func insert(_ text: [UInt8]) -> (isNew: Bool, index: Int) {
        if count * 4 >= keys.count * 3 { grow() }
        let key = max(1, hashes.0(text.span))
        let check = UInt32(truncatingIfNeeded: hashes.1(text.span))
        let slot = slot(key, check)
        if keys[slot] != 0 { return (false, keepsIndices ? Int(indices[slot]) : 0) }
        (keys[slot], checks[slot]) = (key, check)
        if keepsIndices { indices[slot] = UInt32(clamping: count) }
        count += 1
        return (true, count - 1)
    }

    /// Returns the index of a text, or `nil` if it was not added.
    func find(_ text: [UInt8]) -> Int? {
        if count == 0 { return nil }
        let slot = slot(max(1, hashes.0(text.span)), UInt32(truncatingIfNeeded: hashes.1(text.span)))
        return keys[slot] == 0 || !keepsIndices ? nil : Int(indices[slot])
    }

    private func slot(_ key: UInt64, _ check: UInt32) -> Int {
        let mask = keys.count - 1
        var slot = Int(truncatingIfNeeded: key >> 8) & mask
        while keys[slot] != 0, keys[slot] != key || checks[slot] != check { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = (keys, checks, indices)
        let size = max(64, keys.count * 2)
        keys = Array(repeating: 0, count: size)
        checks = Array(repeating: 0, count: size)
        if keepsIndices { indices = Array(repeating: 0, count: size) }
        for place in old.0.indices where old.0[place] != 0 {
            let slot = slot(old.0[place], old.1[place])
            (keys[slot], checks[slot]) = (old.0[place], old.1[place])
            if keepsIndices { indices[slot] = old.2[place] }
        }
    }
}
