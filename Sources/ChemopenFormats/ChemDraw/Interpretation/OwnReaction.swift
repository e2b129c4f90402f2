import ChemopenModel

/// Chemopen's statements about a complete reaction, which are stored in its arrow.
struct OwnReaction {
    let arrow: UInt32
    private var name = Text()
    private var origin = Text()
    private var comment = Text()

    init(_ statements: [Text], arrow: UInt32) {
        self.arrow = arrow
        for statement in statements {
            if let text = OwnStatement.value(of: statement, .title) { name = text }
            if let text = OwnStatement.value(of: statement, .origin) { origin = text }
            if let text = OwnStatement.value(of: statement, .comment) { comment = text }
        }
    }

    func put(into reaction: inout Reaction) {
        reaction.name = name
        reaction.origin = origin
        reaction.comment = comment
    }
}

extension DrawingInterpreter {
    /// Returns the data field in an annotation; nil for Chemopen's other statements.
    func data(in annotation: Int) -> (name: Text, value: Text)? {
        guard let name = drawing.text(.keyword, of: annotation), !name.isEmpty else { return nil }
        let content = drawing.text(.content, of: annotation) ?? ""
        guard name == OwnStatement.keyword else { return (name.inOneLine, content) }
        guard let values = OwnStatement.values(of: content, .data), values.count == 2 else { return nil }
        return (values[0], values[1])
    }

    /// Reads the data fields of the reactions, which are stored in their arrows.
    mutating func readDataOfArrows() {
        guard drawing.has(.annotation), drawing.has(.arrow) else { return }
        for object in drawing.others where drawing.kind(of: object) == .annotation {
            let parent = drawing.objects[object].parent
            guard parent >= 0, drawing.kind(of: parent) == .arrow, let field = data(in: object) else { continue }
            dataOfArrow[parent, default: []].append(field)
        }
    }

    /// Reads the captions that Chemopen wrote, which are names of molecules and not additional data.
    mutating func readOwnTexts() {
        guard drawing.has(.annotation) else { return }
        for object in drawing.others where drawing.kind(of: object) == .text {
            for statement in drawing.ownStatements(in: object) {
                guard let number = OwnStatement.number(of: statement, .name), let id = UInt32(exactly: number) else {
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
    }
}
