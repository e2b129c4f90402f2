import Chemopen
import Glibc

// Responds to queries about files. Each line of input contains PATH, a tab and a condition. Each line of output
// contains "records", a tab and the numbers of the matching records; or "error", a tab and the reason.
while let line = readLine() {
    let words = line.split(separator: "\t", maxSplits: 1).map(String.init)
    guard words.count == 2 else { continue }
    do {
        let criteria = try RecordFilter(words[1])
        let numbers: [Int]
        switch try FileCollection.open(LocalPath(words[0])) {
        case .editable(let file): numbers = try file.numbers(where: criteria)
        case .readOnly(let file): numbers = try file.numbers(where: criteria)
        }
        print("records\t" + numbers.map(String.init).joined(separator: " "))
    } catch let error as RecordFilter.SyntaxError {
        print("error\t" + error.message)
    } catch Conversion.Failure.impossible(let reason) {
        print("error\t" + reason)
    } catch Conversion.Failure.read(let error) {
        print("error\t\(error)")
    } catch {
        print("error\t\(error)")
    }
    // The client waits for the response.
    fflush(nil)
}
