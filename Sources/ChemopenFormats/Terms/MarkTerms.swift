import ChemopenModel

/// An atom property that the model stores in a bit or a byte of each atom: its keyword in V3000 and its representation
/// in the model.
struct MarkTerm: Sendable {
    let feature: Feature
    /// The key in JSON.
    let name: StaticString
    let column: AtomColumn?
    let key: V3000Keyword
    /// The supported values, with 0 for "not set". Any other value is preserved verbatim.
    let range: ClosedRange<Int>
    let get: @Sendable (Atom) -> Int
    let set: @Sendable (inout Atom, Int) -> Void
}

extension MarkTerm {
    /// The properties written after the charge, and the properties written after the valence.
    static let first: [MarkTerm] = [
        MarkTerm(feature: .radicals, name: "radical", column: nil, key: .radical, range: 0...128) {
            $0.radical.mdlCode
        } set: {
            $0.radical = Radical(mdlCode: $1)
        },
        MarkTerm(feature: .parities, name: "parity", column: .parity, key: .configuration, range: 0...3) {
            $0.marks.parity
        } set: {
            $0.marks.parity = $1
        },
    ]
    static let others: [MarkTerm] = [
        MarkTerm(feature: .queryAtoms, name: "stereo_care", column: .stereoCare, key: .stereoBox, range: 0...1) {
            $0.marks.contains(.stereoCare) ? 1 : 0
        } set: {
            if $1 > 0 { $0.marks.insert(.stereoCare) }
        },
        MarkTerm(feature: .reactionMarks, name: "inversion", column: .inversion, key: .inversion, range: 0...2) {
            $0.marks.contains(.inverts) ? 1 : $0.marks.contains(.retains) ? 2 : 0
        } set: {
            if $1 > 0 { $0.marks.insert($1 == 1 ? .inverts : .retains) }
        },
        MarkTerm(feature: .reactionMarks, name: "exact_change", column: .exactChange, key: .exactChange, range: 0...1) {
            $0.marks.contains(.exactChange) ? 1 : 0
        } set: {
            if $1 > 0 { $0.marks.insert(.exactChange) }
        },
    ]

    static func term(ofKey key: V3000Keyword) -> MarkTerm? {
        others.first { $0.key == key } ?? first.first { $0.key == key }
    }
}
