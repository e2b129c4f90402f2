import Chemopen
import FuzzPromises
import Glibc

/// Runs an input. libFuzzer calls this function with every generated input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    reader.try(input)
    return 0
}

/// The reader that `CHEMOPEN_FUZZ` specifies by a format id. By default, the format is detected.
private let reader = Promises(
    format: named(variable("CHEMOPEN_FUZZ")),
    comparison: Promises.Comparison(rawValue: variable("CHEMOPEN_FUZZ_COMPARE")) ?? .all,
    isWhole: variable("CHEMOPEN_FUZZ_WHOLE") == "1")

private func named(_ id: String) -> Format? {
    if id.isEmpty { return nil }
    guard let format = FormatRegistry.standard[id] else { fail("unknown format \"\(id)\"") }
    return format
}

private func variable(_ name: String) -> String {
    guard let value = unsafe getenv(name) else { return "" }
    return unsafe String(cString: value)
}
