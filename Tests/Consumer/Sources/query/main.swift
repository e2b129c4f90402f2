import Chemopen
import Glibc

// Answers questions about files on standard input, a line each: PATH, a tab, a condition. An answer is a line, too:
// "records", a tab and the numbers of the records that fulfil the condition; or "error", a tab and the reason.
while let line = readLine() {
    let words = line.split(separator: "\t", maxSplits: 1).map(String.init)
    guard words.count == 2 else { continue }
    do {
        let criteria = try Criteria(words[1])
        let numbers: [Int]
        switch try FileCollection.open(LocalPath(words[0])) {
        case .editable(let file): numbers = try file.numbers(where: criteria)
        case .readOnly(let file): numbers = try file.numbers(where: criteria)
        }
        print("records\t" + numbers.map(String.init).joined(separator: " "))
    } catch let error as Criteria.SyntaxError {
        print("error\t" + error.message)
    } catch Conversion.Failure.impossible(let reason) {
        print("error\t" + reason)
    } catch Conversion.Failure.read(let error) {
        print("error\t\(error)")
    } catch {
        print("error\t\(error)")
    }
    // Whoever asks waits for the answer.
    fflush(nil)
}
