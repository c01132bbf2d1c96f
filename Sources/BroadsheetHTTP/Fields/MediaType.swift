/// A media type with its parameters (RFC 9110 §8.3.1).
package struct MediaType: Sendable, Hashable {
    /// The type, in lower case.
    package let type: String
    /// The subtype, in lower case.
    package let subtype: String
    /// The parameters, with names in lower case; the first of a repeated name.
    package let parameters: [String: String]

    package init?(_ text: String) {
        var scanner = ParameterScanner(text)
        scanner.skipBlanks()
        guard let type = scanner.token(), scanner.take(UInt8(ascii: "/")),
            let subtype = scanner.token(), let parameters = Self.parameters(&scanner)
        else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters
    }

    /// Reads the media type of Content-Type; `nil` when there is no such field.
    ///
    /// - Throws: ``HTTPError/invalidHeader(_:_:)`` when it is not a media type, or occurs twice.
    package init?(contentTypeOf headers: HTTPHeaders) throws(HTTPError) {
        let lines = headers.values(of: .contentType)
        guard let line = lines.first else { return nil }
        guard lines.count == 1 else { throw .invalidHeader(.contentType, .repeated) }
        guard let parsed = Self(line) else { throw .invalidHeader(.contentType, .notMediaType) }
        self = parsed
    }

    /// A Boolean value that indicates whether it is `application/json` or a type based on JSON,
    /// `…+json` (RFC 6839 §3.1).
    package var isJSON: Bool {
        (type == "application" && subtype == "json")
            || (subtype.hasSuffix("+json") && subtype.utf8.count > "+json".utf8.count)
    }

    package var charset: String? { parameters["charset"]?.lowercased() }

    /// Scans `*( OWS ";" OWS [ name "=" value ] )` to the end; returns `nil` for anything else.
    private static func parameters(_ scanner: inout ParameterScanner) -> [String: String]? {
        var parameters: [String: String] = [:]
        while true {
            scanner.skipBlanks()
            if scanner.isAtEnd { return parameters }
            guard scanner.take(UInt8(ascii: ";")) else { return nil }
            scanner.skipBlanks()
            guard let name = scanner.token() else { continue }
            guard scanner.take(UInt8(ascii: "=")), let value = scanner.word() else { return nil }
            let key = name.lowercased()
            if parameters[key] == nil { parameters[key] = value }
        }
    }
}
