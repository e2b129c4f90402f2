/// A recursive descent parser for conditions.
///
///     question = part { "or" part }
///     part     = test { "and" test }
///     test     = "not" test | "(" question ")" | "has(" trait ")" | "contains(" pattern ")" | operand relation
///     operand  = name | "quoted name" | "number(" name ")"
///     relation = ( = | != | < | <= | > | >= | ~ | ~* ) value | ["not"] "in (" value { "," value } ")"
///              | ["not"] "between" value "and" value | "exists" | "is" ["not"] "empty"
struct CriteriaParser {
    private let text: String
    private let bytes: (String) -> Text
    private var rest: Substring
    private var depth = 0

    private static let deepest = 100
    private static let signs = "!<>=~"

    /// - Parameter bytes: Returns the bytes for a part of the text.
    init(_ text: String, _ bytes: @escaping (String) -> Text) {
        self.text = text
        self.bytes = bytes
        rest = text[...]
    }

    mutating func criteria() throws(RecordFilter.SyntaxError) -> RecordFilter.Node {
        let node = try question()
        skipBlanks()
        if !rest.isEmpty { throw error("expected \"and\", \"or\" or the end" + found(rest), rest) }
        return node
    }

    private mutating func question() throws(RecordFilter.SyntaxError) -> RecordFilter.Node {
        var nodes = [try part()]
        while take(word: "or") { nodes.append(try part()) }
        return nodes.count == 1 ? nodes[0] : .any(nodes)
    }

    private mutating func part() throws(RecordFilter.SyntaxError) -> RecordFilter.Node {
        var nodes = [try test()]
        while take(word: "and") { nodes.append(try test()) }
        return nodes.count == 1 ? nodes[0] : .all(nodes)
    }

    private mutating func test() throws(RecordFilter.SyntaxError) -> RecordFilter.Node {
        skipBlanks()
        depth += 1
        defer { depth -= 1 }
        if depth > Self.deepest { throw error("more than \(Self.deepest) nested parentheses", rest) }
        if take(word: "not") { return .not(try test()) }
        if take("(") {
            let node = try question()
            skipBlanks()
            guard take(")") else { throw error("expected )" + found(rest), rest) }
            return node
        }
        if take("has(") { return .has(try trait()) }
        if take("contains(") { return .contains(try structure()) }
        let operand = try operand()
        skipBlanks()
        let isTurned = take(word: "not")
        if isTurned, !startsRelation() {
            throw error("expected \"in\" or \"between\" after \"not\"" + found(rest), rest)
        }
        let (relation, isNegative) = try relation(of: operand)
        if isTurned, let turned = relation.turned { return .test(operand, turned) }
        return isTurned != isNegative ? .not(.test(operand, relation)) : .test(operand, relation)
    }

    private mutating func trait() throws(RecordFilter.SyntaxError) -> RecordTrait {
        let (word, part) = try argument()
        if let trait = RecordTrait(word) { return trait }
        let hint = suggestion(for: word.lowercased(), among: RecordTrait.names)
        throw error("has() does not support \"\(word)\"" + hint, part)
    }

    private mutating func structure() throws(RecordFilter.SyntaxError) -> SoughtStructure {
        let (word, part) = try argument()
        if word.isEmpty { throw error("expected a SMARTS pattern in contains()" + found(rest), part) }
        do throws(SMARTSError) {
            return SoughtStructure(try SMARTSPattern(word))
        } catch {
            let isQuoted = part.first == "'" || part.first == "\""
            let inner = isQuoted ? part.dropFirst().dropLast() : part
            let bytes = inner.utf8
            let start = bytes.index(bytes.startIndex, offsetBy: error.range.lowerBound, limitedBy: bytes.endIndex)
            let end = bytes.index(bytes.startIndex, offsetBy: error.range.upperBound, limitedBy: bytes.endIndex)
            guard let start, let end, start < end else {
                throw self.error("invalid SMARTS pattern in contains(): \(error.message)", part)
            }
            throw self.error("invalid SMARTS pattern in contains(): \(error.message)", inner[start..<end])
        }
    }

    // MARK: Operands

