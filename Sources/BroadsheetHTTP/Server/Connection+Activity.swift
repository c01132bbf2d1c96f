extension Connection {
    enum Activity: Hashable {
        /// Reading a request, or waiting for one.
        case receiving
        /// Running the handler's task.
        case responding
        case sending(Sequel)
        /// Waiting for the next part of a response that is written over time.
        case streaming
        /// Reading and discarding input, after the response was sent and this side was closed.
        case lingering
        /// None: the connection has ended.
        case closed
    }

    /// The activity after a response is sent.
    enum Sequel: Hashable {
        /// Reading the body: the response was `100 Continue`.
        case body
        case nextRequest
        /// Asking for the next part of a response that is written over time.
        case stream
        /// Closing, as the client requested; it sends no more.
        case close
        /// Closing, which the client does not expect, so it may be sending at the same time.
        case linger
    }
}
