import ChemopenBytes
import ChemopenModel

/// Writes a record to a page.
struct PageRecordWriter {
    private typealias Size = PagePlaces.Size
    private typealias Corner = PagePlaces.Corner

    private let style: PageStyle
    private(set) var losses: [Loss] = []
    private var layout = Layout.nothing

    init(_ style: PageStyle) {
        self.style = style
    }

    private enum Layout {
        case nothing
        case molecule(Tile)
        case reaction(ReactionTiles)
    }

    /// A molecule and the space that it needs, including its name below it.
    private struct Tile {
        var molecule: Molecule
        var place: MoleculePlace
        var size: Size
        var statement = OwnStatement()
        /// The members of its R-groups, each with its own position.
        var rgroups: [(group: RGroup, members: [Tile])] = []
    }

    private struct ReactionTiles {
        var reaction: Reaction
        var reactants: [Tile]
        var agents: [Tile]
        var products: [Tile]
        var conditions: [Text]
        var size: Size
        /// The width of the arrow.
        var arrow: Int
        /// The distance of the arrow from the top.
        var middle: Int
    }

    private static let labelMargin = PagePlaces.whole(points: 10)
    private static let least = PagePlaces.whole(points: 14.4)
    private static let plusWidth = PagePlaces.whole(points: 30)
    private static let arrowGap = PagePlaces.whole(points: 12)
    private static let shortestArrow = PagePlaces.whole(points: 60)

    // MARK: Measuring

    /// Returns the space that a record needs.
    mutating func measure(_ record: borrowing Record) -> PagePlaces.Size {
        losses = []
        switch record.subject {
        case .none:
            var tile = tile(Molecule())
            tile.statement = OwnStatement()
            tile.statement.hasNoStructure = true
            layout = .molecule(tile)
            return tile.size
        case .molecule(let molecule):
            let tile = tile(molecule)
            layout = .molecule(tile)
            return Self.room(for: tile)
        case .reaction(let reaction):
            let tiles = tiles(of: reaction)
            layout = .reaction(tiles)
            return (tiles.reactants + tiles.agents + tiles.products).reduce(tiles.size) { size, tile in
                let room = Self.room(for: tile)
                return Size(
                    width: max(size.width, room.width), height: size.height + room.height - tile.size.height)
            }
        }
    }

    private mutating func tile(_ molecule: Molecule) -> Tile {
        let groups = molecule.extras.isEmpty ? [] : molecule.extras.contents.rgroups
        if groups.isEmpty { return bareTile(molecule) }
        var bare = molecule
        bare.extras.contents.rgroups = []
        var tile = bareTile(bare)
        for group in groups {
            let members = group.members.map { member in
                var tile = bareTile(member)
                tile.statement.rest.name = member.name
                return tile
            }
            tile.rgroups.append((group, members))
        }
        return tile
    }

    /// Returns the space of a tile, including the members of its R-groups below it.
    private static func room(for tile: Tile) -> PagePlaces.Size {
        var size = tile.size
        for group in tile.rgroups {
            size.height += PagePlaces.whole(points: 40)
            for member in group.members {
                size.height += member.size.height + PagePlaces.whole(points: 24)
                size.width = max(size.width, member.size.width)
            }
        }
        return size
    }

    /// Returns the tile of a molecule without its R-groups.
    private mutating func bareTile(_ molecule: Molecule) -> Tile {
        var molecule = molecule
        if molecule.hasAbbreviations, !FragmentPlan.canDrawPieces(of: molecule) {
            let left = molecule.expandAbbreviations(asGroups: true)
            losses.note(.abbreviations, "with several neighbors, or without a connection point", count: left.count)
        }
        if Shrinking.shrink(&molecule) { losses.note(.coordinates, "scaled down to the maximum page width") }
        return tile(molecule, at: MoleculePlace(of: molecule, style))
    }

