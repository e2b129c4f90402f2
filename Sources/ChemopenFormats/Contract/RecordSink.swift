import ChemopenBytes
import ChemopenModel

// The verbs that the writers of every format use on their output.

extension ByteSink {
    /// Hands the pending bytes on when there are many.
    mutating func handOn() throws(WriteError) {
        do throws(FileError) {
            try flushIfLarge()
        } catch {
            throw WriteError(error)
        }
    }

    /// Puts bytes over those that a file begins with; `false` where nobody can go back.
    mutating func overwriteBeginning(with bytes: [UInt8]) throws(WriteError) -> Bool {
        do throws(FileError) {
            return try overwrite(bytes)
        } catch {
            throw WriteError(error)
        }
    }

    /// Hands all bytes on and puts the output in its place.
    mutating func finishWriting() throws(WriteError) {
        do throws(FileError) {
            try commit()
        } catch {
            throw WriteError(error)
        }
    }

    /// Takes the bytes out, of a sink that keeps them in memory.
    mutating func takeAll() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}
