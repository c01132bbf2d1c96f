import Synchronization

/// A content that is written over time, and whose length is not known.
///
/// The connection asks for a part once the kernel has accepted the one before, so a client that
/// reads slowly has one part in memory and never a queue of them: a source makes each part when it
/// is asked, from the state after the part before. All functions are called on the thread of the
/// connection's event loop.
package protocol StreamSource: AnyObject, Sendable {
    /// Begins the content, before the first part is asked for.
    ///
    /// - Parameter signal: The way to report from any thread that there is a next part after
    ///   ``next()`` has returned ``StreamStep/wait``.
    func begin(_ signal: StreamSignal)

    /// Returns the next part, or the reason why there is none.
    ///
    /// Never blocks. It may be called again although no part was reported.
    func next() -> StreamStep

    /// Receives the request to end: the server shuts down. From then on ``next()`` should soon
    /// return the end of the content.
    func drain()

    /// Receives the end of the connection or of the content, once for each call of ``begin(_:)``.
    func end()
}

/// The reply of a source that is asked for its next part.
package enum StreamStep: Sendable {
    case part(StreamPart)
    /// Nothing is due; the source signals when that has changed.
    case wait
    case end
    /// The content cannot be completed: the connection is reset, so that its client does not take
    /// the parts that it has received for the whole.
    case failure
}

/// The signal of a source that it has a next part.
package final class StreamSignal: Sendable {
    private let isPending = Atomic(false)
    private let deliver: @Sendable (StreamSignal) -> Void

    /// Calls `deliver` on the sender's thread; after that not again until ``receive()``.
    package init(_ deliver: @escaping @Sendable (StreamSignal) -> Void) { self.deliver = deliver }

    /// Reports that there is a next part; callable from any thread.
    ///
    /// Signals that have not been received are one signal, so a loop that is behind has at most one
    /// of each stream.
    package func send() {
        if !isPending.exchange(true, ordering: .acquiringAndReleasing) { deliver(self) }
    }

    /// Permits the next signal; called before the source is asked.
    package func receive() { isPending.store(false, ordering: .sequentiallyConsistent) }
}

/// A part of a content that is written over time, with the frame of a chunk (RFC 9112 §7.1).
///
/// Connections that send the same part share its bytes.
package struct StreamPart: Sendable {
    /// The length in hexadecimal digits, the content, and their ends of line; empty without
    /// content, because a chunk without content would end the response.
    let chunk: [UInt8]
    let content: Range<Int>
    /// The owner of the part's memory; without one each connection reserves it.
    let owner: (any AnyObject & Sendable)?

    package init(_ content: [UInt8], owner: (any AnyObject & Sendable)? = nil) {
        self.owner = owner
        guard !content.isEmpty else {
            (chunk, self.content) = ([], 0..<0)
            return
        }
        let size = String(content.count, radix: 16).utf8
        var chunk: [UInt8] = []
        chunk.reserveCapacity(Self.frameByteCount + content.count)
        chunk += size
        chunk += [.carriageReturn, .lineFeed]
        let start = chunk.count
        chunk += content
        self.content = start..<chunk.count
        chunk += [.carriageReturn, .lineFeed]
        self.chunk = chunk
    }

    package var byteCount: Int { content.count }

    /// The content without its frame.
    package var bytes: ArraySlice<UInt8> { chunk[content] }

    /// The largest number of bytes of the frame: 16 digits, and two ends of line.
    package static let frameByteCount = 20

    /// The last chunk, and the end of the trailers, of which there are none.
    static let lastChunk = Array("0\r\n\r\n".utf8)
}