    private func tile(_ molecule: Molecule, at place: MoleculePlace) -> Tile {
        var size = Size(
            width: max(place.size.width, Self.least) + 2 * Self.labelMargin,
            height: max(place.size.height, Self.least) + 2 * Self.labelMargin)
        let (name, origin) = (molecule.name, molecule.origin)
        if !name.isEmpty {
            let room = style.size(of: name)
            size.width = max(size.width, room.width)
            size.height += room.height
        }
        var tile = Tile(molecule: molecule, place: place, size: size)
        if molecule.atoms.isEmpty { tile.statement.hasNoAtoms = true }
        tile.statement.rest.origin = origin
        if !name.isPrintable { tile.statement.rest.name = name }
        return tile
    }

    private mutating func tile(_ component: Reaction.Component) -> Tile {
        var tile = tile(component.molecule)
        tile.statement.componentName = component.name
        tile.statement.stoichiometry = component.stoichiometry
        return tile
    }

    private mutating func tiles(of reaction: Reaction) -> ReactionTiles {
        let steps = reaction.steps
        if steps.count > 1 {
            let made = steps.dropLast().reduce(0) { $0 + $1.products.count }
            let used = steps.dropFirst().reduce(0) { $0 + $1.reactants.count }
            losses.note(
                .severalSteps, "intermediates between the first step and the last", count: max(1, made + used))
            if reaction.arrow == nil { losses.note(Features(.arrowKinds), of: reaction) }
        }
        // A text without drawable letters would be lost by reading it again.
        let all = steps.flatMap(\.conditions)
        let conditions = all.filter { !DrawnPage.sound($0).text.isEmpty }
        if conditions.count < all.count {
            losses.note(.conditions, "without printable characters", count: all.count - conditions.count)
        }
        var tiles = ReactionTiles(
            reaction: reaction, reactants: reaction.reactants.map { tile($0) },
            agents: reaction.agents.map { tile($0) },
            products: reaction.products.map { tile($0) },
            conditions: conditions, size: Size(),
            arrow: Self.shortestArrow, middle: 0)
        let texts = tiles.conditions.map { style.size(of: $0) }
        let below = texts.reduce(0) { $0 + $1.height }
        let agentWidth = tiles.agents.reduce(0) { $0 + $1.size.width }
        tiles.arrow = max(Self.shortestArrow, agentWidth, texts.map(\.width).max() ?? 0) + Self.arrowGap
        let above = tiles.agents.map(\.size.height).max() ?? 0
        let sides = tiles.reactants + tiles.products
        let highest = sides.map(\.size.height).max() ?? 0
        tiles.middle = max(highest / 2, above + Self.arrowGap)
        if !reaction.name.isEmpty { tiles.middle += style.size(of: reaction.name).height }
        tiles.size.height = tiles.middle + max(highest / 2, below + Self.arrowGap)
        tiles.size.width = sides.reduce(tiles.arrow + 2 * Self.arrowGap) { $0 + $1.size.width + Self.plusWidth }
        return tiles
    }

    // MARK: Writing

    /// Adds the measured record to a page.
    mutating func write(_ record: borrowing Record, to page: inout DrawnPage) {
        for verbatim in record.verbatim { losses.note(verbatim) }
        var layout = Layout.nothing
        swap(&layout, &self.layout)
        switch layout {
        case .nothing: break
        case .molecule(let tile):
            _ = write(tile, at: page.places.place(tile.size), fields: record.fields, to: &page)
        case .reaction(let tiles):
            write(tiles, at: page.places.place(tiles.size), fields: record.fields, to: &page)
        }
    }

    private mutating func write(
        _ tile: Tile, at corner: PagePlaces.Corner, fields: Fields?, to page: inout DrawnPage
    ) -> FragmentWriter.Made {
        var place = tile.place
        place.move(to: Corner(x: corner.x + Self.labelMargin, y: corner.y + Self.labelMargin))
        var writer = FragmentWriter()
        let groups = tile.rgroups.map { (group: $0.group, members: $0.members, id: page.takeIDs(1)) }
        var statement = tile.statement
        statement.rgroups = groups.map { group, _, id in
            var bare = group
            bare.members = []
            return OwnRGroup(group: bare, alternatives: Int(id))
        }
        let made = writer.write(tile.molecule, at: place, statement, fields: fields, to: &page)
        losses.note(writer.losses)
        BracketWriter(molecule: tile.molecule, place: place, made: made).write(to: &page)
        writeName(of: tile, made, at: corner, to: &page)
        for (group, members, id) in groups { write(members, of: group, id: id, to: &page) }
        return made
    }

