import ChemopenModel

/// Reads names, captions and data, and assigns each to its molecule.
extension DrawingInterpreter {
    // MARK: Data

    mutating func readData() {
        for object in drawing.others {
            switch drawing.kind(of: object) {
            case .fragment: readRegistry(object)
            case .chemicalProperty: readProperty(object)
            case .annotation: readAnnotation(object)
            case .objectTag: readTag(object)
            default: break
            }
        }
    }

    private static var wholes: DrawnPropertySet {
        DrawnPropertySet(.registryNumber) | .registryAuthority | .racemic | .relative
    }

    private mutating func readRegistry(_ object: Int) {
        guard drawing.mayState(Self.wholes, object), let fragment = molecule(around: object) else { return }
        if let number = drawing.text(.registryNumber, of: object) {
            fragments[fragment].fields.append(("RegistryNumber", number))
        }
        if let name = drawing.text(.registryAuthority, of: object) {
            fragments[fragment].fields.append(("RegistryAuthority", name))
        }
        if drawing.isSet(.racemic, of: object) { fragments[fragment].fields.append(("Stereochemistry", "racemic")) }
        if drawing.isSet(.relative, of: object) { fragments[fragment].fields.append(("Stereochemistry", "relative")) }
    }

    /// Returns the molecule that contains an object, or the only molecule in the same group.
    func molecule(around object: Int) -> Int? {
        var place = object
        while place > 0 {
            let within = places.molecules(within: place)
            if drawing.kind(of: place) == .fragment, !drawing.objects[place].isInNode {
                return within.first
            }
            if drawing.kind(of: place) == .group { return within.count == 1 ? within.first : nil }
            place = drawing.objects[place].parent
        }
        return nil
    }

    private mutating func add(_ name: Text, _ value: Text, to fragment: Int?, on object: Int) {
        if let fragment {
            fragments[fragment].fields.append((name, value))
        } else {
            looseFields.append((drawing.page(of: object), name, value))
        }
    }

    /// Reads a property of atoms and bonds that the program calculated or a user entered.
    private mutating func readProperty(_ object: Int) {
        let basis = drawing.identifiers(.basisObjects, of: object)
        let places = places
        let fragment = basis.lazy.compactMap { places.molecule(of: $0) }.first
        var value: Text = ""
        if let id = drawing.identifier(.propertyDisplay, of: object), let text = places.text(called: id) {
            usedTexts.insert(text)
            value = drawing.text(of: text)
        }
        for text in drawing.children(of: object, .text) where value.isEmpty { value = drawing.text(of: text) }
        if value.isEmpty { return }
        used.insert(object)
        let type = drawing.integer(.propertyType, of: object) ?? 0
        let name = Self.propertyNames.indices.contains(type) ? Self.propertyNames[type] : "Property \(type)"
        if type == 1, let fragment, fragments[fragment].molecule.name.isEmpty {
            fragments[fragment].molecule.name = value.inOneLine
        }
        add(Text(name), value, to: fragment, on: object)
    }

    /// The names of property types, by number.
    private static let propertyNames = [
        "Property", "Name", "Formula", "Exact Mass", "Molecular Weight", "m/z", "Elemental Analysis", "Boiling Point",
        "Melting Point", "Critical Temperature", "Critical Pressure", "Critical Volume", "Gibbs Energy", "Log P", "MR",
        "Henry's Law", "Heat of Formation", "tPSA", "CLogP", "CMR", "LogS", "pKa", "ID", "Attached Data",
        "Fragment Label",
    ]

    /// Returns the data field of an annotation. An annotation that Chemopen wrote may contain more than a name and a
    /// value.
    func data(in annotation: Int) -> (name: Text, value: Text)? {
        guard let name = drawing.text(.keyword, of: annotation), !name.isEmpty else { return nil }
        let content = drawing.text(.content, of: annotation) ?? ""
        guard name == OwnStatement.keyword else { return (name.inOneLine, content) }
        var said = OwnStatement()
        guard said.take(content), let field = said.field else { return nil }
        return (field.name, field.value)
    }

    /// Reads the data fields of reactions, which are in their arrows.
    mutating func readDataOfArrows() {
        guard drawing.has(.annotation), drawing.has(.arrow) else { return }
        for object in drawing.others where drawing.kind(of: object) == .annotation {
            let parent = drawing.objects[object].parent
            guard parent >= 0, drawing.kind(of: parent) == .arrow, let field = data(in: object) else { continue }
            dataOfArrow[parent, default: []].append(field)
        }
    }

