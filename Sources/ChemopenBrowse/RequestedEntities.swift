import Chemopen

/// The entities that a request without a search lists: categories, pages of records, parts and details.
struct RequestedEntities {
    let service: BrowseService

    /// Returns the categories: files, or the groups of records that a mapping defines.
    func navigation(_ request: BrowseRequest) -> EntityList {
        let files = service.files
        var list = EntityList([])
        for file in files {
            if file.mapping?.category == nil {
                list.rows.append(EntityRow(Entity(file)))
                continue
            }
            if request.isPatient { file.waitForGroups() }
            list.isComplete = list.isComplete && file.groups.isComplete
        }
        for category in BrowsedCategory.all(in: files) {
            // The records of a category can all be children of others.
            guard let file = category.members.first?.file, category.hasTopRecord || !list.isComplete else { continue }
            list.rows.append(EntityRow(Entity(category, in: file)))
        }
        list.note = service.limitNote
        if !list.isComplete { list.progress = 0 }
        list.total = list.rows.count
        return list
    }

    /// Returns a page of the records of files, or the requested records.
    func root(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        if let first = request.entities.first, first.isRecord { return try details(request) }
        let (named, isComplete, missing) = try service.selections(of: request)
        var list =
            request.sort.isEmpty ? records(of: named, request) : service.sorted(named, hits: nil, request)
        if !isComplete { list.isComplete = false }
        list.missing = missing
        return list
    }

    private func records(of named: [Selection], _ request: BrowseRequest) -> EntityList {
        var list = EntityList([])
        var skipped = request.first
        var left = request.count
        for selection in named {
            let file = selection.file
            if let chosen = selection.numbers {
                let page = chosen[(skipped..<skipped + left).clamped(to: 0..<chosen.count)]
                list.append(page.map { Int($0) }, of: file, for: request, service.kept)
                left -= page.count
                skipped = max(0, skipped - chosen.count)
                list.total += chosen.count
                list.tellChoice(in: file)
                continue
            }
            let view = request.isPatient ? file.wait(forRecords: skipped + left) : file.view
            let numbers = (skipped..<skipped + left).clamped(to: 0..<view.count)
            list.append(numbers, of: file, for: request, service.kept)
            left -= numbers.count
            skipped = max(0, skipped - view.count)
            list.total += view.count
            list.isComplete = list.isComplete && view.isComplete
            list.progress = min(list.progress, view.isComplete ? 1 : view.progress)
            if let failure = view.failure, list.note.isEmpty { list.note = "\(file.name): \(failure.message)" }
        }
        return list
    }

    /// Returns the parts of entities and their parts. For a file, returns a page of its records with their parts.
    func drill(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        var list = try drilled(request)
        var seen: Set<String> = []
        let count = list.rows.count
        list.rows = list.rows.filter { seen.insert($0.id).inserted }
        list.total -= count - list.rows.count
        return list
    }

    private func drilled(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        var list = EntityList([])
        list.total = 0
        for id in request.entities {
            if !id.isRecord {
                var own = request
                own.entities = [id]
                let (named, isComplete, missing) = try service.selections(of: own)
                var page = records(of: named, request)
                page.isComplete = page.isComplete && isComplete
                list.rows += page.rows.flatMap { row in
                    guard case .read(let entity, _) = row else { return [row] }
                    return [row] + entity.children.list.map { EntityRow($0) }
                }
                list.total += page.total
                list.isComplete = list.isComplete && page.isComplete
                list.missing += missing
                continue
            }
            switch service.locate(id, isPatient: request.isPatient) {
            case .later: list.isComplete = false
            case .missing: list.missing.append(id)
            case .found(let file, let number):
                guard let entity = file.entity(number, as: id) else {
                    list.missing.append(id)
                    continue
                }
                let rows = entity.children.list.flatMap { [$0] + $0.children.list }
                list.rows += rows.map { EntityRow($0) }
                list.total += rows.count
            }
        }
        return list
    }

    func details(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        var list = EntityList([])
        guard request.entities.count <= service.mostRows else {
            throw BrowseRequest.Fault(message: "a request can contain at most \(service.mostRows) entities")
        }
        for id in request.entities {
            if request.kind == .root, !id.isRecord {
                throw BrowseRequest.Fault(message: "ROOT requires either files or records, not both")
            }
            if !id.isRecord {
                let category = service.category(id, isPatient: request.isPatient)
                if let category, let file = category.members.first?.file {
                    list.rows.append(EntityRow(Entity(category, in: file)))
                } else if let file = service.knownFile(id) {
                    list.rows.append(EntityRow(Entity(file)))
                } else {
                    try service.miss(id, in: &list.missing)
                }
                continue
            }
            switch service.locate(id, isPatient: request.isPatient) {
            case .later: list.isComplete = false
            case .missing: list.missing.append(id)
            case .found(let file, let number):
                let row = file.row(number, as: id, for: request, request.compares ? nil : service.kept)
                if let row { list.rows.append(row) } else { list.missing.append(id) }
            }
        }
        list.total = list.rows.count
        if request.compares { list.rows = Workbench.compared(list.rows) }
        return list
    }
}
