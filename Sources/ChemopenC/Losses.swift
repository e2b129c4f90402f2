import CChemopen
import Chemopen

/// The names of all features, made once.
@safe
private enum FeatureTable {
    nonisolated(unsafe) static let names: [UnsafePointer<CChar>] = unsafe Feature.allCases.map {
        unsafe immortal($0.name)
    }
}

/// Losses that are lent to the caller.
@safe
struct LentLosses: ~Copyable {
    private var text = LentText()
    private var entries = unsafe LentMemory<chemopen_loss>()

    /// Takes other losses, each with the record that it is of.
    mutating func set(_ losses: [(record: Int, loss: Loss)]) {
        var bytes: [UInt8] = []
        var starts: [Int] = []
        for (_, loss) in losses {
            starts.append(bytes.count)
            bytes += Array(loss.detail.string.utf8) + [0]
        }
        text.set(bytes.span)
        unsafe entries.empty(for: losses.count)
        for ((record, loss), start) in zip(losses, starts) {
            let place = Feature.allCases.firstIndex(of: loss.feature) ?? 0
            unsafe entries.append(
                chemopen_loss(
                    record: Int64(record), feature: FeatureTable.names[place],
                    detail: text.pointer.map { unsafe $0 + start },
                    count: Int64(loss.count)))
        }
    }

    var pointer: UnsafePointer<chemopen_loss>? { unsafe entries.pointer }
    var count: Int { unsafe entries.count }
}
