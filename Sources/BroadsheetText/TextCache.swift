import Broadsheet
import Synchronization

/// Shaped texts by their font, bytes and options, within a bound of memory.
///
/// It has two generations, each of at most half of the bound. A text that is used moves into the
/// younger one; when that is full, the older one is dropped, with the texts that were not used
/// since.
final class TextCache: Sendable {
    let limit: Int

    private let state = Mutex(State())

    init(limit: Int) { self.limit = max(0, limit) }

    /// A text to look for; its bytes are valid during the call that it is made for.
    struct Key {
        let font: Int
        let text: UnsafeRawBufferPointer
        let options: ShapingOptions

        /// A number that differs from process to process.
        ///
        /// Of two texts with the same number, the later one replaces the other.
        fileprivate var hash: Int {
            var hasher = Hasher()
            hasher.combine(font)
            hasher.combine(options)
            hasher.combine(bytes: text)
            return hasher.finalize()
        }
    }

    private struct Entry {
        let font: Int
        let shaped: SegmentedText

        /// The memory of an entry beyond its text: its share of a table that is half empty.
        static let fixedBytes = 64

        var cost: Int { Self.fixedBytes + shaped.byteCount }

        func matches(_ key: Key) -> Bool {
            font == key.font && shaped.options == key.options
                && shaped.source.withUnsafeBytes { source in
                    source.count == key.text.count
                        && (source.isEmpty || source.elementsEqual(key.text))
                }
        }
    }

    private struct State {
        var younger: [Int: Entry] = [:]
        var older: [Int: Entry] = [:]
        var youngerCost = 0
        var olderCost = 0

        mutating func insert(_ entry: Entry, _ hash: Int, half: Int) {
            guard entry.cost <= half else { return }
            if let replaced = younger.removeValue(forKey: hash) { youngerCost -= replaced.cost }
            if youngerCost + entry.cost > half {
                older = younger
                olderCost = youngerCost
                younger = [:]
                youngerCost = 0
            }
            younger[hash] = entry
            youngerCost += entry.cost
        }
    }

    /// The memory of all entries, in bytes.
    var cost: Int { state.withLock { $0.youngerCost + $0.olderCost } }

    func value(for key: Key) -> SegmentedText? {
        guard limit > 0 else { return nil }
        let hash = key.hash
        return state.withLock { state in
            if let entry = state.younger[hash] { return entry.matches(key) ? entry.shaped : nil }
            guard let entry = state.older[hash], entry.matches(key) else { return nil }
            state.older[hash] = nil
            state.olderCost -= entry.cost
            state.insert(entry, hash, half: limit / 2)
            return entry.shaped
        }
    }

    /// Keeps a shaped text, if it takes at most half of the bound.
    func insert(_ shaped: SegmentedText, for key: Key) {
        guard limit > 0 else { return }
        let entry = Entry(font: key.font, shaped: shaped)
        let hash = key.hash
        state.withLock { $0.insert(entry, hash, half: limit / 2) }
    }
}
