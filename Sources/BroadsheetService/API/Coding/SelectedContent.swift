import BroadsheetHTTP
import BroadsheetIO

/// A content in the coding that was selected for the client (RFC 9110 §8.4).
struct SelectedContent: Sendable {
    let content: LayoutContent
    let isCompressed: Bool

    /// A large tree takes what it needs while it is sent from `memory`.
    init(plain content: LayoutContent, _ memory: MemoryReservation) {
        content.takeMemory(from: memory)
        self.content = content
        isCompressed = false
    }

    init(plain bytes: [UInt8]) {
        content = .bytes(bytes)
        isCompressed = false
    }

    init(compressed bytes: [UInt8]) {
        content = .bytes(bytes)
        isCompressed = true
    }

    func tag(_ plain: EntityTag) -> EntityTag { isCompressed ? plain.compressed : plain }
}

extension HTTPResponse {
    /// Returns this response with a content in its coding; the bytes have no owner.
    func with(_ selected: SelectedContent) -> HTTPResponse {
        var response = self
        switch selected.content {
        case .bytes(let bytes): (response.body, response.source) = (bytes, nil)
        case .source(let source): (response.body, response.source) = ([], source)
        }
        response.owner = response.source
        if selected.isCompressed { response.headers.append(.contentEncoding, "gzip") }
        return response
    }
}
