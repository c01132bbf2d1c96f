/// An answer.
///
/// Date, Content-Length and Connection are the serializer's to write: a handler's own fields of
/// those names are not sent.
package struct HTTPResponse: Sendable, Equatable {
    /// The status.
    package var status: HTTPStatus
    /// The fields, in the order they are sent.
    package var headers: HTTPHeaders
    /// The content.
    ///
    /// Give it to HEAD too: its length is told, its bytes are not sent.
    package var body: [UInt8]

    /// An answer of a status, fields and content.
    package init(status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
