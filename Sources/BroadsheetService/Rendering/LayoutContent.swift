import Broadsheet
import BroadsheetHTTP
import Synchronization

/// The content of a response: a tree, several trees, or a picture.
enum LayoutContent: Sendable {
    /// All bytes.
    case bytes([UInt8])
    /// A large tree, which is written while it is sent.
    case source(TreeSource)

    /// The size in bytes up to which a tree is written at once.
    static let maxBytesAtOnce = 256 * 1024

    /// Writes trees, or prepares to write them while they are sent if they are large.
    ///
    /// - Parameters:
    ///   - trees: The trees.
    ///   - limit: The maximum number of bytes.
    /// - Throws: `ANSWER_TOO_LARGE`, before more than ``maxBytesAtOnce`` are in memory.
    init(_ trees: TreeParts, limit: Int) throws(Problem) {
        var first = trees
        let bytes = first.next(byteCount: Self.maxBytesAtOnce + 1) ?? []
        if first.isFinished, bytes.count <= limit {
            self = .bytes(bytes)
        } else if let length = trees.byteCount(upTo: limit) {
            self = .source(TreeSource(trees, byteCount: length))
        } else {
            throw .responseTooLarge(limit: limit)
        }
    }

    /// The number of bytes.
    var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .source(let source): source.byteCount
        }
    }

    /// The part of the content that the layout cache keeps.
    var cached: CachedContent {
        switch self {
        case .bytes(let bytes): .bytes(bytes)
        case .source(let source): .length(source.byteCount)
        }
    }
}

/// A large tree that is written while it is sent.
final class TreeSource: BodySource {
    let byteCount: Int
    private let parts: Mutex<TreeParts>

    /// Creates a source of trees of which nothing has been written.
    ///
    /// - Parameter byteCount: The number of bytes of all parts.
    init(_ parts: TreeParts, byteCount: Int) {
        self.parts = Mutex(parts)
        self.byteCount = byteCount
    }

    /// The parts that have not been taken.
    var rest: TreeParts { parts.withLock { $0 } }

    func next(byteCount: Int) -> [UInt8]? {
        parts.withLock { $0.next(byteCount: byteCount) }
    }
}
