import ChemopenBytes
import ChemopenModel

/// The part of a value that a format cannot express, as JSON Lines express it: in a field of SketchEl's text or in an
/// annotation of a drawing.
enum Remainder {
    /// Returns the text of a remainder; nil if nothing remains.
    static func text<Owner>(of owner: Owner, _ form: JSONForm<Owner>) -> Text? {
        var json = JSON()
        form.write(owner, to: &json)
        return json.bytes.count > 2 ? Text(bytes: json.bytes) : nil
    }

    /// Adds what a text says to its owner. Returns false, and changes nothing, if it is no text of the form.
    static func take<Owner>(_ text: Text, into owner: inout Owner, _ form: JSONForm<Owner>) -> Bool {
        guard text.bytes.first == UInt8(ascii: "{") else { return false }
        var json = JSONCursor(0..<text.bytes.count, of: text.bytes)
        var read = owner
        guard (try? form.read(&json, into: &read)) != nil, json.isAtEnd, json.unknown.isEmpty else { return false }
        owner = read
        return true
    }
}
