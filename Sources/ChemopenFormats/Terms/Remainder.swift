import ChemopenBytes
import ChemopenModel

/// The part of a value that a format cannot express, in the form of JSON Lines. It is stored in a field of SketchEl's
/// text or in an annotation of a drawing.
enum Remainder {
    /// Returns the text of a remainder; nil if the remainder is empty.
    static func text<Owner>(of owner: Owner, _ form: JSONForm<Owner>) -> Text? {
        var json = JSON()
        form.write(owner, to: &json)
        return json.bytes.count > 2 ? Text(bytes: json.bytes) : nil
    }

    /// Adds the content of a text to its owner. Returns false, without any change, if the text does not have this form.
    static func take<Owner>(_ text: Text, into owner: inout Owner, _ form: JSONForm<Owner>) -> Bool {
        guard text.bytes.first == UInt8(ascii: "{") else { return false }
        var json = JSONCursor(0..<text.bytes.count, of: text.bytes)
        var read = owner
        guard (try? form.read(&json, into: &read)) != nil, json.isAtEnd, json.unknown.isEmpty else { return false }
        owner = read
        return true
    }
}
