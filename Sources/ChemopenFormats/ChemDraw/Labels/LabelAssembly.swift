import ChemopenModel

/// Combines the units of a label in every way that satisfies all valences, and selects the best structure.
///
/// The units form a chain. Terminal units, such as `H3`, `Cl` and `Et`, and brackets are bonded to the preceding
/// atom, and an oxygen can be attached to it with a double bond: `CO2Et`.
struct LabelAssembly {
    /// An atom or a group of the structure.
    struct Site {
        enum Kind: Equatable {
            case atom(ChemicalElement, isotope: Int)
            case group(String, bonds: Int)
        }

        var kind: Kind
        var charge = 0
        var hydrogens = 0
        /// The sum of its bond orders.
        var bonds = 0
    }

    struct Link {
        var from: Int
        var to: Int
        var order: Int
    }

    struct State {
        var sites: [Site] = []
        var links: [Link] = []
        /// The current end of the chain.
        fileprivate var current: Int?
        /// The terminal units that precede their atom.
        fileprivate var pending: [LabelUnit] = []
        /// The order of a bond that is written before the next unit.
        fileprivate var order = 0
        /// The site of the bonds that lead out of the label.
        var joint: Int?
    }

    /// The end of the chain that is bonded to the label's neighbors.
    enum Attachment { case first, last, none }

    private let attachment: Attachment
    /// The sum of the orders of the bonds that lead out of the label.
    private let outer: Int
    private let charge: Int
    private var stepsLeft = 1500
    /// Structures with a higher cost are rejected.
    private static let mostCost = 4
    private var found: (cost: Int, state: State)?
    /// Whether another structure has the same cost.
    private var isAmbiguous = false

    private init(_ attachment: Attachment, outer: Int, charge: Int) {
        self.attachment = attachment
        self.outer = outer
        self.charge = charge
    }

    /// The result of an assembly.
    enum Answer {
        case only(State)
        /// Several structures have the same cost, or there are too many combinations to try.
        case several
        case none
    }

    /// Returns the best structure, if it is unique.
    static func assemble(_ units: [LabelUnit], charge: Int, _ attachment: Attachment, outer: Int) -> Answer {
        var assembly = LabelAssembly(attachment, outer: outer, charge: charge)
        assembly.place(units[...], State(), depth: 0) { assembly, state in assembly.finish(state) }
        if assembly.stepsLeft <= 0 || assembly.isAmbiguous { return .several }
        return assembly.found.map { .only($0.state) } ?? .none
    }

    // MARK: Placing

    private typealias Continuation = (inout LabelAssembly, State) -> Void

    private mutating func place(
        _ units: ArraySlice<LabelUnit>, _ state: State, depth: Int, _ then: Continuation
    ) {
        stepsLeft -= 1
        guard stepsLeft > 0, depth < 200 else { return }
        guard let unit = units.first else { return then(&self, state) }
        let rest = units.dropFirst()
        var state = state
        if case .bond(let order) = unit.part {
            if state.current == nil || state.order != 0 { return }
            state.order = order
            return place(rest, state, depth: depth + 1, then)
        }
        guard let current = state.current else { return start(unit, rest, state, depth, then) }
        switch unit.part {
        case .hydrogen:
            guard state.order <= 1 else { return }
            state.order = 0
            state.sites[current].hydrogens += unit.count
            if isFull(state.sites[current]) { return }
            place(rest, state, depth: depth + 1, then)
        case .bracket(let inner): placeBracket(inner, unit, rest, state, depth, then)
        case .group, .element:
            if unit.isEnd {
                for _ in 0..<unit.count { _ = add(unit, to: current, order: 1, &state) }
                if state.order > 1 || isFull(state.sites[current]) { return }
                state.order = 0
                return place(rest, state, depth: depth + 1, then)
            }
            placeAtom(unit, rest, state, current, depth, then)
        case .bond: break
        }
    }

