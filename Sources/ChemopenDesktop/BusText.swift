/// Text in the notation of the session bus's values, as `gdbus` takes them.
enum BusText {
    static func quoted(_ text: String) -> String {
        let letters = text.map { character in
            character == "'" || character == "\\" ? "\\\(character)" : character == "\n" ? "\\n" : String(character)
        }
        return "'" + letters.joined() + "'"
    }
}
