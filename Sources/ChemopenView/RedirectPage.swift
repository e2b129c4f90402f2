import Chemopen

/// A private HTML file that redirects the browser to an address.
///
/// All users of the machine can read the arguments of a program. The browser is therefore started with the path of this
/// file, and only the file contains the address, which includes a secret.
struct RedirectPage: Sendable {
    /// The URI of the file, to be passed to the browser.
    let address: String
    private let folder: PrivateFolder

    /// Creates the file, or returns `nil` if that fails.
    init?(to target: String, in session: SessionEnvironment) {
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

    /// Removes the file after the browser has read it.
    func remove() { folder.remove() }

    /// Returns the HTML. `target` must not contain characters that are special in HTML.
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
