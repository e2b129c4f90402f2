/// The distribution of a field's numbers or dates over up to 64 bins.
public struct FieldHistogram: Sendable, Hashable {
    /// The edges of the bins in ascending order, one more than bins. A bin contains its lower edge; the last one also
    /// its upper edge.
    public let edges: [Double]
    /// The number of values in each bin.
    public private(set) var counts: [Int]
    /// Whether the bins grow with the values because these differ by orders of magnitude.
    public let isLogarithmic: Bool

    /// The number of bins if the values differ.
    public static let binCount = 64

    init(_ entries: [NumberSketch.Entry], from low: Double, to high: Double, median: Double, areWhole: Bool) {
        let width = high / 2 - low / 2
        if areWhole, width * 2 < Double(Self.binCount) {
            // Each integer has a bin of its own.
            let bins = Int(width * 2) + 1
            edges = (0...bins).map { low - 0.5 + Double($0) }
            (isLogarithmic, counts) = (false, Array(repeating: 0, count: bins))
            for entry in entries { counts[min(max(Int(entry.middle - low), 0), bins - 1)] += entry.count }
            return
        }
        guard width > 0 else {
            edges = [low, high]
            (isLogarithmic, counts) = (false, [entries.reduce(0) { $0 + $1.count }])
            return
        }
        // Most values would be in the first bins of a linear scale.
        let isLogarithmic = low > 0 && high / low >= 100 && (median / 2 - low / 2) / width < 0.05
        self.isLogarithmic = isLogarithmic
        let bins = Self.binCount
        counts = Array(repeating: 0, count: bins)
        let (start, end) = isLogarithmic ? (Self.octaves(low), Self.octaves(high)) : (low, high)
        edges = (0...bins).map { bin in
            if bin == 0 { return low }
            if bin == bins { return high }
            let part = Double(bin) / Double(bins)
            let place = start * (1 - part) + end * part
            return isLogarithmic ? Self.value(octaves: place) : place
        }
        for entry in entries { counts[bin(of: entry.middle)] += entry.count }
    }

    private func bin(of value: Double) -> Int {
        var (low, high) = (0, counts.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if edges[middle] <= value { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// Returns a logarithm to base 2 that is linear between powers of two, which is precise enough for bins.
    private static func octaves(_ value: Double) -> Double { Double(value.exponent) + value.significand - 1 }

    private static func value(octaves: Double) -> Double {
        let whole = octaves.rounded(.down)
        return Double(sign: .plus, exponent: Int(whole), significand: 1 + octaves - whole)
    }
}
