import ChemopenModel

/// The parts of a record that an edit has changed, and for each the line that has it as it is now.
package struct RecordPatch {
    /// The title; the structure, to which the title of its line belongs; the registry numbers; lines of other kinds.
    package var title: [UInt8]?
    package var structure: [UInt8]?
    package var registry: [UInt8]?
    package var otherLines: [UInt8]?
    /// All fields of a name, behind the field of the name before it.
    package var fields: [(name: Text, after: Text?, line: [UInt8])] = []
    /// The record as a writer spells it, if the order and the headers of its fields have to be taken over from it.
    package var spelling: [UInt8]?

    package init() {}
}
