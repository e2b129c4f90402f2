import Chemopen

/// A page in a file that only this user can read, which leads a browser on to an address.
///
/// The words that a program is started with can be read by all users of the machine. The browser is therefore started with
/// the path of this file, and the address, which has a secret in it, is only in the file.
struct RedirectPage: Sendable {
    /// The words for the program that starts the browser.
    let address: String
    private let folder: PrivateFolder

    /// Makes the file; `nil` where that cannot be.
    init?(to target: String, in session: Surroundings) {
        guard let folder = try? PrivateFolder(in: session) else { return nil }
        self.folder = folder
        let path = folder.path.appending("chemopen.html")
        address = path.uri
        do throws(FileError) {
            try writePrivateFile(Array(Self.page(leadingTo: target).utf8), to: path)
            try folder.seal()
        } catch {
            folder.remove()
            return nil
        }
    }

    /// Removes the file once the browser has read it.
    func remove() { folder.remove() }

    /// The target has no characters that mean something in HTML.
    private static func page(leadingTo target: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>Chemopen</title>
        <meta name="referrer" content="no-referrer">
        <meta http-equiv="refresh" content="0; url=\(target)"></head>
        <body><p><a rel="noreferrer" href="\(target)">Show the files</a></p></body></html>

        """
    }
}