    /// Reads the captions that Chemopen wrote: names of molecules, which are not data.
    mutating func readOwnTexts() {
        guard drawing.has(.annotation) else { return }
        for object in drawing.others where drawing.kind(of: object) == .text {
            guard let number = drawing.ownStatement(in: object)?.fragment, let id = UInt32(exactly: number) else {
                continue
            }
            usedTexts.insert(object)
            let molecules = places.molecules(called: id)
            guard molecules.count == 1, let molecule = molecules.first else { continue }
            if fragments[molecule].molecule.name.isEmpty {
                fragments[molecule].molecule.name = drawing.text(of: object)
            }
        }
    }

    private mutating func readAnnotation(_ object: Int) {
        let parent = drawing.objects[object].parent
        if parent >= 0, drawing.kind(of: parent) == .arrow { return }
        guard let field = data(in: object) else { return }
        used.insert(object)
        add(field.name, field.value, to: molecule(around: object), on: object)
    }

    /// Reads a user's tag. The program's own tags repeat properties of nodes and bonds.
    private mutating func readTag(_ object: Int) {
        guard let name = drawing.text(.name, of: object), !name.isEmpty else { return }
        if Self.ownTags.contains(name.string) {
            used.insert(object)
            return
        }
        var value: Text = ""
        switch drawing.value(.tagValue, of: object) {
        case .text(let text): value = text
        case .integer(let number): value = Text("\(number)")
        case .real(let number): value = Text("\(number)")
        default: break
        }
        for text in drawing.children(of: object, .text) where value.isEmpty { value = drawing.text(of: text) }
        if value.isEmpty { return }
        used.insert(object)
        add(name.inOneLine, value, to: molecule(around: object), on: object)
    }

    private static let ownTags: Set<String> = [
        "query", "rxn", "stereo", "number", "heterocycle", "bracketusage", "polymerrepeat", "polymerflip",
        "enhancedstereo", "residueID", "sequence", "parameterizedBracketLabel", "deviation", "distance", "angle",
        "atomnumber", "atomid",
    ]

    // MARK: Captions

    /// Assigns free text to the molecule that contains it, shares its group, or is nearest. Other text belongs to its
    /// page.
    mutating func readCaptions() {
        let texts = drawing.others.filter { isFreeText($0) }
        let isCrowded = texts.count * fragments.count > 4_000_000
        for object in texts {
            let text = drawing.text(of: object).trimmed
            if text.isEmpty || text == Text.plusSign { continue }
            usedTexts.insert(object)
            let parent = drawing.objects[object].parent
            let isInGroup = parent >= 0 && (drawing.kind(of: parent) == .group || drawing.kind(of: parent) == .fragment)
            var owner = isInGroup ? molecule(around: object) : nil
            if owner == nil, !isCrowded { owner = nearestMolecule(to: object) }
            guard let owner else {
                looseFields.append((drawing.page(of: object), "Text", text))
                continue
            }
            if fragments[owner].molecule.name.isEmpty, text.bytes.count <= 80, !text.bytes.contains(10) {
                fragments[owner].molecule.name = text
            }
            fragments[owner].fields.append(("Caption", text))
        }
    }

    private func isFreeText(_ object: Int) -> Bool {
        let thing = drawing.objects[object]
        guard thing.kind == .text, !thing.isInNode, !usedTexts.contains(object), thing.parent >= 0 else { return false }
        return thing.isOnPage || drawing.kind(of: thing.parent) == .fragment
    }

    /// Returns the molecule nearest to a caption, within a limit. Captions below a molecule are preferred.
    private func nearestMolecule(to object: Int) -> Int? {
        guard let box = textBox(of: object) else { return nil }
        let page = drawing.page(of: object)
        let reach = 5 * scale.bondLength
        var best: (distance: Double, fragment: Int)?
        for (index, fragment) in fragments.enumerated()
        where !fragment.box.isEmpty && drawing.page(of: fragment.object) == page {
            let isBelow = box.center.y >= fragment.box.bottom
            let distance = fragment.box.distance(to: box) * (isBelow ? 1 : 1.5)
            if distance <= reach, distance < best?.distance ?? .infinity { best = (distance, index) }
        }
        return best?.fragment
    }
}
