import BroadsheetHTTP
import BroadsheetIO

extension Caller {
    /// Returns the client that turns and limits count: a key that can write is one client; a key
    /// that cannot is shared, and each address that uses it is one; without keys the address is.
    func client(at address: IPAddress) -> ClientKey {
        if let token {
            return token.subject.map { .reader(ofIssuer: token.line.name, $0) }
                ?? ClientKey(address, sharing: token.line.name)
        }
        guard let key else { return ClientKey(address) }
        return key.isShared ? ClientKey(address, sharing: key.name) : .name(key.name)
    }
}

extension ServiceConfiguration {
    func clientAddress(of request: HTTPRequest) -> IPAddress {
        clientAddress(from: request.peer, request.headers)
    }

    func clientAddress(from peer: IPAddress, _ headers: HTTPHeaders?) -> IPAddress {
        guard !trustedProxies.isEmpty else { return peer }
        return clientAddress(from: peer, forwarded: headers?.forwardedAddress)
    }

    /// Returns the address of the client: that of the peer or, if the peer is a trusted proxy, the
    /// one that the proxy appended.
    ///
    /// If there is none, the client is the proxy.
    func clientAddress(from peer: IPAddress, forwarded: IPAddress?) -> IPAddress {
        guard let forwarded, trustedProxies.contains(where: { $0.contains(peer) }) else {
            return peer
        }
        return forwarded
    }
}

extension HTTPHeaders {
    /// The last address in `X-Forwarded-For`, which the proxy appended; `nil` if it is not one.
    ///
    /// The earlier ones are from the client, which may send any.
    var forwardedAddress: IPAddress? {
        guard let last = values(of: .forwardedFor).last else { return nil }
        let text = last.split(separator: ",", omittingEmptySubsequences: false).last
        return text.flatMap { IPAddress($0.trimmingBlanks) }
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends (RFC 9110 §5.6.3).
    fileprivate var trimmingBlanks: Substring {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        let start = drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? ""
    }
}
