import ChemopenBytes
import ChemopenModel

/// The JSON Schema of a line, generated from the forms that the reader and the writer use.
package enum JSONSchema {
    private static let objects: [any JSONObject.Type] = [
        JSONLine.self, SheetHeader.self, Column.self, SheetHeader.Extension.self, SaidAtom.self,
        SaidBond.self, Reaction.self, Reaction.Step.self, Reaction.Component.self, JSONStructure.self,
        Record.RegistryNumber.self, Sgroup.self, Sgroup.Bracket.self, Sgroup.AttachmentPoint.self,
        Sgroup.BondVector.self, Sgroup.Data.self, Sgroup.Keyword.self, StereoGroup.self, AtomCollection.self,
        LinkNode.self, RGroup.self, RGroup.Logic.self, Template.self, Abbreviation.self, Verbatim.self,
        AtomNote.Attachment.self, AtomNote.Configuration.self, ElementList.self, BondNote.Endpoints.self,
        BondNote.Geometry.self,
    ]

    /// The schema as text, with one definition per line.
    package static var text: String {
        var lines = objects.map { type in definition(type) }
        lines.append(
            line(MoleculeForm.name, nil, MoleculeForm.form.terms.map { ($0.key, $0.shape) }, isOneMember: false))
        let (atomNotes, bondNotes) = (AtomTerm.all.map(\.member), BondNote.kinds.map { ($0.key, $0.shape) })
        lines.append(line("atom_note", "an object with one member", atomNotes, isOneMember: true))
        lines.append(line("bond_note", "an object with one member", bondNotes, isOneMember: true))
        let plain = "{\"type\":[\"string\",\"number\",\"boolean\",\"null\",\"array\"]}"
        let structure = "{\"$ref\":\"#/$defs/\(JSONStructure.schemaName)\"}"
        lines.append("\"fields\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[\(plain),\(structure)]}}")
        lines.append(
            "\"field_headers\":{\"type\":\"object\",\"additionalProperties\":{\"type\":[\"string\",\"array\"]}}")
        return """
            {"$schema":"https://json-schema.org/draft/2020-12/schema",
            "title":"A line of Chemopen's JSON Lines, version \(JSONLine.version)",
            "$ref":"#/$defs/\(JSONLine.schemaName)",
            "$defs":{
            \(lines.joined(separator: ",\n"))
            }}

            """
    }

    private static func definition<Object: JSONObject>(_ type: Object.Type) -> String {
        line(Object.schemaName, nil, Object.form.terms.map { ($0.key, $0.shape) }, isOneMember: false)
    }

    private static func line(
        _ name: String, _ description: String?, _ members: [(StaticString, JSONShape)], isOneMember: Bool
    ) -> String {
        var json = JSON()
        json.key(text: Text(name))
        json.object { json in
            json.field("type", "object" as String)
            if let description { json.field("description", description) }
            json.key("properties")
            json.object { json in
                for (key, shape) in members {
                    json.key(key)
                    json.shape(shape)
                }
            }
            if isOneMember {
                json.field("minProperties", 1)
                json.field("maxProperties", 1)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension AtomTerm {
    fileprivate var member: (StaticString, JSONShape) {
        switch content {
        case .code: (name, .whole)
        case .text: (name, .text)
        case .numbers: (name, .list(.whole))
        case .attachments: (name, .list(AtomNote.Attachment.shape))
        case .elements: (name, ElementList.shape)
        case .configuration: (name, AtomNote.Configuration.shape)
        case .keyword: (name, Sgroup.Keyword.shape)
        }
    }
}

extension JSON {
    fileprivate mutating func shape(_ shape: JSONShape) {
        object { json in
            switch shape {
            case .text: json.field("type", "string" as String)
            case .whole: json.field("type", "integer" as String)
            case .number: json.field("type", "number" as String)
            case .truth: json.field("type", "boolean" as String)
            case .word(let words): json.field("enum", words)
            case .list(let element):
                json.field("type", "array" as String)
                json.key("items")
                json.shape(element)
            case .object(let name): json.field("$ref", "#/$defs/\(name)" as String)
            case .either(let shapes):
                json.key("anyOf")
                json.array { json in for shape in shapes { json.shape(shape) } }
            }
        }
    }
}
