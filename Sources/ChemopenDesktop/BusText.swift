/// Text in GVariant notation, which `gdbus` expects for its arguments.
enum BusText {
    static func quoted(_ text: String) -> String {
        let letters = text.map { character in
            character == "'" || character == "\\" ? "\\\(character)" : character == "\n" ? "\\n" : String(character)
        }
        return "'" + letters.joined() + "'"
    }
}
