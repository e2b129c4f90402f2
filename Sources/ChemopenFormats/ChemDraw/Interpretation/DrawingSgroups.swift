import ChemopenModel

/// Converts brackets with a stated usage to Sgroups of the molecule that they enclose.
struct DrawingBrackets {
    let drawing: Drawing
    let scale: DrawingScale
    let places: DrawingPlaces

    /// Returns the Sgroups of each molecule, outer ones first; `parent` is an index in the molecule's list. Also
    /// returns the objects from which they were created, and whether all brackets were read: the number of atoms is
    /// limited.
    func groups() -> (groups: [Int: [Sgroup]], made: Set<Int>, isWhole: Bool) {
        var groups: [Int: [Sgroup]] = [:]
        var made: Set<Int> = []
        var placesByObject: [Int: [Int: Int]] = [:]
        var atomsLeft = 1_000_000
        for object in drawing.others where drawing.kind(of: object) == .bracketedGroup {
            guard let usage = Usage(rawValue: drawing.integer(.bracketUsage, of: object) ?? 0) else { continue }
            if isOwn(object) {
                made.formUnion([object] + graphics(of: object))
                continue
            }
            var named: [(molecule: Int, atom: Int)] = []
            for id in drawing.identifiers(.bracketedObjects, of: object) {
                let more = places.atoms(within: id)
                atomsLeft -= more.count
                if atomsLeft < 0 { return (groups, made, false) }
                named += more
            }
            if !named.isEmpty { made.formUnion([object] + graphics(of: object)) }
            named.sort { ($0.molecule, $0.atom) < ($1.molecule, $1.atom) }
            var rest = named[...]
            while let molecule = rest.first?.molecule {
                let own = rest.prefix { $0.molecule == molecule }
                rest = rest[own.endIndex...]
                var sgroup = Sgroup(usage.kind)
                sgroup.subtype = usage.subtype
                for (_, atom) in own where sgroup.atoms.last != Int32(clamping: atom) {
                    sgroup.atoms.append(Int32(clamping: atom))
                }
                describe(&sgroup, usage, object)
                addBrackets(&sgroup, object)
                let parent = drawing.objects[object].parent
                if parent >= 0, let place = placesByObject[parent]?[molecule] { sgroup.parent = Int32(clamping: place) }
                placesByObject[object, default: [:]][molecule] = groups[molecule]?.count ?? 0
                groups[molecule, default: []].append(sgroup)
            }
        }
        return (groups, made, true)
    }

    /// Returns the drawn brackets of a group.
    private func graphics(of object: Int) -> [Int] {
        drawing.children(of: object, .bracketAttachment).compactMap { attachment in
            drawing.identifier(.graphicID, of: attachment).flatMap { places.graphic(called: $0) }
        }
    }

    /// Whether Chemopen wrote the brackets, in which case the nodes already specify the Sgroup.
    private func isOwn(_ object: Int) -> Bool {
        graphics(of: object).contains { drawing.ownStatement(in: $0)?.isBracket == true }
    }

    private func describe(_ sgroup: inout Sgroup, _ usage: Usage, _ object: Int) {
        switch usage {
        case .multiple:
            let count = drawing.real(.repeatCount, of: object) ?? 1
            if count >= 0, count < 1_000_000 { sgroup.label = Text("\(Int(count.rounded()))") }
            sgroup.parentAtoms = sgroup.atoms
        case .repeatingUnit:
            sgroup.label = drawing.text(.repeatLabel, of: object) ?? "n"
        default:
            sgroup.label = drawing.text(.repeatLabel, of: object) ?? ""
        }
        if usage.isPolymer, let pattern = drawing.integer(.repeatPattern, of: object) {
            sgroup.connectivity = pattern == 0 ? "HT" : pattern == 1 ? "HH" : "EU"
        }
        if usage == .component, let order = drawing.integer(.componentOrder, of: object), order > 0 {
            sgroup.componentNumber = Int32(clamping: order)
        }
    }

    /// Adds the drawn brackets. Each bracket runs along the center of its box.
    private func addBrackets(_ sgroup: inout Sgroup, _ object: Int) {
        for graphic in graphics(of: object) {
            guard let box = drawing.box(.boundingBox, of: graphic)?.upright else { continue }
            let type = drawing.integer(.bracketType, of: graphic) ?? 0
            sgroup.bracketStyle = type == 0 || type == 5 ? .round : .square
            let isLeft = sgroup.brackets.isEmpty
            let upper = scale.place(Position(box.center.x, box.top))
            let lower = scale.place(Position(box.center.x, box.bottom))
            sgroup.brackets.append(.init(from: isLeft ? lower : upper, to: isLeft ? upper : lower))
        }
    }

    /// Returns the CDX number for the brackets of an Sgroup; nil if there is none.
    static func usage(of sgroup: Sgroup) -> Int? {
        let last = Usage.anyPolymer.rawValue
        return (Usage.repeatingUnit.rawValue...last).first { number in
            guard let usage = Usage(rawValue: number) else { return false }
            return usage.kind == sgroup.kind && usage.subtype == (usage.kind == .copolymer ? sgroup.subtype : "")
        }
    }

    /// The usage of brackets.
    private enum Usage: Int {
        case repeatingUnit = 3
        case monomer, mer, copolymer, alternating, random, block, crosslink, graft, modification, component
        case mixture, formulation, multiple, generic, anyPolymer
        case unspecified = 0

        var kind: Sgroup.Kind {
            switch self {
            case .repeatingUnit: .repeatingUnit
            case .monomer: .monomer
            case .mer: .mer
            case .copolymer, .alternating, .random, .block: .copolymer
            case .crosslink: .crosslink
            case .graft: .graft
            case .modification: .modification
            case .component: .component
            case .mixture: .mixture
            case .formulation: .formulation
            case .multiple: .multiple
            case .generic, .unspecified: .generic
            case .anyPolymer: .anyPolymer
            }
        }

        var subtype: Text {
            switch self {
            case .alternating: "ALT"
            case .random: "RAN"
            case .block: "BLO"
            default: ""
            }
        }

        var isPolymer: Bool {
            switch self {
            case .repeatingUnit, .copolymer, .alternating, .random, .block, .crosslink, .graft, .modification: true
            default: false
            }
        }
    }
}

/// Finds the bonds that cross the boundary of a set of atoms.
struct CrossingBonds {
    private var around: [[Int32]]
    private let bonds: [Bond]

    init(of molecule: Molecule) {
        around = Array(repeating: [], count: molecule.atoms.count)
        bonds = molecule.bonds
        for (place, bond) in bonds.enumerated() {
            around[Int(bond.from)].append(Int32(clamping: place))
            around[Int(bond.to)].append(Int32(clamping: place))
        }
    }

    /// Returns the bonds with exactly one end in a set of atoms.
    func bonds(around atoms: [Int32]) -> [Int32] {
        let inside = Set(atoms)
        var crossing: [Int32] = []
        for atom in atoms {
            for place in around[Int(atom)] {
                let bond = bonds[Int(place)]
                if inside.contains(bond.from) != inside.contains(bond.to) { crossing.append(place) }
            }
        }
        return crossing.sorted()
    }
}
