import CCurl
import ChemopenBytes

// Only this file calls libcurl. No pointer outlives the exchange that it belongs to.

/// The head of a server's response.
struct Answer {
    var status = 0
    /// The header fields by lower-case name. If a name is repeated, the last value is used.
    var fields: [String: String] = [:]
    /// The absolute address of a redirection.
    var next: String?
    /// Whether the response specifies its end, instead of ending when the connection is closed.
    var saysItsEnd = false
}

/// The receiver of a response. Each function returns whether to continue.
protocol AnswerTaker: AnyObject {
    func begin(_ answer: Answer) -> Bool
    func take(_ bytes: [UInt8]) -> Bool
    func tick() -> Bool
}

/// A connection that several requests can use one after another.
@safe final class Connection {
    fileprivate let handle = unsafe curl_easy_init()

    deinit { unsafe curl_easy_cleanup(handle) }
}

/// A single request and its response.
@safe final class Exchange {
    enum Outcome {
        case answered(Answer)
        /// There was no response: the network or the server is unavailable.
        case unreachable(String)
        /// The response was interrupted or is too slow.
        case broken(String)
        /// The receiver stopped the exchange, or the connection was not permitted.
        case stopped
        case failed(String)
    }

    /// The only interruption after which a partial download is resumed.
    static let breaksOff = "the connection was interrupted"

    private let taker: any AnswerTaker
    private var answer = Answer()
    private var hasBegun = false
    private let mayReachThisMachine: Bool
    private static let mostFields = 500
    /// The IP address that was refused.
    private(set) var refusedNumber: String?