    /// Adds the first atom of a chain, or a unit that waits for that atom.
    private mutating func start(
        _ unit: LabelUnit, _ rest: ArraySlice<LabelUnit>, _ state: State, _ depth: Int, _ then: Continuation
    ) {
        let mayWait = attachment != .first
        if case .bracket(let inner) = unit.part {
            // A chain can begin with a repeated piece: `(CH2)3OH`.
            if state.pending.isEmpty, inner.count * unit.count <= 60 {
                let repeated = Array(repeating: inner, count: unit.count).flatMap { $0 }
                place(repeated + rest, state, depth: depth + 1, then)
            }
            guard mayWait else { return }
            var waiting = state
            waiting.pending.append(unit)
            return place(rest, waiting, depth: depth + 1, then)
        }
        if mayWait, unit.isEnd {
            var waiting = state
            waiting.pending.append(unit)
            place(rest, waiting, depth: depth + 1, then)
        }
        if unit.count != 1 { return }
        let kind: Site.Kind
        switch unit.part {
        case .hydrogen: kind = .atom(.hydrogen, isotope: 0)
        case .element(let element, let isotope): kind = .atom(element, isotope: isotope)
        // Two bonds of a group lead to the same atom, so a group with two bonds cannot be the center.
        case .group(let name, bonds: 1): kind = .group(name, bonds: 1)
        default: return
        }
        // Hydrogen is a center only if it is the only unit.
        if case .atom(.hydrogen, _) = kind, !rest.isEmpty { return }
        var started = state
        started.sites.append(Site(kind: kind, charge: unit.charge))
        started.current = 0
        if attachment == .first {
            started.joint = 0
            started.sites[0].bonds = outer
        }
        started.pending = []
        place(state.pending + rest, started, depth: depth + 1, then)
    }

    /// Adds an atom with several bonds: as the next atom of the chain, or attached by a double bond.
    private mutating func placeAtom(
        _ unit: LabelUnit, _ rest: ArraySlice<LabelUnit>, _ state: State, _ current: Int, _ depth: Int,
        _ then: Continuation
    ) {
        guard case .element(let element, _) = unit.part else { return }
        let mayBeside = element == .oxygen || element == .sulfur || element == .selenium
        func placed(beside: Int, chain: Int, _ state: State) -> State? {
            var state = state
            for _ in 0..<beside { _ = add(unit, to: current, order: 2, &state) }
            if chain == 1 { state.current = add(unit, to: current, order: max(1, state.order), &state) }
            state.order = 0
            return isFull(state.sites[current]) ? nil : state
        }
        if unit.count == 1, let next = placed(beside: 0, chain: 1, state) {
            place(rest, next, depth: depth + 1, then)
        }
        guard mayBeside, state.order == 0 || state.order == 2, unit.count <= 4 else { return }
        if let next = placed(beside: unit.count, chain: 0, state) { place(rest, next, depth: depth + 1, then) }
        if unit.count > 1, state.order == 0, let next = placed(beside: unit.count - 1, chain: 1, state) {
            place(rest, next, depth: depth + 1, then)
        }
    }

    /// Adds a bracket: as branches of the preceding atom, or as repeated pieces of the chain.
    private mutating func placeBracket(
        _ inner: [LabelUnit], _ unit: LabelUnit, _ rest: ArraySlice<LabelUnit>, _ state: State, _ depth: Int,
        _ then: Continuation
    ) {
        let current = state.current
        let order = state.order
        func branch(_ units: [LabelUnit], _ count: Int, _ assembly: inout LabelAssembly, _ state: State) {
            if count == 0 { return assembly.place(rest, state, depth: depth + 1, then) }
            var state = state
            state.order = order
            assembly.place(units[...], state, depth: depth + 1) { assembly, state in
                var state = state
                state.current = current
                state.order = 0
                branch(units, count - 1, &assembly, state)
            }
        }
        branch(inner, unit.count, &self, state)
        if inner.count > 1 { branch(inner.reversed(), unit.count, &self, state) }
        guard !unit.isEnd, order == 0 else { return }
        let repeated = Array(repeating: inner, count: unit.count).flatMap { $0 }
        if repeated.count <= 60 { place(repeated + rest, state, depth: depth + 1, then) }
    }

