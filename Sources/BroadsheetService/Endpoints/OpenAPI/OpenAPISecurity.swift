import Broadsheet
import BroadsheetHTTP

/// The keys and tokens in the OpenAPI document, from the rights that operations declare.
enum OpenAPISecurity {
    private static let (key, token) = ("key", "token")

    /// The schemes: the secret of a key, and a token, as bearer tokens (RFC 6750).
    static let schemes: [(String, OpenAPINode)] = [
        (
            key,
            [
                "type": "http", "scheme": "bearer",
                "description": .string(
                    "The secret of a key. The roles of an operation are the scopes of which the "
                        + "key needs one; a key has rights to the screens of its patterns only."),
            ]
        ),
        (
            token,
            [
                "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                "description": .string(
                    "A token (RFC 7519) that an issuer of the daemon has signed for one reader. "
                        + "It has the scopes and the screens that its claims and the line of its "
                        + "key permit together."),
            ]
        ),
    ]

    /// Returns the security requirements of an operation: a key with one of some scopes, or a
    /// token; none for an operation that is open.
    ///
    /// - Parameter needsKeys: A Boolean value that indicates whether a request without a key is
    ///   refused.
    static func node(of operation: Operation, _ needsKeys: Bool) -> OpenAPINode {
        let scopes = operation.access.scopes
        let readers =
            operation.permitsReaders ? scopes.filter(IssuerLine.allowedScopes.contains) : []
        let requirements = scopes.map { (key, $0) } + readers.map { (token, $0) }
        let nodes = requirements.map { name, scope -> OpenAPINode in
            .object([(name, .array([.string(scope.rawValue)]))])
        }
        return .array(nodes.isEmpty || needsKeys ? nodes : nodes + [[:]])
    }

    static func problems(of operation: Operation) -> [ProblemCode] {
        let rights: [ProblemCode] =
            operation.access.scopes.isEmpty
            ? [] : [.unauthenticated, .forbidden] + ProblemCode.ofTokens
        let isRead = operation.method == .get
        return rights + (isRead ? [] : [.forbiddenOrigin]) + [.misdirectedRequest]
    }
}
