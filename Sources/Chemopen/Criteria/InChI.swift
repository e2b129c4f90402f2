import ChemopenChemistry
import ChemopenModel

/// The standard InChI of a molecule, and its key. The program `chemopen-inchi` makes them with Debian's library.
///
/// Configurations are those that a SMILES of the molecule says.
///
///     let key = InChI(try Molecule(smiles: "CC(=O)O"))?.key        // QTBSBXVTEAMEQO-UHFFFAOYSA-N
public struct InChI: Sendable, Hashable {
    /// The identifier: `InChI=1S/…`.
    public let text: String
    /// The key of it, 27 characters.
    public let key: String

    /// The name of the program, which lies beside this one.
    public static let program = "chemopen-inchi"

    private static let maker = AnsweringProgram(program)

    /// Whether the program lies beside this one, and has not said that it was built without the library.
    public static var isThere: Bool { maker.isThere }

    /// Why no InChI can be made, with what helps; `nil` if the program is there and starts.
    public static var problem: String? {
        let need = "inchi and inchikey need the program \(program), which"
        guard maker.isFound else {
            return need + " is not installed; install Debian's package chemopen"
        }
        // A program that cannot start is known as such after the first question.
        _ = maker.answer(to: Array("version\n".utf8))
        return isThere ? nil : need + " does not start; it needs the library libinchi"
    }

    /// The version of the library: `1.03.00`. Empty where it is not known.
    public static var libraryVersion: String {
        guard case .line(let version) = maker.answer(to: Array("version\n".utf8)) else { return "" }
        return String(decoding: version, as: UTF8.self)
    }

    /// Makes the InChI of a molecule, abbreviations as their atoms; there is none of what is no structure of elements, nor
    /// where the program is missing or takes too long.
    public init?(_ molecule: Molecule) {
        let whole = molecule.hasAbbreviations ? molecule.expandingAbbreviations() : molecule
        guard Self.isThere, let question = InChIQuestion(whole),
            case .line(let answer) = Self.maker.answer(to: question.bytes)
        else { return nil }
        let parts = answer.split(separator: UInt8(ascii: "\t"))
        guard parts.count == 2 else { return nil }
        (text, key) = (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
    }
}
