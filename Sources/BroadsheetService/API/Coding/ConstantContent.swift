import BroadsheetHTTP
import BroadsheetIO
import Synchronization

/// JSON that does not change while it exists, such as the OpenAPI document: it is compressed once.
final class ConstantContent: Sendable {
    /// The plain bytes.
    let bytes: [UInt8]
    private let compressed = Mutex<[UInt8]?>(nil)

    /// Creates the content.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the bytes in the coding that a client prefers, and whether they are compressed.
    ///
    /// - Parameters:
    ///   - preference: The preference of the client.
    ///   - work: The access to the worker threads.
    ///   - memory: The budget for the compression; without memory the content remains plain.
    /// - Throws: The error of a lost connection.
    func selected(
        for preference: CodingPreference, _ work: Work, _ memory: MemoryBudget
    ) async throws(Problem) -> (bytes: [UInt8], isCompressed: Bool) {
        guard preference != .identity, bytes.count >= Compression.minBytes else {
            return (bytes, false)
        }
        if let known = compressed.withLock({ $0 }) { return (known, true) }
        guard
            case .bytes(let made) = try await Compression.compress(
                .bytes(bytes[...]), for: preference, work, MemoryReservation(in: memory, for: .work)
            )
        else { return (bytes, false) }
        compressed.withLock { $0 = made }
        return (made, true)
    }
}
