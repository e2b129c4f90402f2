import CMicroHTTPD
import Chemopen
import ChemopenBrowse

// Only this file calls libmicrohttpd. No pointer outlives the call that it is passed to.

/// A request from a browser or another client.
struct HTTPRequest: Sendable {
    let method: String
    /// The path without the query, with escapes decoded.
    let path: String
    let host: String
    let origin: String?
    /// The value of `Sec-Fetch-Site`: the browser's report on the origin of the request.
    let fetchSite: String?
    /// The credentials of programs and of browsers.
    var authorization: String?
    var cookie: String?
    /// The content types that the client accepts.
    var accept: String?
    /// The compression methods that the client accepts.
    var acceptEncoding: String?
    /// The requested part of a file, and the versions that the client has cached.
    var range: String?
    var ifRange: String?
    var ifNoneMatch: String?
    /// Whether the length or the sender of the request can be interpreted in two ways.
    var isAmbiguous = false
    /// The length of the body according to the head.
    var statedLength = 0
    var body: [UInt8] = []
    /// Whether the body is longer than the server accepts.
    var isTooLarge = false
}

/// A request and the response to it, for logs and metrics.
struct AnsweredRequest: Sendable {
    let request: HTTPRequest
    let status: UInt32
    /// The number of bytes in the body of the response.
    let bytes: Int
    let milliseconds: Int
}

struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// A part of a file, read in chunks. If a chunk cannot be read, the connection is closed.
        case file(Range<Int>, read: @Sendable (Range<Int>) -> [UInt8]?)
        /// A stream that stays open until the browser closes it, when `onEnd` is called. An event with the file is sent
        /// whenever the count of `news` changes.
        case lasting(news: @Sendable () -> News, onEnd: @Sendable () -> Void)
    }

    /// The number of events, and the file of the last one. The file is empty if the event concerns only the page.
    struct News: Sendable {
        var count = 0
        var file = ""
    }

    var status: UInt32
    var headers: [(name: String, value: String)] = []
    var body: Body
    /// An object to keep alive until the response is sent.
    var held: (any Sendable)?

    init(_ status: UInt32, _ body: Body = .bytes([])) {
        self.status = status
        self.body = body
    }
}

/// A server that runs until the process ends. Each connection has its own thread.
struct HTTPServer: Sendable {
    let port: Int

    /// Starts a server for several users on a listening descriptor.
    ///
    /// - Parameters:
    ///   - refuse: checks the head of a request before its body is read.
    ///   - note: receives each request after its response.
    /// - Returns: `nil` if the server cannot be started.
    init?(
        listening: Int32, refusing refuse: @escaping @Sendable (HTTPRequest) -> HTTPResponse?,
        noting note: @escaping @Sendable (AnsweredRequest) -> Void,
        _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) {
        let box = AnswerBox(answer, refuse, note)
        let context = unsafe Unmanaged.passRetained(box)
        guard unsafe chemopen_start_shared_daemon(listening, receive, forget, notice, context.toOpaque()) != nil else {
            unsafe context.release()
            return nil
        }
        box.watchConnections()
        port = Int(chemopen_listening_port(listening))
    }

    /// Returns a descriptor that listens on a Unix socket, or `nil` if that fails or the socket is in use.
    static func listen(at path: LocalPath) -> Int32? {
        let listening = unsafe chemopen_listen_unix(path.cString)
        return listening < 0 ? nil : listening
    }

    /// Returns a descriptor that listens on a port of the loopback address, or `nil` if the port is in use.
    static func listen(onLoopback port: UInt16) -> Int32? {
        let listening = chemopen_listen_loopback(port)
        return listening < 0 ? nil : listening
    }

    /// Blocks SIGTERM in this thread and in threads that it starts later.
    static func holdTermination() { chemopen_hold_termination() }

    /// Waits until the process receives a blocked SIGTERM.
    static func waitForTermination() { chemopen_wait_for_termination() }

