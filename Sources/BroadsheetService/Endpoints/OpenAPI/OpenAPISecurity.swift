import Broadsheet
import BroadsheetHTTP

/// The keys in the OpenAPI document, from the rights that operations declare.
enum OpenAPISecurity {
    /// The name of the scheme.
    private static let name = "key"

    /// The scheme: the secret of a key as a bearer token (RFC 6750).
    static let scheme: (String, OpenAPINode) = (
        name,
        [
            "type": "http", "scheme": "bearer",
            "description": .string(
                "The secret of a key. The roles of an operation are the scopes of which the key "
                    + "needs one; a key has rights to the screens of its patterns only."),
        ]
    )

    /// Returns the security requirements of an operation: a key with one of some scopes; none for
    /// an operation that is open.
    ///
    /// - Parameter needsKeys: A Boolean value that indicates whether a request without a key is
    ///   refused.
    static func node(of access: OperationAccess, _ needsKeys: Bool) -> OpenAPINode {
        let keys = access.scopes.map { scope -> OpenAPINode in
            .object([(name, .array([.string(scope.rawValue)]))])
        }
        return .array(keys.isEmpty || needsKeys ? keys : keys + [[:]])
    }

    /// Returns the problems of clients that may not call an operation.
    static func problems(of operation: Operation) -> [ProblemCode] {
        let rights: [ProblemCode] =
            operation.access.scopes.isEmpty
            ? [] : [.unauthenticated, .forbidden] + ProblemCode.ofTokens
        let isRead = operation.method == .get
        return rights + (isRead ? [] : [.forbiddenOrigin]) + [.misdirectedRequest]
    }
}
