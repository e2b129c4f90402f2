import ChemopenBytes
import ChemopenDesktop

/// A server of the browse protocol that receives requests of the calling program, one after another.
struct BrowsedServer {
    private let address: Address
    private let token: Credential?
    private let limits = Limits()
    private let connection = Connection()

    private static let longestRequest = 1 << 20
    /// The number of times that a request is repeated if the server is busy, and the maximum wait in seconds.
    private static let (repetitions, longestWait) = (8, 30)

    /// - Parameter token: the credential; `nil` uses the keyring or netrc.
    init(_ address: Address, _ token: Credential?) {
        self.address = address
        self.token = token
    }

    /// Answers requests until the input ends.
    func run() {
        var access = token.map { (credential: Optional($0), trouble: String?.none) }
        while let request = nextLine(longest: Self.longestRequest) {
            // The search ends with the calling program, which it detects by reading. Therefore the request is read first.
            let (credential, trouble) = access ?? Credential.find(for: address, isTyped: true)
            access = (credential, trouble)
            Main.tell(reply(to: request, credential, trouble))
        }
    }

    private func reply(to request: String, _ credential: Credential?, _ trouble: String?) -> String {
        for _ in 0..<Self.repetitions {
            let reply = Reply()
            // The viewer accepts requests only from its own page, so the request names its origin.
            let fields = ["Content-Type: application/json", "Origin: \(address.origin)"]
            let outcome = Exchange(into: reply, mayReachThisMachine: address.isOfThisMachine)
                .run(address, fields: fields, posting: request, credential, limits, over: connection)
            switch outcome {
            case .answered(let answer):
                if answer.status == 429 || answer.status == 503, waited(answer) { continue }
                return words(answer, reply.body, trouble)
            case .unreachable(let why): return "offline \(why)"
            case .broken(let why): return "offline \(why)"
            case .failed(let why): return "error \(plain(why))"
            case .stopped: return "error the response was rejected, or is larger than \(Reply.largest) bytes"
            }
        }
        return "error the server is too busy; try again later"
    }

    private func words(_ answer: Answer, _ body: [UInt8], _ trouble: String?) -> String {
        // Errors of the protocol have a body. Line breaks in JSON can only be between its tokens.
        let isDenied = answer.status == 401 || answer.status == 403
        let isOfProtocol = answer.status == 200 || 400..<500 ~= answer.status && !isDenied
        if isOfProtocol, body.first == UInt8(ascii: "{") {
            let line = body.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
            return "response " + String(decoding: line, as: UTF8.self)
        }
        if answer.status == 200 { return "error the response is not of the browse protocol; check the address" }
        if let next = answer.next { return "error the server redirects to \(plain(next)); use that address" }
        let isAway = answer.status == 502 || answer.status == 504
        return (isAway ? "offline " : "error ") + plain(Transfer.words(answer, address, trouble))
    }

    /// Waits as long as a busy server requests. Returns `false` if this is too long.
    private func waited(_ answer: Answer) -> Bool {
        guard let seconds = Int(answer.fields["retry-after"] ?? "1"), 0...Self.longestWait ~= seconds else {
            return false
        }
        for _ in 0..<max(1, seconds * 10) {
            if hasLostItsCaller() { endProcess(3) }
            sleepMilliseconds(100)
        }
        return true
    }
}

/// The body of a response.
private final class Reply: AnswerTaker {
    static let largest = 256 << 20
    private(set) var body: [UInt8] = []

    func begin(_ answer: Answer) -> Bool { true }

    func take(_ bytes: [UInt8]) -> Bool {
        body += bytes
        return body.count <= Self.largest
    }

    func tick() -> Bool { !hasLostItsCaller() }
}