    private mutating func operand() throws(RecordFilter.SyntaxError) -> RecordFilter.Operand {
        if take("number(") { return .measure(bytes(try argument().word)) }
        if let quoted = try quoted() { return .field(bytes(quoted)) }
        let name = startsWithConjunction ? "" : bareName()
        if name.isEmpty { throw error("expected a field name" + found(rest), rest) }
        if let value = ComputedValue(String(name)) { return .computed(value) }
        guard name.hasPrefix(ComputedValue.elementPrefix) else { return .field(bytes(String(name))) }
        let symbol = name.dropFirst(ComputedValue.elementPrefix.count)
        guard let element = ChemicalElement(symbol: String(symbol)) else {
            throw error("unknown element \"\(symbol)\"", symbol)
        }
        return .computed(.element(element))
    }

    /// Parses an unquoted name: all text up to a comparison sign or a keyword that starts a relation.
    private mutating func bareName() -> Substring {
        words { first, _ in
            Self.signs.contains(first)
        } upTo: {
            $0.startsRelation()
        }
    }

    /// Parses text up to a sign or keyword that ends it, or up to the closing parenthesis of an enclosing group.
    private mutating func words(
        before isEnd: (_ first: Character, _ open: Int) -> Bool, upTo isLast: (CriteriaParser) -> Bool
    ) -> Substring {
        let start = rest
        var end = rest.startIndex
        var open = 0
        while let first = rest.first, !isEnd(first, open) {
            if first == "(" { open += 1 }
            if first == ")" {
                if open == 0 { break }
                open -= 1
            }
            if isBlank(first) {
                skipBlanks()
                if isLast(self) { break }
                continue
            }
            rest.removeFirst()
            end = rest.startIndex
        }
        return start[..<end]
    }

    /// Whether the next keyword ends a name.
    private func startsRelation() -> Bool {
        if startsWithConjunction { return true }
        var ahead = self
        _ = ahead.take(word: "not")
        if ahead.take(word: "in") {
            ahead.skipBlanks()
            return ahead.rest.first == "("
        }
        if ahead.take(word: "between") { return true }
        if ahead.take(word: "exists") { return ahead.isAtEndOfTest }
        ahead = self
        guard ahead.take(word: "is") else { return false }
        _ = ahead.take(word: "not")
        return ahead.take(word: "empty") && ahead.isAtEndOfTest
    }

    private var isAtEndOfTest: Bool {
        var ahead = self
        ahead.skipBlanks()
        return ahead.rest.isEmpty || ahead.rest.first == ")" || ahead.startsWithConjunction
    }

    // MARK: Relations

    private mutating func relation(
        of operand: RecordFilter.Operand
    ) throws(RecordFilter.SyntaxError) -> (RecordFilter.Relation, isNegative: Bool) {
        let start = rest
        if take(word: "in") {
            skipBlanks()
            guard take("(") else { throw error("expected ( after \"in\"" + found(rest), rest) }
            return (.isOneOf(try list(for: operand)), false)
        }
        if take(word: "between") {
            let low = try orderedLiteral(for: operand, behind: "between")
            guard take(word: "and") else {
                throw error("expected \"and\" after \"between \(low.text)\"" + found(rest), rest)
            }
            let high = try orderedLiteral(for: operand, behind: "and")
            if (low.number == nil) != (high.number == nil) {
                throw error("expected two numbers or two dates", start.prefix(upTo: rest.startIndex))
            }
            if low.isAbove(high) {
                throw error(
                    "no value is between \(low.text) and \(high.text) (put the lower one first)",
                    start.prefix(upTo: rest.startIndex).trimmed)
            }
            return (.isBetween(low, high), false)
        }
        if take(word: "exists") {
            if case .computed(let value) = operand, !value.mayBeMissing {
                throw error(
                    "\(value.name) is computed and always exists (use \"exists\" with a field)", start.prefix(6))
            }
            return (.exists, false)
        }
        if take(word: "is") {
            let isNegative = take(word: "not")
            skipBlanks()
            guard take(word: "empty") else { throw error("expected \"empty\" after \"is\"" + found(rest), rest) }
            if case .computed(let value) = operand, value.isNumber {
                throw error("\(value.name) is a number and never empty", start.prefix(upTo: rest.startIndex))
            }
            return (.isEmpty, isNegative)
        }
        let comparison = try comparison(behind: operand)
        if comparison.isOrder {
            return (.compares(comparison, try orderedLiteral(for: operand, behind: comparison.rawValue)), false)
        }
        return (.compares(comparison, try literal(for: operand, comparison)), false)
    }

