import ChemopenModel

/// The changed parts of a record in JSON Lines, each as the new JSON text that contains it.
package struct RecordPatch {
    /// The title, the structure including its title, the registry numbers, and other lines.
    package var title: [UInt8]?
    package var structure: [UInt8]?
    package var registry: [UInt8]?
    package var otherLines: [UInt8]?
    /// All fields with a name, and the name of the preceding field.
    package var fields: [(name: Text, after: Text?, line: [UInt8])] = []
    /// The complete record in the writer's own form, if the order or the headers of its fields have changed.
    package var spelling: [UInt8]?

    package init() {}
}
