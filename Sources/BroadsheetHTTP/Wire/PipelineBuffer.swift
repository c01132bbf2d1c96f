/// The bytes that arrive while an earlier request is served (pipelining, RFC 9112 §9.3.2).
struct PipelineBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var position = 0

    /// A Boolean value that indicates whether more bytes arrived than are kept; the excess was
    /// discarded.
    private(set) var isOverfull = false

    /// A Boolean value that indicates whether there are no bytes to read.
    var isEmpty: Bool { position == bytes.count }

    /// Adds bytes, up to ``HTTPLimits/maxPipelinedBytes`` unread ones.
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

    /// Calls `read` with the bytes, from whose front it consumes; the rest stays, without being
    /// moved.
    ///
    /// Once all bytes are consumed the memory is freed.
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