    /// Adds the name of a molecule below it.
    private func writeName(
        of tile: Tile, _ made: FragmentWriter.Made, at corner: PagePlaces.Corner, to page: inout DrawnPage
    ) {
        let name = tile.molecule.name
        if name.isEmpty { return }
        let below = tile.size.height - style.size(of: name).height
        page.write(
            name, at: Corner(x: corner.x, y: corner.y + below),
            naming: Int(made.fragment))
    }

    /// Adds an alternative group with the members of an R-group.
    private mutating func write(
        _ members: [Tile], of group: RGroup, id: UInt32, to page: inout DrawnPage
    ) {
        page.drawing.open(.alternativeGroup, id: id)
        let points = members.map { FragmentWriter.points(of: $0.molecule).count }.max() ?? 0
        page.drawing.set(.valence, integer: max(1, points))
        let heading = Text("R\(group.number)")
        page.write(heading, at: page.places.place(style.size(of: heading)))
        for tile in members {
            let corner = page.places.place(tile.size)
            var place = tile.place
            place.move(to: Corner(x: corner.x + Self.labelMargin, y: corner.y + Self.labelMargin))
            var writer = FragmentWriter()
            _ = writer.write(tile.molecule, at: place, tile.statement, hasPoints: true, to: &page)
            losses.note(writer.losses)
        }
        page.drawing.close()
    }

    private mutating func write(
        _ tiles: ReactionTiles, at corner: PagePlaces.Corner, fields: Fields, to page: inout DrawnPage
    ) {
        for verbatim in tiles.reaction.verbatim { losses.note(verbatim) }
        var x = corner.x
        let middle = corner.y + tiles.middle
        let name = tiles.reaction.name
        if !name.isEmpty { page.write(name, at: corner, naming: 0) }
        var maps = AtomMaps()
        var pluses: [UInt32] = []
        func writeSide(_ side: [Tile], areProducts: Bool) -> [UInt32] {
            var fragments: [UInt32] = []
            for (place, tile) in side.enumerated() {
                if place > 0 { pluses.append(writePlus(x: &x, middle, to: &page)) }
                let made = write(tile, at: Corner(x: x, y: middle - tile.size.height / 2), fields: nil, to: &page)
                maps.add(tile.molecule, made, isProduct: areProducts)
                fragments.append(made.fragment)
                x += tile.size.width
            }
            return fragments
        }
        let reactants = writeSide(tiles.reactants, areProducts: false)
        x += Self.arrowGap
        let arrowStart = x
        var above: [UInt32] = []
        for tile in tiles.agents {
            let y = middle - Self.arrowGap - tile.size.height
            above.append(write(tile, at: Corner(x: x, y: y), fields: nil, to: &page).fragment)
            x += tile.size.width
        }
        var below: [UInt32] = []
        var y = middle + Self.arrowGap
        for text in tiles.conditions {
            below.append(page.write(text, at: Corner(x: arrowStart, y: y)))
            y += style.size(of: text).height
        }
        x = arrowStart + tiles.arrow
        let arrow = writeArrow(
            from: Corner(x: arrowStart, y: middle), to: Corner(x: x, y: middle), tiles.reaction, fields, to: &page)
        x += Self.arrowGap
        let products = writeSide(tiles.products, areProducts: true)
        page.drawing.open(.scheme, id: page.takeIDs(1))
        page.drawing.open(.step, id: page.takeIDs(1))
        for (property, ids) in [
            (DrawnProperty.reactants, reactants), (.products, products), (.pluses, pluses), (.arrows, [arrow]),
            (.aboveArrow, above), (.belowArrow, below), (.atomMap, maps.pairs),
        ] where !ids.isEmpty {
            page.drawing.set(property, .identifiers(ids))
        }
        page.drawing.close()
        page.drawing.close()
    }

