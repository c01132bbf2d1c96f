import BroadsheetIO
import COpenSSL

/// The certificates of a client of TLS, read from their files.
final class TLSContext: @unchecked Sendable {
    // Unchecked: the library lets any number of threads create sessions of one context.

    private let context: OpaquePointer

    /// Reads the files; throws if one cannot be used, or if there is no OpenSSL 3.
    init(_ tls: RedisTLS) throws(TLSFailure) {
        guard copenssl_load() else {
            throw TLSFailure(reason: "OpenSSL 3 is missing (Debian's libssl3)")
        }
        var reason = [CChar](repeating: 0, count: Int(COPENSSL_REASON_SIZE))
        guard let made = copenssl_context_create(tls.ca, tls.certificate, tls.key, &reason) else {
            let bytes = reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            throw TLSFailure(reason: String(decoding: bytes, as: UTF8.self))
        }
        context = made
    }

    deinit { copenssl_context_destroy(context) }

    /// Creates the client's side of a connection to a server that has to prove that it is `host`.
    fileprivate func session(with host: String) -> OpaquePointer? {
        if IPAddress(host) != nil { return copenssl_session_create(context, host, true) }
        // The last dot of a name is for the resolver; certificates have names without it.
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        // The library takes an empty name for a server that need not be verified.
        guard !name.isEmpty, !name.utf8.contains(0) else { return nil }
        return copenssl_session_create(context, name, false)
    }
}

/// The client's side of TLS on one connection: a state machine without I/O.
///
/// The caller sends what it appends to the output, also after it has thrown an error: the server
/// learns the reason in this way. Used on one thread at a time.
final class TLSSession {
    /// The maximum number of bytes that are encrypted or decrypted at once: those of a record of
    /// TLS.
    private static let partSize = 16 * 1024

    /// A Boolean value that indicates whether the handshake has ended and the server is verified.
    private(set) var isEstablished = false

    private let session: OpaquePointer
    /// The bytes that were passed before the end of the handshake.
    private var early: [UInt8] = []
    private var part = [UInt8](repeating: 0, count: partSize)

    /// Creates a session with a server that has to prove that it is `host`, a name or an address.
    init(_ context: TLSContext, with host: String) throws(TLSFailure) {
        guard let made = context.session(with: host) else {
            throw TLSFailure(reason: "\(host) cannot be verified")
        }
        session = made
    }

    deinit { copenssl_session_destroy(session) }

    func begin(_ output: inout [UInt8]) throws(TLSFailure) {
        let step = copenssl_session_handshake(session)
        takeOutput(&output)
        try check(step)
    }

    /// Encrypts bytes; before the end of the handshake they are kept until then.
    func send(_ bytes: [UInt8], _ output: inout [UInt8]) throws(TLSFailure) {
        guard isEstablished else { return early += bytes }
        var sent = 0
        while sent < bytes.count {
            let end = min(sent + Self.partSize, bytes.count)
            let step = bytes[sent..<end].withUnsafeBytes { part in
                part.baseAddress.map { copenssl_session_write(session, $0, part.count) }
                    ?? COPENSSL_DONE
            }
            // The library's own output stays small.
            takeOutput(&output)
            try check(step)
            sent = end
        }
    }

    /// Takes bytes of the server, and passes what they contain to `deliver`, in parts.
    ///
    /// - Returns: `false` if the server has ended its stream.
    /// - Throws: ``TLSFailure``; the connection cannot be used after it.
    func receive(
        _ bytes: ArraySlice<UInt8>, _ output: inout [UInt8],
        _ deliver: (UnsafeRawBufferPointer) -> Void
    ) throws(TLSFailure) -> Bool {
        let isFed = bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { copenssl_session_feed(session, $0, bytes.count) } ?? true
        }
        guard isFed else { throw TLSFailure(reason: "TLS: no memory") }
        if !isEstablished { try continueHandshake(&output) }
        while isEstablished {
            var count = 0
            let step = read(&count)
            takeOutput(&output)
            try check(step)
            if step == COPENSSL_ENDED { return false }
            guard count > 0 else { return true }
            part.withUnsafeBytes { deliver(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        return true
    }

    private func continueHandshake(_ output: inout [UInt8]) throws(TLSFailure) {
        let step = copenssl_session_handshake(session)
        takeOutput(&output)
        try check(step)
        guard step == COPENSSL_DONE else { return }
        isEstablished = true
        let bytes = early
        early = []
        try send(bytes, &output)
    }

    private func read(_ count: inout Int) -> COpenSSLStep {
        part.withUnsafeMutableBytes { part in
            guard let start = part.baseAddress else { return COPENSSL_NEEDS_MORE }
            return copenssl_session_read(session, start, part.count, &count)
        }
    }

    /// Appends the bytes that the library has for the server.
    private func takeOutput(_ output: inout [UInt8]) {
        let count = copenssl_session_pending(session)
        guard count > 0 else { return }
        output += [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
            taken = buffer.baseAddress.map { copenssl_session_take(session, $0, count) } ?? 0
        }
    }

    private func check(_ step: COpenSSLStep) throws(TLSFailure) {
        guard step == COPENSSL_FAILED else { return }
        throw TLSFailure(reason: "TLS: \(String(cString: copenssl_session_reason(session)))")
    }
}

/// The reason why there is no TLS with a server, in OpenSSL's words.
struct TLSFailure: Error, Hashable {
    let reason: String
}