    /// Starts a server on a free port of the loopback address. Fails if no port is available.
    init?(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) {
        let box = AnswerBox(answer, { _ in nil }, { _ in })
        let context = unsafe Unmanaged.passRetained(box)
        guard let daemon = unsafe chemopen_start_daemon(receive, forget, notice, context.toOpaque()) else {
            unsafe context.release()
            return nil
        }
        box.watchConnections()
        port = Int(unsafe chemopen_daemon_port(daemon))
    }
}

private let largestBody = 1 << 20

/// The reply functions in an object that can be passed through the C library.
private final class AnswerBox: Sendable {
    let answer: @Sendable (HTTPRequest) -> HTTPResponse
    let refuse: @Sendable (HTTPRequest) -> HTTPResponse?
    let note: @Sendable (AnsweredRequest) -> Void
    let connections = Guarded(ConnectionTable())

    /// Closes connections that exceed their time limits, until the process ends.
    ///
    /// libmicrohttpd limits only the idle time, so a client that sends an occasional byte could block a connection.
    /// Sockets are shut down while the table is locked because the library reports the end of a connection before it
    /// closes the descriptor.
    func watchConnections() {
        onThread {
            while true {
                sleepMilliseconds(100)
                self.connections.change { table in
                    for socket in table.overdue(at: monotonicMilliseconds()) { chemopen_shut_down(socket) }
                }
            }
        }
    }

    /// Records an event of a connection.
    func record(_ step: (inout ConnectionTable, Int) -> Void) {
        connections.change { step(&$0, monotonicMilliseconds()) }
    }

    init(
        _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse,
        _ refuse: @escaping @Sendable (HTTPRequest) -> HTTPResponse?,
        _ note: @escaping @Sendable (AnsweredRequest) -> Void
    ) {
        self.answer = answer
        self.refuse = refuse
        self.note = note
    }
}

/// A request while its body is being received. Only the thread of its connection accesses it.
private final class Exchange {
    var request: HTTPRequest
    /// An object to keep alive until the response is sent.
    var held: (any Sendable)?
    /// The status and size of the response as soon as it is known.
    var answered: (status: UInt32, bytes: Int)?
    private let began = monotonicMilliseconds()

    /// The request and its response, or `nil` if the connection ended first.
    var finished: AnsweredRequest? {
        answered.map { answered in
            AnsweredRequest(
                request: request, status: answered.status, bytes: request.method == "HEAD" ? 0 : answered.bytes,
                milliseconds: monotonicMilliseconds() - began)
        }
    }

    init(_ request: HTTPRequest) {
        self.request = request
    }
}

/// A streaming response in progress. Only the thread of its connection accesses it.
private final class StreamingResponse {
    let news: @Sendable () -> HTTPResponse.News
    let onEnd: @Sendable () -> Void
    private var seen: Int

    init(_ news: @escaping @Sendable () -> HTTPResponse.News, _ onEnd: @escaping @Sendable () -> Void) {
        self.news = news
        self.onEnd = onEnd
        seen = news().count
    }

    /// Returns the file of events that have not been sent yet, or `nil` if there are none.
    func untold() -> String? {
        let now = news()
        defer { seen = now.count }
        return now.count == seen ? nil : now.file
    }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer)
}

private func header(_ name: String, of connection: OpaquePointer?) -> String? {
    unsafe text(MHD_lookup_connection_value(connection, .HEADER_KIND, name))
}

/// Returns how often a header occurs in the head of a request. Repeating some of them indicates an attack.
private func count(of name: String, _ connection: OpaquePointer?) -> Int {
    let tally = HeaderTally(name)
    let box = unsafe Unmanaged.passUnretained(tally).toOpaque()
    _ = unsafe MHD_get_connection_values(
        connection, .HEADER_KIND,
        { context, _, key, _ in
            guard let context = unsafe context, let key = unsafe text(key) else { return .YES }
            unsafe Unmanaged<HeaderTally>.fromOpaque(context).takeUnretainedValue().take(key)
            return .YES
        }, box)
    return withExtendedLifetime(tally) { tally.count }
}

