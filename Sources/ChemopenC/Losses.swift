import CChemopen
import Chemopen

/// The names of all features, created once.
@safe
private enum FeatureTable {
    nonisolated(unsafe) static let names: [UnsafePointer<CChar>] = unsafe Feature.allCases.map {
        unsafe immortal($0.name)
    }
    private nonisolated(unsafe) static let none = unsafe immortal("")

    static func name(of feature: Feature?) -> UnsafePointer<CChar> {
        guard let feature, let place = Feature.allCases.firstIndex(of: feature) else { return unsafe none }
        return unsafe names[place]
    }
}

/// A message about a conversion or a table.
struct SpokenRemark {
    var kind: chemopen_event_kind
    var input = ""
    var feature: Feature?
    var text: String
}

extension SpokenRemark {
    /// Returns the messages for loss reports and for the record filter, starting with the losses by kind.
    static func all(of reports: [(input: LocalPath, report: LossReport)], _ choice: [SelectionStatistics.Remark])
        -> [Self]
    {
        var remarks: [Self] = []
        for (input, report) in reports {
            for line in report.lines {
                remarks.append(
                    Self(kind: CHEMOPEN_EVENT_LOSS, input: input.shown, feature: line.feature, text: line.text))
            }
            for version in report.versions {
                remarks.append(Self(kind: CHEMOPEN_EVENT_VERSION, input: input.shown, text: "\(version)"))
            }
        }
        for remark in choice {
            let kind = remark.isWarning ? CHEMOPEN_EVENT_WARNING : CHEMOPEN_EVENT_NOTE
            remarks.append(Self(kind: kind, text: remark.text))
        }
        return remarks
    }
}

/// Remarks lent to the caller.
@safe
struct LentRemarks: ~Copyable {
    private var text = LentText()
    private var entries = unsafe LentMemory<chemopen_remark>()

    mutating func set(_ remarks: [SpokenRemark]) {
        var bytes: [UInt8] = []
        for remark in remarks {
            bytes += Array(remark.input.utf8) + [0]
            bytes += Array(remark.text.utf8) + [0]
        }
        text.set(bytes.span)
        unsafe entries.empty(for: remarks.count)
        var start = 0
        for remark in remarks {
            let message = start + remark.input.utf8.count + 1
            unsafe entries.append(
                chemopen_remark(
                    kind: remark.kind, input: text.pointer.map { unsafe $0 + start },
                    feature: FeatureTable.name(of: remark.feature),
                    message: text.pointer.map { unsafe $0 + message }))
            start = message + remark.text.utf8.count + 1
        }
    }

    var pointer: UnsafePointer<chemopen_remark>? { unsafe entries.pointer }
    var count: Int { unsafe entries.count }
}

/// Losses lent to the caller.
@safe
struct LentLosses: ~Copyable {
    private var text = LentText()
    private var entries = unsafe LentMemory<chemopen_loss>()

    /// Replaces the losses. Each has the number of its record.
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