    private func writePlus(x: inout Int, _ middle: Int, to page: inout DrawnPage) -> UInt32 {
        let id = page.takeIDs(1)
        let (left, y) = (style.points(x + Self.plusWidth / 2), style.points(middle))
        let reach = style.scaled(4)
        page.drawing.open(.graphic, id: id)
        page.drawing.set(
            .boundingBox, box: DrawnBox(left: left - reach, top: y - reach, right: left + reach, bottom: y + reach))
        page.setZ()
        page.drawing.set(.graphicType, integer: 7)
        page.drawing.set(.symbolType, integer: 8)
        page.drawing.close()
        x += Self.plusWidth
        return id
    }

    // MARK: Arrows

    /// The appearance of an arrow of a given kind.
    private struct ArrowLook {
        var head = 2
        var tail = 1
        var spacing: Int?
        var type = 1
        var ratio: Int?
        var crossedOut: Int?
        var isDipole = false

        init(_ kind: Reaction.Arrow) {
            switch kind {
            case .forward: break
            case .equilibrium: (head, tail, spacing) = (3, 3, 400)
            case .equilibriumToProducts: (head, tail, spacing, ratio) = (3, 3, 400, 200)
            case .equilibriumToReactants: (head, tail, spacing, ratio) = (3, 3, 400, 50)
            case .resonance: tail = 2
            case .retrosynthetic: (spacing, type) = (400, 3)
            case .hollow: (spacing, type) = (400, 2)
            case .crossed: crossedOut = 2
            case .hashed: crossedOut = 3
            case .dipole: isDipole = true
            }
        }
    }

    private func writeArrow(
        from tail: PagePlaces.Corner, to head: PagePlaces.Corner, _ reaction: Reaction, _ fields: Fields,
        to page: inout DrawnPage
    ) -> UInt32 {
        let id = page.takeIDs(1)
        let look = ArrowLook(reaction.arrow ?? .forward)
        let (start, end) = (style.points(tail.x), style.points(head.x))
        let y = style.points(tail.y)
        let reach = style.scaled(4)
        page.drawing.open(.arrow, id: id)
        page.drawing.set(.boundingBox, box: DrawnBox(left: start, top: y - reach, right: end, bottom: y + reach))
        page.setZ()
        page.drawing.set(.fill, integer: 1)
        page.drawing.set(.arrowheadHead, integer: look.head)
        if look.tail > 1 { page.drawing.set(.arrowheadTail, integer: look.tail) }
        page.drawing.set(.arrowheadType, integer: look.type)
        page.drawing.set(.headSize, integer: 1000)
        page.drawing.set(.headCenterSize, integer: 875)
        page.drawing.set(.headWidth, integer: 250)
        if let spacing = look.spacing { page.drawing.set(.shaftSpacing, integer: spacing) }
        if let ratio = look.ratio { page.drawing.set(.equilibriumRatio, integer: ratio) }
        if look.isDipole { page.drawing.set(.dipole, integer: 1) }
        if let crossedOut = look.crossedOut { page.drawing.set(.crossedOut, integer: crossedOut) }
        page.drawing.set(.head3D, position: Position(end, y))
        page.drawing.set(.tail3D, position: Position(start, y))
        var statement = OwnStatement()
        statement.isReaction = true
        (statement.rest.name, statement.rest.origin) = (reaction.name, reaction.origin)
        statement.rest.comment = reaction.comment
        page.say(statement)
        page.say(fields)
        page.drawing.close()
        return id
    }
}

/// Matches the atoms of reactants and products by their map numbers.
private struct AtomMaps {
    private var reactants: [Int32: UInt32] = [:]
    private(set) var pairs: [UInt32] = []

    mutating func add(_ molecule: Molecule, _ made: FragmentWriter.Made, isProduct: Bool) {
        for (index, atom) in molecule.atoms.enumerated() where atom.mapNumber > 0 {
            let id = made.id(ofAtom: index)
            if isProduct {
                if let reactant = reactants[atom.mapNumber] { pairs += [reactant, id] }
            } else if reactants[atom.mapNumber] == nil {
                reactants[atom.mapNumber] = id
            }
        }
    }
}