    private func add(_ unit: LabelUnit, to other: Int, order: Int, _ state: inout State) -> Int {
        var site = Site(kind: .atom(.hydrogen, isotope: 0), charge: unit.charge)
        var order = order
        switch unit.part {
        case .element(let element, let isotope): site.kind = .atom(element, isotope: isotope)
        case .group(let name, let bonds):
            site.kind = .group(name, bonds: bonds)
            order = bonds
        default: break
        }
        site.bonds = order
        state.sites.append(site)
        state.sites[other].bonds += order
        state.links.append(Link(from: other, to: state.sites.count - 1, order: order))
        return state.sites.count - 1
    }

    /// Whether a site exceeds its maximum number of bonds.
    private func isFull(_ site: Site) -> Bool {
        switch site.kind {
        case .group(_, let bonds): site.bonds + site.hydrogens > bonds
        case .atom(let element, _): site.bonds + site.hydrogens > LabelValence.most(of: element)
        }
    }

    // MARK: Weighing

    private mutating func finish(_ state: State) {
        guard state.pending.isEmpty, state.order == 0, let current = state.current else { return }
        var state = state
        if attachment == .last {
            state.joint = current
            state.sites[current].bonds += outer
        }
        let stated = state.sites.reduce(0) { $0 + $1.charge }
        if stated == charge || charge == 0 { return weigh(state) }
        for index in state.sites.indices where state.sites[index].charge == 0 {
            guard case .atom = state.sites[index].kind else { continue }
            var charged = state
            charged.sites[index].charge = charge - stated
            weigh(charged)
        }
    }

    private mutating func weigh(_ state: State) {
        var cost = 0
        for site in state.sites {
            switch site.kind {
            case .group(_, let bonds): if site.bonds + site.hydrogens != bonds { return }
            case .atom(let element, _):
                guard let one = LabelValence.cost(site, element, isAlone: state.sites.count == 1) else { return }
                cost += one
            }
        }
        for link in state.links {
            let ends = [state.sites[link.from].kind, state.sites[link.to].kind]
            let oxygens = ends.count { $0 == .atom(.oxygen, isotope: 0) }
            if oxygens == 2 { cost += 4 }
            // `SOMe` can equally be a sulfoxide.
            if oxygens == 1, link.order == 1, ends.contains(.atom(.sulfur, isotope: 0)) {
                let sulfur = state.sites[link.from].kind == .atom(.sulfur, isotope: 0) ? link.from : link.to
                if state.sites[sulfur].bonds + state.sites[sulfur].hydrogens == 2 { cost += 2 }
            }
        }
        if cost > Self.mostCost { return }
        guard let best = found, best.cost <= cost else {
            found = (cost, state)
            isAmbiguous = false
            return
        }
        if best.cost == cost, best.state.signature != state.signature { isAmbiguous = true }
    }
}

extension LabelAssembly.State {
    /// A value that is equal for states that represent the same structure.
    var signature: [Int] {
        var values = sites.indices.map { index in
            var hasher = Hasher()
            switch sites[index].kind {
            case .atom(let element, let isotope):
                hasher.combine(element.rawValue)
                hasher.combine(isotope)
            case .group(let name, _): hasher.combine(name)
            }
            hasher.combine(sites[index].charge)
            hasher.combine(sites[index].hydrogens)
            hasher.combine(index == joint)
            return hasher.finalize()
        }
        for _ in 0..<4 {
            var around = Array(repeating: [[Int]](), count: sites.count)
            for link in links {
                around[link.from].append([link.order, values[link.to]])
                around[link.to].append([link.order, values[link.from]])
            }
            values = values.indices.map { index in
                var hasher = Hasher()
                hasher.combine(values[index])
                hasher.combine(around[index].sorted { ($0[0], $0[1]) < ($1[0], $1[1]) })
                return hasher.finalize()
            }
        }
        return values.sorted()
    }
}
