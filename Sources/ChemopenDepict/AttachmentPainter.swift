import ChemopenModel

extension MoleculeSketch {
    /// The open bonds of an R-group's member, each ended by a wavy line.
    func attachmentMarks() -> [Picture.Mark] {
        if molecule.extras.isEmpty { return [] }
        var marks: [Picture.Mark] = []
        for tagged in molecule.extras.contents.atomNotes {
            let index = Int(tagged.index)
            guard case .attachmentPoint(let first, let second) = tagged.note, points.indices.contains(index) else {
                continue
            }
            var directions = graph[index].map { points[$0.atom] - points[index] }
            let numbers = [first ? "1" : nil, second ? "2" : nil].compactMap { $0 }
            for number in numbers {
                let direction = Point.direction(NotePlacer.freeAngle(between: directions))
                directions.append(direction)
                let end = points[index] + direction * style.bondLength
                let lines = clipping.visible(points[index], end, from: index, to: index)
                for (from, to) in lines { marks.append(.stroke(.init([from, to], width: style.lineWidth))) }
                let half = direction.left * 4.5
                marks.append(
                    .stroke(.init((end - half).wave(to: end + half, swing: 1, halfLength: 1.5), width: style.lineWidth))
                )
                if numbers.count > 1 {
                    let size = style.fontSize * 0.6
                    let width = Lettering.width(of: number, size: size)
                    let place = end + direction * 4.5 + Point(-width / 2, size * 0.36)
                    marks.append(.letters(.init(number, at: place, size: size, ink: .note)))
                }
            }
        }
        return marks
    }
}