    private mutating func comparison(
        behind operand: RecordFilter.Operand
    ) throws(RecordFilter.SyntaxError) -> RecordFilter.Comparison {
        guard let found = RecordFilter.Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
            throw error(
                "expected one of = != < <= > >= ~ ~* in between exists is after the field name" + self.found(rest),
                rest)
        }
        let start = rest
        rest = rest.dropFirst(found.rawValue.count)
        if found == .equal, rest.hasPrefix("=") { rest = rest.dropFirst() }
        if let sign = rest.first, Self.signs.contains(sign) {
            let signs = start.prefix { Self.signs.contains($0) }
            throw error("unknown operator \(signs) (quote a text that starts like this)", signs)
        }
        return found
    }

    // MARK: Values

    /// Parses a number or date, which ends at the next space.
    private mutating func orderedLiteral(
        for operand: RecordFilter.Operand, behind word: String
    ) throws(RecordFilter.SyntaxError) -> RecordFilter.Literal {
        let (value, part, _) = try self.value { parser throws(RecordFilter.SyntaxError) in parser.word() }
        let literal = RecordFilter.Literal(bytes(value))
        guard literal.hasOrder, !(operand.isNumber && literal.number == nil) else {
            let expected = operand.isNumber ? "a number" : "a number or a date such as 2024-01-31"
            throw error("expected \(expected) after \(word)" + found(part.isEmpty ? rest : part), part)
        }
        var ahead = self
        ahead.skipBlanks()
        if !isAtEndOfTest {
            let hint = operand.field.map { "; use number(\($0.string)) for values with units" } ?? ""
            throw error("expected \"and\", \"or\" or the end after \(value)\(found(ahead.rest))\(hint)", ahead.rest)
        }
        return literal
    }

    /// Parses any value: a quoted text, or all text up to `and`, `or` or the closing parenthesis of an enclosing group.
    private mutating func literal(
        for operand: RecordFilter.Operand, _ comparison: RecordFilter.Comparison, inList: Bool = false
    ) throws(RecordFilter.SyntaxError) -> RecordFilter.Literal {
        let (value, part, isQuoted) = try self.value { parser throws(RecordFilter.SyntaxError) in
            try parser.bareValue(inList: inList)
        }
        if isQuoted {
            skipBlanks()
            guard isAtEndOfTest || inList && rest.first == "," else {
                throw error("expected \"and\", \"or\" or the end after the quoted value" + found(rest), rest)
            }
        }
        let literal = RecordFilter.Literal(bytes(value))
        if operand.isNumber {
            if comparison.searchesText {
                throw error("\(comparison.rawValue) searches for text, but \(operand.described) is a number", part)
            }
            if literal.number == nil { throw error("expected a number for \(operand.described)" + found(part), part) }
        }
        if value.isEmpty, !isQuoted {
            let place = inList ? "in the list" : "after \(comparison.rawValue)"
            throw error("expected a value \(place)\(found(rest)); use '' for an empty value", rest)
        }
        if case .computed(.formula) = operand, !comparison.searchesText {
            return RecordFilter.Literal(Text(hillFormula(literal.text.string)))
        }
        return literal
    }

    /// Parses a value, quoted or not, and returns it with its position.
    private mutating func value(
        bare takeBare: (inout Self) throws(RecordFilter.SyntaxError) -> Substring
    ) throws(RecordFilter.SyntaxError) -> (text: String, part: Substring, isQuoted: Bool) {
        skipBlanks()
        let start = rest
        if let quoted = try quoted() { return (quoted, start[..<rest.startIndex], true) }
        let text = String(try takeBare(&self))
        return (text, start[..<rest.startIndex].trimmed, false)
    }

    /// Parses all text up to a space or a closing parenthesis.
    private mutating func word() -> Substring {
        let start = rest
        rest = rest.drop { !isBlank($0) && $0 != ")" }
        return start[..<rest.startIndex]
    }

    private mutating func bareValue(inList: Bool) throws(RecordFilter.SyntaxError) -> Substring {
        var (second, sign): (Substring?, Substring?)
        let value = words { first, open in
            inList && open == 0 && first == ","
        } upTo: { ahead in
            if ahead.startsWithConjunction { return true }
            if ahead.rest.hasPrefix("&&") || ahead.rest.hasPrefix("||") {
                sign = ahead.rest.prefix(2)
                return true
            }
            guard let sign = ahead.rest.first, Self.signs.contains(sign) else { return false }
            second = ahead.rest
            return true
        }
        if let sign {
            let word = sign == "&&" ? "and" : "or"
            throw error("use \"\(word)\" instead of \(sign) (quote a text that contains it)", sign)
        }
        if let second {
            throw error("expected no second operator\(found(second)) (quote a text that contains one)", second)
        }
        return value
    }

    private var startsWithConjunction: Bool {
        var ahead = self
        return ahead.take(word: "and") || ahead.take(word: "or")
    }

    private mutating func list(for operand: RecordFilter.Operand) throws(RecordFilter.SyntaxError) -> [RecordFilter
        .Literal]
    {
        var literals: [RecordFilter.Literal] = []
        repeat {
            literals.append(try literal(for: operand, .equal, inList: true))
            skipBlanks()
        } while take(",")
        guard take(")") else { throw error("expected , or )" + found(rest), rest) }
        return literals
    }

    // MARK: Tokens

    private func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    private mutating func skipBlanks() {
        rest = rest.drop(while: isBlank)
    }

    /// Consumes a keyword in any case if it is the next token.
    private mutating func take(word: String) -> Bool {
        let ahead = rest.drop(while: isBlank)
        guard ahead.prefix(word.count).lowercased() == word else { return false }
        let behind = ahead.dropFirst(word.count)
        guard behind.first.map({ isBlank($0) || $0 == "(" || $0 == ")" }) ?? true else { return false }
        rest = behind
        return true
    }

    private mutating func take(_ sign: String) -> Bool {
        guard rest.hasPrefix(sign) else { return false }
        rest = rest.dropFirst(sign.count)
        return true
    }

    /// Parses the text up to the matching closing parenthesis.
    private mutating func argument() throws(RecordFilter.SyntaxError) -> (word: String, part: Substring) {
        skipBlanks()
        let start = rest
        if let quoted = try quoted() {
            let part = start[..<rest.startIndex]
            skipBlanks()
            guard take(")") else { throw error("expected )" + found(rest), rest) }
            return (quoted, part)
        }
        var open = 1
        while let first = rest.popFirst() {
            if first == "(" { open += 1 }
            if first == ")" { open -= 1 }
            if open == 0 {
                let part = start[..<rest.startIndex].dropLast().trimmed
                return (String(part), part)
            }
        }
        throw error("expected )" + found(rest), rest)
    }

    /// Parses a quoted text. Returns `nil` if no quotation mark follows.
    private mutating func quoted() throws(RecordFilter.SyntaxError) -> String? {
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        guard let end = rest.dropFirst().firstIndex(of: quote) else { throw error("expected a closing \(quote)", rest) }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[rest.index(after: rest.startIndex)..<end])
    }

    private func error(_ message: String, _ part: Substring) -> RecordFilter.SyntaxError {
        RecordFilter.SyntaxError(message: message, text: text, part: part.startIndex..<part.endIndex)
    }

    private func found(_ part: Substring) -> String {
        part.isEmpty ? ", found the end" : ", found \(part)"
    }
}

extension RecordFilter.Operand {
    /// Whether the operand can be compared only with numbers.
    fileprivate var isNumber: Bool {
        switch self {
        case .field: false
        case .measure: true
        case .computed(let value): value.isNumber
        }
    }

    fileprivate var described: String {
        switch self {
        case .field(let name): name.string
        case .measure(let name): "number(\(name.string))"
        case .computed(let value): value.name
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
