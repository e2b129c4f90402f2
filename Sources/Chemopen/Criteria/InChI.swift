import ChemopenChemistry
import ChemopenModel

/// The standard InChI and InChIKey of a molecule. The program `chemopen-inchi` computes them with Debian's InChI
/// library.
///
/// The stereo configurations are the same as in the molecule's SMILES.
///
///     let key = InChI(try Molecule(smiles: "CC(=O)O"))?.key        // QTBSBXVTEAMEQO-UHFFFAOYSA-N
public struct InChI: Sendable, Hashable {
    /// The identifier, such as `InChI=1S/…`.
    public let text: String
    /// The InChIKey, which has 27 characters.
    public let key: String

    /// The name of the program. It is located next to the running program; for a library, also near the library and in
    /// `PATH`.
    public static let program = "chemopen-inchi"

    private static let maker = AnsweringProgram(program)

    /// Whether the program is installed and has not reported that it was built without the library.
    public static var isThere: Bool { maker.isThere }

    /// The reason why an InChI cannot be computed, with a hint, or `nil` if the program is installed and starts.
    public static var problem: String? {
        let need = "inchi and inchikey require the program \(program), which"
        guard maker.isFound else {
            return need + " is not installed (install Debian's package chemopen)"
        }
        // Only the first request shows whether the program can start.
        _ = maker.answer(to: Array("version\n".utf8))
        return isThere ? nil : need + " cannot start (install the library libinchi)"
    }

    /// The version of the library, such as `1.03.00`, or an empty string if it is not known.
    public static var libraryVersion: String {
        guard case .line(let version) = maker.answer(to: Array("version\n".utf8)) else { return "" }
        return String(decoding: version, as: UTF8.self)
    }

    /// Computes the InChI of a molecule. Abbreviations are replaced with their atoms.
    ///
    /// Returns `nil` if the molecule contains anything other than elements, or if the program is missing or takes too
    /// long.
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
