/// What a client sent ahead while its earlier request is answered (pipelining, RFC 9112 §9.3.2).
struct SentAhead: Sendable {
    private var bytes: [UInt8] = []
    private var position = 0

    /// Whether more came than is kept; what is over was dropped.
    private(set) var isOverfull = false

    /// Whether nothing is left to read.
    var isEmpty: Bool { position == bytes.count }

    /// Keeps bytes for later, up to ``HTTPLimits/maxPipelinedBytes`` unread ones.
    mutating func append(_ input: UnsafeRawBufferPointer) {
        guard !input.isEmpty, !isOverfull else { return }
        guard bytes.count - position + input.count <= HTTPLimits.maxPipelinedBytes else {
            isOverfull = true
            return
        }
        if position > 0 {
            bytes.removeFirst(position)
            position = 0
        }
        bytes.append(contentsOf: input)
    }

    /// Lets `read` take from the front; what it leaves stays, without being moved.
    ///
    /// Once all is taken the memory is given back.
    mutating func read<Result>(
        _ read: (inout UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let (result, left) = bytes.withUnsafeBytes { all in
            var rest = UnsafeRawBufferPointer(rebasing: all.dropFirst(position))
            let result = read(&rest)
            return (result, rest.count)
        }
        position = bytes.count - left
        if isEmpty {
            bytes = []
            position = 0
        }
        return result
    }
}
