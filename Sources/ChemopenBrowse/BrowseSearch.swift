import Chemopen

/// Requests that require reading all records.
extension BrowseService {
    /// Returns a page of the matching records.
    func search(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        let (selected, isKnown, missing) = try selections(of: request)
        if request.text.trimmingBlanks.isEmpty, request.condition.trimmingBlanks.isEmpty {
            return try RequestedEntities(service: self).root(request)
        }
        var seen: Set<String> = []
        let named = selected.map(\.file).filter { seen.insert($0.id).inserted }
        let needsAll = !request.sort.isEmpty || selected.contains { $0.numbers != nil }
        let views = named.map { request.isPatient && needsAll ? $0.wait(forRecords: .max) : $0.view }
        guard isKnown, !needsAll || views.allSatisfy(\.isComplete) else {
            // Without a complete index there are no sorted results yet. Still report errors in the query.
            _ = try query(request)
            var list = EntityList([])
            list.isComplete = false
            list.progress = 0
            list.missing = missing
            return list
        }
        guard let run = try searchRun(request, named) else { return .later }
        settle()
        let isPart = selected.count != named.count || selected.contains { $0.numbers != nil }
        if !request.sort.isEmpty {
            let found = request.isPatient ? run.wait(forHits: .max) : run.soFar
            var list = sorted(selected, hits: found, request)
            if list.isComplete { list.note = run.note(on: found, waiting: request.isPatient) }
            list.missing = missing
            return list
        }
        var found = request.isPatient ? run.wait(forHits: isPart ? .max : request.first + request.count) : run.soFar
        if isPart { found.keepOnly(selected, of: named) }
        var list = EntityList([])
        let page = (request.first..<request.first + request.count).clamped(to: 0..<found.hits.count)
        var hits = found.hits[page]
        while let first = hits.first {
            let own = hits.prefix { $0.file == first.file }
            list.append(own.map { Int($0.number) }, of: named[Int(first.file)], for: request, kept)
            hits = hits.dropFirst(own.count)
        }
        list.total = found.hits.count
        list.isComplete = list.isComplete && found.isComplete
        list.progress = found.isComplete ? 1 : found.progress
        list.note = run.note(on: found, waiting: request.isPatient)
        list.missing = missing
        return list
    }

    func query(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> SearchQuery {
        let query = Result { () throws(RecordFilter.SyntaxError) in
            try SearchQuery(request.text, in: request.domain, where: request.condition)
        }
        switch query {
        case .success(let query):
            if let problem = query.problem { throw BrowseRequest.Fault(message: problem) }
            return query
        case .failure(let error): throw BrowseRequest.Fault(message: error.message)
        }
    }

    /// Returns the current search if it is the same, or starts a new one, which cancels the other.
    func searchRun(
        _ request: BrowseRequest, _ named: [BrowsedFile]
    ) throws(BrowseRequest.Fault) -> SearchRun? {
        let files = named.map { "\($0.id) \($0.view.generation)" }
        let key = SearchRun.Key(
            text: request.text, domain: request.domain, condition: request.condition, files: files)
        if let run = runs.change({ $0.search(key) }) { return run }
        let run = SearchRun(key, try query(request), in: named)
        guard runs.change({ $0.add(run, isShared: isShared) }) else { return nil }
        start(run)
        return run
    }

    /// Returns records in a sort order, file by file. With `hits`, returns only those found by a search.
    func sorted(
        _ named: [Selection], hits: SearchRun.Found?, _ request: BrowseRequest
    ) -> EntityList {
        let isTurned = request.sort.count == 1 && request.sort[0].isDescending
        let sort = isTurned ? [SortTerm(key: request.sort[0].key, isDescending: false)] : request.sort
        var list = EntityList([])
        var skipped = request.first
        var left = request.count
        list.isComplete = hits?.isComplete ?? true
        list.progress = hits?.progress ?? 1
        var places: [String: Int] = [:]
        for selection in named where places[selection.file.id] == nil { places[selection.file.id] = places.count }
        for selection in named {
            let file = selection.file
            let place = places[file.id] ?? 0
            if request.isPatient { _ = file.wait(forRecords: .max) }
            guard file.view.isComplete else {
                list.isComplete = false
                list.progress = 0
                continue
            }
            guard let run = orderRun(OrderRun.Key(file: file.id, generation: file.view.generation, sort: sort), file)
            else { return .later }
            settle()
            let order = request.isPatient ? run.wait() : run.soFar
            list.isComplete = list.isComplete && order.isComplete
            list.progress = min(list.progress, order.isComplete ? 1 : order.progress)
            var numbers = isTurned ? order.descending : order.numbers
            if let hits {
                let wanted = Set(hits.hits.lazy.filter { $0.file == UInt32(clamping: place) }.map(\.number))
                numbers = numbers.filter(wanted.contains)
            }
            if let chosen = selection.numbers.map(Set.init) { numbers = numbers.filter(chosen.contains) }
            let page = numbers.dropFirst(skipped).prefix(left)
            list.append(page.map { Int($0) }, of: file, for: request, kept)
            left -= page.count
            skipped = max(0, skipped - numbers.count)
            list.total += numbers.count
        }
        return list
    }

    private func orderRun(_ key: OrderRun.Key, _ file: BrowsedFile) -> OrderRun? {
        if let run = runs.change({ $0.order(key) }) { return run }
        let run = OrderRun(key, file)
        let isOnly = files.count == 1
        guard runs.change({ $0.add(run, isOnly: isOnly, isShared: isShared) }) else { return nil }
        work.add(.order(run))
        return run
    }
}
