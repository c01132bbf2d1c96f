/// The system calls of a connection's life, as values, so that a test can make each of them fail.
///
/// Every call answers as the kernel does: zero or more when it succeeded, `-errno` when it did not.
/// None of them blocks, and none of them raises `SIGPIPE`.
package struct Syscalls: Sendable {
    /// Takes the next connection off a listening socket: a descriptor, non-blocking, close-on-exec.
    package var accept: @Sendable (_ listener: Int32) -> Int
    /// Reads what has arrived: a number of bytes, 0 at the peer's end of stream.
    package var receive: @Sendable (_ socket: Int32, _ into: UnsafeMutableRawBufferPointer) -> Int
    /// Sends `first` and then `second` in one call: the number of bytes that the kernel took.
    package var send:
        @Sendable (
            _ socket: Int32, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
        ) -> Int
    /// Ends this side's stream; the peer's may go on.
    package var shutdownWriting: @Sendable (_ socket: Int32) -> Int
    /// Makes the coming close drop unsent bytes and reset the connection.
    package var resetOnClose: @Sendable (_ socket: Int32) -> Int
    /// Closes a descriptor.
    package var close: @Sendable (_ descriptor: Int32) -> Int
}