private final class HeaderTally {
    private let name: String
    private(set) var count = 0

    init(_ name: String) {
        self.name = name
    }

    func take(_ key: String) {
        if key.lowercased() == name { count += 1 }
    }
}

/// Reads the head of a request.
private func head(
    _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?
) -> HTTPRequest {
    var request = unsafe HTTPRequest(
        method: text(method) ?? "", path: text(url) ?? "", host: header("Host", of: connection) ?? "",
        origin: header("Origin", of: connection), fetchSite: header("Sec-Fetch-Site", of: connection))
    unsafe request.authorization = header("Authorization", of: connection)
    unsafe request.cookie = header("Cookie", of: connection)
    unsafe request.accept = header("Accept", of: connection)
    unsafe request.acceptEncoding = header("Accept-Encoding", of: connection)
    unsafe request.range = header("Range", of: connection)
    unsafe request.ifRange = header("If-Range", of: connection)
    unsafe request.ifNoneMatch = header("If-None-Match", of: connection)
    let length = unsafe header("Content-Length", of: connection)
    request.statedLength = length.flatMap(Int.init) ?? 0
    let single = ["content-length", "host", "origin", "authorization", "cookie"]
    let isDoubled = single.contains { unsafe count(of: $0, connection) > 1 }
    let isChunked = unsafe count(of: "transfer-encoding", connection) > 0
    let isNumber = length.map { !$0.isEmpty && $0.utf8.allSatisfy(Ascii.isDigit) } ?? true
    request.isAmbiguous = isDoubled || isChunked || !isNumber
    return request
}

/// Called by the library after the head of a request, for each chunk of its body, and at its end.
private func receive(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ piece: UnsafePointer<CChar>?,
    _ pieceSize: UnsafeMutablePointer<Int>?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let pieceSize = unsafe pieceSize, let state = unsafe state else { return .NO }
    guard let known = unsafe state.pointee else {
        let request = unsafe head(connection, url, method)
        let exchange = Exchange(request)
        unsafe state.pointee = Unmanaged.passRetained(exchange).toOpaque()
        let box = unsafe Unmanaged<AnswerBox>.fromOpaque(context).takeUnretainedValue()
        let socket = unsafe chemopen_connection_socket(connection)
        box.record { $0.receivedHead(socket, at: $1) }
        if unsafe isForged(url) {
            var response = HTTPResponse(400)
            response.headers = [("Connection", "close")]
            return unsafe send(response, to: exchange, on: connection, box)
        }
        guard let refusal = box.refuse(request) else { return .YES }
        return unsafe send(refusal, to: exchange, on: connection, box)
    }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if unsafe pieceSize.pointee > 0 {
        let size = unsafe pieceSize.pointee
        if exchange.request.body.count + size > largestBody {
            exchange.request.isTooLarge = true
        } else {
            unsafe exchange.request.body.append(contentsOf: UnsafeRawBufferPointer(start: piece, count: size))
        }
        unsafe pieceSize.pointee = 0
        return .YES
    }
    let box = unsafe Unmanaged<AnswerBox>.fromOpaque(context).takeUnretainedValue()
    let response = box.answer(exchange.request).compressed(for: exchange.request)
    exchange.held = response.held
    return unsafe send(response, to: exchange, on: connection, box)
}

/// Whether a path was altered: libmicrohttpd replaces zero bytes with a byte that is invalid in UTF-8.
private func isForged(_ path: UnsafePointer<CChar>?) -> Bool {
    guard let path = unsafe path else { return true }
    return unsafe String(validatingCString: path) == nil
}

/// Called by the library when a connection starts and before its socket is closed.
private func notice(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ step: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context else { return }
    let box = unsafe Unmanaged<AnswerBox>.fromOpaque(context).takeUnretainedValue()
    let socket = unsafe chemopen_connection_socket(connection)
    guard chemopen_begins(step) != 0 else { return box.record { table, _ in table.close(socket) } }
    let address = unsafe chemopen_connection_address(connection)
    box.record { $0.open(socket, from: address, at: $1) }
}

