import Chemopen

/// A sort key of records.
enum SortKey: Sendable, Hashable {
    case number, name, formula, mass
    case field(String)
    /// A computed value, such as `rings`.
    case fact(ComputedFields)

    init?(_ key: String) {
        switch key {
        case "number": self = .number
        case "name": self = .name
        case "formula": self = .formula
        case "mass": self = .mass
        default:
            if key.hasPrefix("fact:"), let fact = try? ComputedFields([String(key.dropFirst(5))]) {
                self = .fact(fact)
                return
            }
            guard key.hasPrefix("field:"), key.count > 6 else { return nil }
            self = .field(String(key.dropFirst(6)))
        }
    }

    /// Whether the values are read without the structure.
    var isField: Bool {
        if case .field = self { true } else { self == .number }
    }
}

/// A sort key with its direction.
struct SortTerm: Sendable, Hashable {
    let key: SortKey
    let isDescending: Bool

    /// The maximum number of keys in a request.
    static let most = 4
}

/// A sort order of a file's records. It is computed once by reading all records and uses four bytes for each.
final class OrderRun: Sendable {
    struct Key: Sendable, Hashable {
        var file: String
        var generation: Int
        /// The keys, the most important first. A single key is always ascending because its order can be reversed.
        var sort: [SortTerm]
    }

    struct Order: Sendable {
        /// The record numbers from 0. Records without a value are at the end.
        var numbers: [UInt32] = []
        var withoutValue = 0
        var isComplete = false
        var progress = 0.0
        fileprivate var isCancelled = false

        /// The reverse order. Records without a value stay at the end.
        var descending: [UInt32] {
            let split = max(0, numbers.count - withoutValue)
            return Array(numbers[..<split].reversed()) + numbers[split...]
        }
    }

    let key: Key
    private let file: BrowsedFile
    private let order = Guarded(Order())

    init(_ key: Key, _ file: BrowsedFile) {
        self.key = key
        self.file = file
    }

    func cancel() {
        order.change {
            $0.isCancelled = true
            $0.isComplete = true
        }
    }

    func wait() -> Order { order.wait { $0.isComplete ? $0 : nil } }
    var soFar: Order { order.change { $0 } }
    var isComplete: Bool { order.change { $0.isComplete } }

    func run() {
        let count = file.view.count
        let step = file.step(512, of: count)
        let width = max(1, key.sort.count)
        var values: [Value] = []
        var numbers: [UInt32] = []
        values.reserveCapacity(min(count, 1 << 20) * width)
        numbers.reserveCapacity(min(count, 1 << 20))
        let skips = key.sort.allSatisfy(\.key.isField)
        for start in stride(from: 0, to: count, by: step) {
            file.scan(start..<min(start + step, count), holding: nil, skippingStructures: skips) { number, record in
                for term in key.sort { values.append(value(of: record, term.key)) }
                numbers.append(UInt32(clamping: number))
                return true
            }
            let goesOn = order.change { order in
                order.progress = Double(start) / Double(max(count, 1))
                return !order.isCancelled
            }
            if !goesOn { return }
        }
        let descending = key.sort.map(\.isDescending)
        var places = Array(numbers.indices)
        places.sort { one, other in
            for part in 0..<min(width, descending.count) {
                let (first, second) = (values[one * width + part], values[other * width + part])
                if first == second { continue }
                // Records without a value are at the end in each direction.
                if first == .missing { return false }
                if second == .missing { return true }
                return descending[part] ? second < first : first < second
            }
            return numbers[one] < numbers[other]
        }
        let withoutValue = places.count { values[$0 * width] == .missing }
        let sorted = places.map { numbers[$0] }
        order.change { order in
            order.numbers = sorted
            order.withoutValue = withoutValue
            order.isComplete = true
            order.progress = 1
        }
    }

    private func value(of record: BrowsedRecord, _ sort: SortKey) -> Value {
        if sort == .number { return Value(Double(record.number)) }
        guard let content = record.record else { return .missing }
        switch sort {
        case .number: return Value(Double(record.number))
        case .name: return Value(content.title)
        case .formula:
            let formula = content.molecule?.formula ?? content.reaction?.products.first?.molecule.formula ?? ""
            return Value(Text(formula))
        case .mass:
            return content.molecule.map { $0.atoms.isEmpty ? .missing : Value($0.mass) } ?? .missing
        case .field(let name):
            let name = Text(name)
            guard let value = content.fields.first(where: { $0.name == name })?.value else { return .missing }
            return Value(numberOrText: value)
        case .fact(let fact):
            guard let first = fact.texts(of: content).first?.first else { return .missing }
            return Value(numberOrText: Text(bytes: first))
        }
    }
}

extension OrderRun {
    /// A sort value of sixteen bytes. Numbers precede text, and text is compared by its start.
    struct Value: Sendable, Hashable, Comparable {
        private var high: UInt64
        private var low: UInt64

        static let missing = Value(high: .max, low: .max)

        private init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }

        init(_ number: Double) {
            let bits = number.bitPattern
            let ordered = number.sign == .minus ? ~bits : bits | 1 << 63
            self.init(high: ordered >> 2, low: ordered << 62)
        }

        init(numberOrText value: Text) {
            let span = value.bytes.span
            self = Numeral.decimal(span, span.trimmed(0..<value.bytes.count)).map(Value.init) ?? Value(value)
        }

        /// Creates the value of text. Case is ignored, and numbers in the text are compared by their values.
        init(_ text: Text) {
            var bytes: [UInt8] = []
            var digits = 0
            for byte in text.bytes where bytes.count < 16 {
                if Ascii.isDigit(byte) {
                    digits += 1
                } else {
                    if digits > 0 { bytes.insert(UInt8(clamping: 0x30 + digits), at: bytes.count - digits) }
                    digits = 0
                }
                bytes.append(Ascii.lower(byte))
            }
            if digits > 0 { bytes.insert(UInt8(clamping: 0x30 + digits), at: bytes.count - digits) }
            guard bytes.contains(where: { $0 > Ascii.blank }) else {
                self = .missing
                return
            }
            bytes += Array(repeating: 0, count: max(0, 16 - bytes.count))
            let high = bytes[0..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let low = bytes[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            self.init(high: high >> 2 | 1 << 62, low: high << 62 | low >> 2)
        }

        static func < (one: Value, other: Value) -> Bool {
            (one.high, one.low) < (other.high, other.low)
        }
    }
}
