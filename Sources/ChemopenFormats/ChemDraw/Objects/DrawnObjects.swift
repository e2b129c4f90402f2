import ChemopenModel

/// Looks up objects by ID and kind, because one ID can refer to objects of several kinds.
///
/// The objects with the same ID form a linked list with one link for each kind, for the first object of that kind.
/// Therefore, a list is never longer than the number of kinds, even in malformed files.
struct DrawnObjects {
    enum Kind: UInt8 {
        /// A node of a molecule, and a node inside an abbreviation.
        case node, innerNode
        case bond, group, text, graphic, arrow
    }

    private struct Link {
        let object: Int32
        let kind: Kind
        var next: Int32 = -1
    }

    private var links: [Link] = []
    /// The first link of each ID.
    private var chains: IDTable

    init(of drawing: Drawing) {
        chains = IDTable(for: drawing.objects) { _ in true }
        links.reserveCapacity(drawing.objects.count)
        for (place, object) in drawing.objects.enumerated() where object.id != 0 {
            switch object.kind {
            case .node: enter(object.isInNode ? .innerNode : .node, place, object.id)
            case .bond: enter(.bond, place, object.id)
            case .graphic: enter(.graphic, place, object.id)
            case .arrow: enter(.arrow, place, object.id)
            case .group where object.isOnPage: enter(.group, place, object.id)
            case .text where !object.isInNode: enter(.text, place, object.id)
            default: break
            }
        }
    }

    private mutating func enter(_ kind: Kind, _ object: Int, _ id: UInt32) {
        let new = Int32(truncatingIfNeeded: links.count)
        var link = Int(chains[id])
        if link < 0 { chains[id] = new }
        while link >= 0 {
            if links[link].kind == kind { return }
            let next = Int(links[link].next)
            if next < 0 { links[link].next = new }
            link = next
        }
        links.append(Link(object: Int32(truncatingIfNeeded: object), kind: kind))
    }

    /// Returns the first object of a kind with an ID.
    func first(_ kind: Kind, called id: UInt32) -> Int? {
        if id == 0 { return nil }
        var link = Int(chains[id])
        while link >= 0 {
            if links[link].kind == kind { return Int(links[link].object) }
            link = Int(links[link].next)
        }
        return nil
    }
}
