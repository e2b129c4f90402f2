import Chemopen

/// Answers for which all records have to be looked at.
extension BrowseService {
    /// The records that fit, a page of them.
    func search(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> EntityList {
        let named = try files(of: request)
        if request.text.trimmingBlanks.isEmpty { return try root(request) }
        let views = named.map { request.isPatient ? $0.wait(forRecords: .max) : $0.view }
        guard views.allSatisfy(\.isComplete) else {
            // Nothing is found before the index is there.
            _ = try query(request)
            var list = EntityList([])
            list.isComplete = false
            list.progress = 0
            return list
        }
        let run = try searchRun(request, named)
        settle()
        if let sort = request.sort {
            let found = request.isPatient ? run.wait(forHits: .max) : run.soFar
            return sorted(named, by: sort, hits: found, request)
        }
        let found = request.isPatient ? run.wait(forHits: request.first + request.count) : run.soFar
        var list = EntityList([])
        let page = (request.first..<request.first + request.count).clamped(to: 0..<found.hits.count)
        // Records that stand behind one another are read together.
        var hits = found.hits[page]
        while let first = hits.popFirst() {
            let file = named[Int(first.file)]
            var numbers = Int(first.number)..<Int(first.number) + 1
            while let next = hits.first, next.file == first.file, Int(next.number) == numbers.upperBound {
                numbers = numbers.lowerBound..<numbers.upperBound + 1
                hits.removeFirst()
            }
            list.rows += file.records(numbers).map { Entity($0, in: file) }
        }
        list.total = found.hits.count
        list.isComplete = found.isComplete
        list.progress = found.isComplete ? 1 : found.progress
        if found.isComplete, let field = run.missingField(in: found) {
            if request.isPatient { for file in named { file.waitForFields() } }
            let names = named.flatMap { $0.view.fields }.map(\.string)
            list.note = "no record has a field \"\(field)\"" + suggestion(for: field, among: names)
        }
        return list
    }

    private func query(_ request: BrowseRequest) throws(BrowseRequest.Fault) -> SearchQuery {
        do throws(Criteria.SyntaxError) {
            return try SearchQuery(request.text, in: request.domain)
        } catch {
            throw BrowseRequest.Fault(message: error.message)
        }
    }

    /// The search under way if it is the same, or a new one, which ends the other.
    private func searchRun(
        _ request: BrowseRequest, _ named: [BrowsedFile]
    ) throws(BrowseRequest.Fault) -> SearchRun {
        let files = named.map { "\($0.id) \($0.view.generation)" }
        let key = SearchRun.Key(text: request.text, domain: request.domain, files: files)
        if let run = runs.change({ $0.search }), run.key == key { return run }
        let run = SearchRun(key, try query(request), in: named)
        runs.change { runs in
            runs.search?.cancel()
            runs.search = run
        }
        work.add(.search(run))
        return run
    }

    /// Records in an order, file after file; only the hits of a search where there is one.
    func sorted(
        _ named: [BrowsedFile], by sort: SortKey, hits: SearchRun.Found?, _ request: BrowseRequest
    ) -> EntityList {
        var list = EntityList([])
        var skipped = request.first
        var left = request.count
        list.isComplete = hits?.isComplete ?? true
        list.progress = hits?.progress ?? 1
        for (place, file) in named.enumerated() {
            if request.isPatient { _ = file.wait(forRecords: .max) }
            guard file.view.isComplete else {
                list.isComplete = false
                list.progress = 0
                continue
            }
            let run = orderRun(OrderRun.Key(file: file.id, generation: file.view.generation, sort: sort), file)
            settle()
            let order = request.isPatient ? run.wait() : run.soFar
            list.isComplete = list.isComplete && order.isComplete
            list.progress = min(list.progress, order.isComplete ? 1 : order.progress)
            var numbers = request.isDescending ? order.descending : order.numbers
            if let hits {
                let wanted = Set(hits.hits.lazy.filter { $0.file == UInt32(clamping: place) }.map(\.number))
                numbers = numbers.filter(wanted.contains)
            }
            for number in numbers.dropFirst(skipped).prefix(left) {
                list.rows += file.records(Int(number)..<Int(number) + 1).map { Entity($0, in: file) }
                left -= 1
            }
            skipped = max(0, skipped - numbers.count)
            list.total += numbers.count
        }
        return list
    }

    private func orderRun(_ key: OrderRun.Key, _ file: BrowsedFile) -> OrderRun {
        if let run = runs.change({ $0.order }), run.key == key { return run }
        let run = OrderRun(key, file)
        runs.change { runs in
            if files.count == 1 { runs.order?.cancel() }
            runs.order = run
        }
        work.add(.order(run))
        return run
    }
}
