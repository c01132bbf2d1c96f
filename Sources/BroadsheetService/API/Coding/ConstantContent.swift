import BroadsheetHTTP
import BroadsheetIO
import Synchronization

/// JSON that does not change while it exists, such as the OpenAPI document: it is compressed once.
final class ConstantContent: Sendable {
    let bytes: [UInt8]
    private let compressed = Mutex<[UInt8]?>(nil)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Without memory for the compression the content remains plain.
    func selected(
        for preference: CodingPreference, _ work: Work
    ) async throws(Problem) -> SelectedContent {
        guard preference != .identity, bytes.count >= Compression.minBytes else {
            return SelectedContent(plain: bytes)
        }
        if let known = compressed.withLock({ $0 }) { return SelectedContent(compressed: known) }
        guard
            case .bytes(let made) = try await Compression.compress(
                .bytes(bytes), for: preference, work)
        else { return SelectedContent(plain: bytes) }
        compressed.withLock { $0 = made }
        return SelectedContent(compressed: made)
    }
}

extension Call {
    /// Returns the response to GET with JSON without a tag, in the coding that the client prefers.
    func json(
        _ content: ConstantContent, as mediaType: String = "application/json"
    ) async throws(Problem) -> HTTPResponse {
        let selected = try await content.selected(
            for: CodingPreference(in: request.headers), work)
        return HTTPResponse(status: .ok, headers: [.contentType: mediaType], body: [])
            .with(selected)
    }
}
