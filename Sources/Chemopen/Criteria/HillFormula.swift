/// Returns a formula in Hill order, or the unchanged text if it is not a formula.
package func hillFormula(_ text: String) -> String {
    var entries: [(symbol: String, count: Int)] = []
    var rest = Array(text.utf8.filter { $0 > Ascii.blank })[...]
    while let first = rest.popFirst() {
        guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return text }
        var symbol = [first]
        while let next = rest.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next) {
            symbol.append(next)
            rest = rest.dropFirst()
        }
        var count = 0
        var isCounted = false
        while let digit = rest.first, Ascii.isDigit(digit), count < 1_000_000 {
            count = count * 10 + Int(digit & 15)
            isCounted = true
            rest = rest.dropFirst()
        }
        let name = String(decoding: symbol, as: UTF8.self)
        let added = isCounted ? count : 1
        if let place = entries.firstIndex(where: { $0.symbol == name }) {
            entries[place].count += added
        } else {
            entries.append((name, added))
        }
    }
    let hasCarbon = entries.contains { $0.symbol == "C" }
    func rank(_ symbol: String) -> String {
        hasCarbon && symbol == "C" ? "" : hasCarbon && symbol == "H" ? " " : symbol
    }
    entries.sort { rank($0.symbol) < rank($1.symbol) }
    return entries.filter { $0.count > 0 }.map { $0.symbol + ($0.count > 1 ? "\($0.count)" : "") }.joined()
}
