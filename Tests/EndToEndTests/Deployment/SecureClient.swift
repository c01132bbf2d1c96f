/// curl before a proxy that speaks TLS, whose certificate it trusts.
struct SecureClient {
    let proxy: ProxyServer

    /// What was answered, with the version of HTTP.
    struct Answer {
        let version: String
        let status: Int
        let head: String
        let body: [UInt8]

        /// The value of a header field, whatever the case of its name.
        subscript(name: String) -> String? {
            head.split(separator: "\r\n").first {
                $0.lowercased().hasPrefix(name.lowercased() + ": ")
            }.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    /// One request; `options` are curl's.
    func request(_ target: String, _ options: String..., body: [UInt8] = []) throws -> Answer {
        let place = "\(ProxyServer.name):\(proxy.securePort)"
        let program = try Program(
            [
                "curl", "-sS", "-i", "--http2", "--max-time", "20", "--cacert", proxy.certificate,
                "--resolve", "\(place):127.0.0.1", "https://\(place)\(target)",
            ] + options, input: body)
        guard try program.wait() == .status(0) else {
            throw HarnessError("curl: \(program.errors.text)")
        }
        _ = try program.output.all()
        let bytes = program.output.bytes
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw HarnessError("no answer: \(program.output.text)")
        }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let words = head.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, let status = Int(words[1].prefix(3)) else {
            throw HarnessError("no status: \(head)")
        }
        return Answer(
            version: String(words[0]), status: status, head: head,
            body: Array(bytes[end.upperBound...]))
    }
}