private func forget(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
    guard let context = unsafe context, let state = unsafe state, let known = unsafe state.pointee else { return }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
    unsafe state.pointee = nil
    let box = unsafe Unmanaged<AnswerBox>.fromOpaque(context).takeUnretainedValue()
    let socket = unsafe chemopen_connection_socket(connection)
    box.record { $0.finishedRequest(socket, at: $1) }
    if let finished = exchange.finished { box.note(finished) }
}

private func send(
    _ response: HTTPResponse, to exchange: Exchange, on connection: OpaquePointer?, _ box: AnswerBox
) -> MHD_Result {
    let made: OpaquePointer?
    var length: Int?
    switch response.body {
    case .bytes(let bytes):
        length = bytes.count
        unsafe made = bytes.withUnsafeBytes { buffer in
            unsafe MHD_create_response_from_buffer(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
        }
    case .file(let range, let read):
        length = range.count
        // Do not use the library's own file responses: if a file is truncated, they retry forever.
        let file = unsafe Unmanaged.passRetained(FileAnswer(range, read))
        unsafe made = MHD_create_response_from_callback(
            UInt64(range.count), FileAnswer.pieceSize, readOn, file.toOpaque(), endFile)
        if unsafe made == nil { unsafe file.release() }
    case .lasting(let news, let onEnd):
        let box = unsafe Unmanaged.passRetained(StreamingResponse(news, onEnd))
        unsafe made = MHD_create_response_from_callback(.max, 64, goOn, box.toOpaque(), end)
        if unsafe made == nil { unsafe box.release() }
    }
    guard let made = unsafe made else { return .NO }
    exchange.answered = (response.status, length ?? 0)
    let socket = unsafe chemopen_connection_socket(connection)
    box.record { $0.answers(socket, length: length, at: $1) }
    for header in response.headers { _ = unsafe MHD_add_response_header(made, header.name, header.value) }
    let result = unsafe MHD_queue_response(connection, response.status, made)
    unsafe MHD_destroy_response(made)
    return result
}

/// A response with a part of a file. Only the thread of its connection accesses it.
private final class FileAnswer {
    static let pieceSize = 64 * 1024
    let range: Range<Int>
    let read: @Sendable (Range<Int>) -> [UInt8]?

    init(_ range: Range<Int>, _ read: @escaping @Sendable (Range<Int>) -> [UInt8]?) {
        self.range = range
        self.read = read
    }
}

/// Sends the next chunk of a file. Closes the connection if the file has changed.
private func readOn(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ room: Int
) -> Int {
    guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
    let answer = unsafe Unmanaged<FileAnswer>.fromOpaque(context).takeUnretainedValue()
    let start = answer.range.lowerBound + Int(clamping: position)
    let end = min(answer.range.upperBound, start + min(room, FileAnswer.pieceSize))
    guard start < end, let bytes = answer.read(start..<end), bytes.count == end - start else { return -2 }
    unsafe bytes.withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(start: buffer, count: room).copyMemory(from: $0)
    }
    return bytes.count
}

private func endFile(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<FileAnswer>.fromOpaque(context).release()
}

/// Continues a streaming response. Sends an event if there is one, and otherwise a comment line every second to detect
/// a closed connection.
private func goOn(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ room: Int
) -> Int {
    guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
    let answer = unsafe Unmanaged<StreamingResponse>.fromOpaque(context).takeUnretainedValue()
    var file: String?
    for _ in 0..<(position > 0 ? 25 : 0) where file == nil {
        sleepMilliseconds(40)
        file = answer.untold()
    }
    let line = Array((file.map { "event: files\ndata: \($0)\n\n" } ?? ":\n\n").utf8)
    guard room >= line.count else { return -2 }
    for (index, byte) in line.enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
    return line.count
}

private func end(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StreamingResponse>.fromOpaque(context).takeRetainedValue().onEnd()
}