    /// Creates an exchange.
    ///
    /// - Parameter mayReachThisMachine: whether the host name may resolve to a loopback address.
    init(into taker: any AnswerTaker, mayReachThisMachine: Bool) {
        self.taker = taker
        // With a proxy, only the address of the proxy is known, not that of the server; therefore, loopback addresses
        // are permitted.
        let proxies = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].compactMap { environment($0) }
        self.mayReachThisMachine = mayReachThisMachine || proxies.contains { !$0.isEmpty }
    }

    /// Sends the request.
    ///
    /// - Parameter body: the body of a `POST`; `nil` for a `GET`.
    func run(
        _ address: Address, fields: [String], posting body: String? = nil, _ credential: Credential?, _ limits: Limits,
        over connection: Connection = Connection()
    ) -> Outcome {
        guard let handle = unsafe connection.handle else { return .failed("cannot start libcurl") }
        // Keeps the connection, but removes the options of the previous request.
        unsafe curl_easy_reset(handle)
        func set(_ option: CURLoption, _ number: Int) { unsafe chemopen_set_number(handle, option, number) }
        func set(_ option: CURLoption, _ text: String) { unsafe chemopen_set_text(handle, option, text) }
        set(CURLOPT_URL, address.text)
        set(CURLOPT_PROTOCOLS_STR, address.isSecure ? "https" : "http")
        set(CURLOPT_FOLLOWLOCATION, 0)
        if let body { set(CURLOPT_COPYPOSTFIELDS, body) }
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        set(CURLOPT_CONNECTTIMEOUT, limits.connectSeconds)
        set(CURLOPT_TIMEOUT, limits.seconds)
        set(CURLOPT_LOW_SPEED_LIMIT, limits.leastBytesPerSecond)
        set(CURLOPT_LOW_SPEED_TIME, limits.stallSeconds)
        // Setting this option replaces the value that libcurl reads from the environment.
        let without = environment("no_proxy") ?? environment("NO_PROXY") ?? ""
        set(CURLOPT_NOPROXY, without == "*" ? without : "localhost,127.0.0.1,::1,\(without)")
        set(CURLOPT_USERAGENT, "chemopen")
        if let file = environment("SSL_CERT_FILE") { set(CURLOPT_CAINFO, file) }
        switch credential {
        case .basic(let user, let password):
            set(CURLOPT_HTTPAUTH, 1)
            set(CURLOPT_USERNAME, user)
            set(CURLOPT_PASSWORD, password)
        case .bearer(let token):
            // The value of CURLAUTH_BEARER, which is a macro with a cast and not visible to Swift.
            set(CURLOPT_HTTPAUTH, 1 << 6)
            set(CURLOPT_XOAUTH2_BEARER, token)
        case nil: break
        }
        var list: UnsafeMutablePointer<curl_slist>?
        for field in fields { unsafe list = curl_slist_append(list, field) }
        defer { unsafe curl_slist_free_all(list) }
        unsafe chemopen_set_list(handle, CURLOPT_HTTPHEADER, list)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe chemopen_set_takers(handle, takeHeader, takeBody, tickNow, checkConnection, context)
        let code = unsafe curl_easy_perform(handle)
        unsafe answer.next = text(chemopen_get_text(handle, CURLINFO_REDIRECT_URL))
        // If a response has no body, `begin` has not been called yet.
        if code == CURLE_OK, !hasBegun, !begin() { return .stopped }
        return outcome(code)
    }

    private func outcome(_ code: CURLcode) -> Outcome {
        let words = unsafe text(curl_easy_strerror(code)) ?? "error \(code.rawValue)"
        switch code {
        case CURLE_OK: return .answered(answer)
        case CURLE_ABORTED_BY_CALLBACK, CURLE_WRITE_ERROR: return .stopped
        case CURLE_COULDNT_RESOLVE_HOST: return .unreachable("cannot resolve the host name of the server")
        case CURLE_COULDNT_RESOLVE_PROXY: return .unreachable("cannot resolve the host name of the proxy")
        case CURLE_COULDNT_CONNECT: return .unreachable("cannot connect to the server")
        case CURLE_OPERATION_TIMEDOUT where answer.status == 0: return .unreachable("the server does not respond")
        case CURLE_SSL_CONNECT_ERROR: return .unreachable("cannot establish a secure connection")
        case CURLE_GOT_NOTHING where answer.status == 0, CURLE_RECV_ERROR where answer.status == 0,
            CURLE_SEND_ERROR where answer.status == 0:
            return .unreachable("the server closed the connection without a response")
        case CURLE_OPERATION_TIMEDOUT: return .broken("the download is too slow")
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SEND_ERROR:
            return .broken(Self.breaksOff)
        case CURLE_PEER_FAILED_VERIFICATION: return .failed("cannot verify the identity of the server: \(words)")
        default: return .failed(words)
        }
    }

    /// Adds a header line. Returns `false` if there are too many.
    fileprivate func addField(_ line: String) -> Bool {
        if line.hasPrefix("HTTP/") {
            answer = Answer()
            answer.status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            answer.saysItsEnd = !line.hasPrefix("HTTP/1") && !line.hasPrefix("HTTP/0")
            return true
        }
        guard let colon = line.firstIndex(of: ":") else { return true }
        let name = line[..<colon].lowercased()
        let value = line[colon...].dropFirst().trimmed
        answer.fields[name] = value
        if name == "content-length" || name == "transfer-encoding" && value.lowercased().hasSuffix("chunked") {
            answer.saysItsEnd = true
        }
        return answer.fields.count <= Self.mostFields
    }

    private func begin() -> Bool {
        hasBegun = true
        return taker.begin(answer)
    }

    fileprivate func take(_ bytes: [UInt8]) -> Bool {
        if !hasBegun, !begin() { return false }
        return taker.take(bytes)
    }

    fileprivate func tick() -> Bool { taker.tick() }

    fileprivate func mayTalk(to number: String) -> Bool {
        if mayReachThisMachine || !Address.isLoopback(number) { return true }
        refusedNumber = number
        return false
    }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer)
}

private func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
}

private func takeHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe exchange(context)?.addField(String(decoding: line, as: UTF8.self)) == true ? size * count : 0
}

private func takeBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let block = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe exchange(context)?.take(Array(block)) == true ? size * count : 0
}

private func tickNow(
    _ context: UnsafeMutableRawPointer?, _ total: curl_off_t, _ now: curl_off_t, _ unused: curl_off_t,
    _ none: curl_off_t
) -> Int32 {
    unsafe exchange(context)?.tick() == true ? 0 : 1
}

private func checkConnection(
    _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
    _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
    let number = unsafe remote.map { unsafe String(cString: $0) } ?? ""
    // CURL_PREREQFUNC_OK and CURL_PREREQFUNC_ABORT.
    return unsafe exchange(context)?.mayTalk(to: number) == true ? 0 : 1
}

/// Parses an HTTP date and returns the seconds since 1970.
func secondsOfDate(_ text: String) -> Int? {
    let seconds = unsafe curl_getdate(text, nil)
    return seconds < 0 ? nil : Int(seconds)
}

extension Substring {
    /// The text without spaces, tabs and line endings at both ends.
    var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\n" || $0 == "\r\n" }
        var rest = self.drop(while: isBlank)
        while rest.last.map(isBlank) == true { rest.removeLast() }
        return String(rest)
    }
}
