import ChemopenModel

/// The parts of a drawing that the reader makes nothing of: counted, and kept as they stand where they are in no table.
extension DrawingInterpreter {
    /// Gives what is in no table to the atom or the molecule that it was said of; the rest goes with its page.
    mutating func keepUnknownParts() -> [(page: Int, part: Verbatim)] {
        var loose: [(page: Int, part: Verbatim)] = []
        for (object, text) in drawing.kept {
            let thing = drawing.objects[object]
            let name = thing.id == 0 ? "<\(thing.kind.name)> " : "<\(thing.kind.name) id=\"\(thing.id)\"> "
            let whole = Text(bytes: Array(name.utf8) + text.bytes)
            if let place = places.atom(ofNode: object) {
                fragments[place.molecule].molecule.extras.contents.verbatim.append(
                    Verbatim(.chemDraw, of: .atom(Int32(clamping: place.atom)), whole))
            } else if let fragment = molecule(around: object) {
                fragments[fragment].molecule.extras.contents.verbatim.append(Verbatim(.chemDraw, whole))
            } else {
                loose.append((drawing.page(of: object), Verbatim(.chemDraw, whole)))
            }
        }
        return loose
    }

    /// The parts of the file that were passed over, and how often.
    func passedOver() -> Verbatim? {
        var skipped = drawing.unknown
        for (index, object) in drawing.objects.enumerated() where !object.kind.isRead && object.kind.isKnown {
            skipped["object \(drawing.kind(of: index).name)", default: 0] += 1
        }
        if skipped.isEmpty { return nil }
        let lines = skipped.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        return Verbatim(.chemDraw, Text("passed over: " + lines.joined(separator: ", ")))
    }
}
