import Broadsheet
import BroadsheetHTTP

extension Problem {
    /// The media type of a problem document (RFC 9457 §3).
    static let mediaType = "application/problem+json"

    /// The answer to the request `id`: status, headers and problem document.
    func response(to id: RequestID) -> HTTPResponse {
        var headers: HTTPHeaders = [.contentType: Self.mediaType]
        if let allow { headers.append(.allow, allow.map(\.token).joined(separator: ", ")) }
        if let retryAfter { headers.append(.retryAfter, String(retryAfter)) }
        return HTTPResponse(status: code.status, headers: headers, body: document(for: id))
    }

    /// The problem document (RFC 9457 §3.1), its members in the order of docs/api.md.
    private func document(for id: RequestID) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 512)
        writer.raw("{\"type\":")
        writer.string(code.type)
        writer.raw(",\"title\":")
        writer.string(code.title)
        writer.raw(",\"status\":")
        writer.integer(code.status.code)
        writer.raw(",\"detail\":")
        writer.string(detail)
        writer.raw(",\"instance\":")
        writer.string("urn:broadsheet:request:\(id.text)")
        writer.raw(",\"code\":")
        writer.string(code.rawValue)
        if let place { Self.write(place, into: &writer) }
        if !errors.isEmpty { Self.write(errors, into: &writer) }
        writer.raw("}")
        return writer.bytes
    }

    private static func write(_ place: TextPlace, into writer: inout JSONWriter) {
        writer.raw(",\"offset\":")
        writer.integer(place.offset)
        writer.raw(",\"line\":")
        writer.integer(place.line)
        writer.raw(",\"column\":")
        writer.integer(place.column)
    }

    private static func write(_ errors: [ContractViolation], into writer: inout JSONWriter) {
        writer.raw(",\"errors\":[")
        for (index, error) in errors.enumerated() {
            writer.raw(index == 0 ? "{\"pointer\":" : ",{\"pointer\":")
            writer.string(error.pointer)
            writer.raw(",\"detail\":")
            writer.string(error.detail)
            writer.raw("}")
        }
        writer.raw("]")
    }
}
