/// What ``HTTPRequestParser`` asks its connection to do.
package enum HTTPParserAction: Sendable, Equatable {
    /// Nothing until more bytes arrive; while a request is out, nothing until it is answered.
    case wait
    /// The head is complete, none of its body has arrived, and the client waits for a nod: send
    /// `100 Continue` and go on feeding, or send a final answer and close (RFC 9110 §10.1.1).
    case expectContinue(HTTPRequestHead)
    /// A whole request. Answer it, then call ``HTTPRequestParser/next()``.
    case request(HTTPRequest)
    /// What arrived is no request that can be served: answer, close, feed no more.
    case failure(HTTPError)
    /// The peer will send no more and all it sent was handed out: close once all is answered.
    case end
}
