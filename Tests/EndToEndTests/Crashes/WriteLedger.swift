import Foundation
import Synchronization
import Testing

/// A record of the clients' writes and their outcomes.
///
/// A page, or a whole screen, has one writer, which repeats a write until it is acknowledged. What
/// is stored is therefore the last acknowledged write, or a write that began later and was not
/// refused.
final class WriteLedger: Sendable {
    /// A page of a screen, or a whole screen.
    struct Location: Hashable {
        let screen: String
        /// The number of the page; `nil` for a whole screen.
        let page: Int?

        var path: String { "/v1/screens/\(screen)" + (page.map { "/pages/\($0)" } ?? "") }
    }

    /// The outcome of a write, as a client knows it.
    enum Outcome: Equatable {
        /// The write is stored, as the given revision of the screen.
        case acknowledged(Int)
        /// The write changed nothing.
        case refused
        /// The write may be stored or not.
        case unknown
    }

    /// The number of writes with each outcome.
    struct Tally {
        var acknowledged = 0
        var refused = 0
        var unknown = 0

        /// The number of writes whose response was 503, or whose connection ended.
        var failed: Int { refused + unknown }
    }

    private struct State {
        var acknowledged: [Location: [UInt8]] = [:]
        var inProgress: [Location: [UInt8]] = [:]
        var unknown: [Location: Set<[UInt8]>] = [:]
        var revisions: [String: Int] = [:]
        /// The pages that acknowledged writes have stored, by their screens and revisions.
        var pages: [String: [Int: (number: Int, bytes: [UInt8])]] = [:]
        var tally = Tally()
        var violations: [String] = []
    }

    private let state = Mutex(State())
    private let changed = NSCondition()

    /// The pages for which a write was begun, sorted.
    var locations: [Location] {
        state.withLock {
            Set($0.acknowledged.keys).union($0.inProgress.keys).union($0.unknown.keys)
                .sorted { ($0.screen, $0.page ?? -1) < ($1.screen, $1.page ?? -1) }
        }
    }

    /// The highest acknowledged revision of each screen.
    var revisions: [String: Int] { state.withLock { $0.revisions } }

    /// The number of writes with each outcome so far.
    var tally: Tally { state.withLock { $0.tally } }

    /// Descriptions of responses that no daemon may send.
    var violations: [String] { state.withLock { $0.violations } }

    /// Returns a random page with its last acknowledged write.
    func anyAcknowledged() -> (location: Location, bytes: [UInt8])? {
        state.withLock { state in
            state.acknowledged.filter { $0.key.page != nil }.randomElement()
                .map { ($0.key, $0.value) }
        }
    }

    /// Returns whether a page or a screen may be stored as `stored`, where `nil` means that it is
    /// not stored.
    func allows(_ stored: [UInt8]?, at location: Location) -> Bool {
        state.withLock { state in
            if stored == state.acknowledged[location] { return true }
            guard let stored else { return false }
            return stored == state.inProgress[location]
                || state.unknown[location]?.contains(stored) == true
        }
    }

    /// Records that a write is about to be sent.
    func begin(_ bytes: [UInt8], at location: Location) {
        state.withLock { $0.inProgress[location] = bytes }
    }

    /// Records the outcome of the write in progress.
    func record(_ outcome: Outcome, at location: Location) {
        change { state in
            guard let bytes = state.inProgress.removeValue(forKey: location) else { return }
            switch outcome {
            case .acknowledged(let revision):
                state.acknowledged[location] = bytes
                state.unknown[location] = nil
                state.revisions[location.screen] = max(
                    state.revisions[location.screen] ?? 0, revision)
                if let page = location.page {
                    state.pages[location.screen, default: [:]][revision] = (page, bytes)
                    state.pages[location.screen]?[revision - Self.keptRevisions] = nil
                }
                state.tally.acknowledged += 1
            case .refused: state.tally.refused += 1
            case .unknown:
                state.unknown[location, default: []].insert(bytes)
                state.tally.unknown += 1
            }
        }
    }

    /// Returns the bytes of the page that an acknowledged write has stored as a revision; `nil` if
    /// they are not known.
    private func bytes(ofPage page: Int, of screen: String, at revision: Int) -> [UInt8]? {
        state.withLock { state in
            state.pages[screen]?[revision].flatMap { $0.number == page ? $0.bytes : nil }
        }
    }

    /// Records a response that a daemon may not send.
    func recordViolation(_ words: String) {
        change { $0.violations.append(words) }
    }

    /// Records that a page or a screen was found as `bytes` after a restart.
    func settle(_ location: Location, as bytes: [UInt8]?) {
        change { state in
            state.acknowledged[location] = bytes
            state.inProgress[location] = nil
            state.unknown[location] = nil
        }
    }

    /// Waits until the tally satisfies `isEnough`, or a violation was recorded.
    func wait(until deadline: Deadline = .within(), for isEnough: (Tally) -> Bool) throws {
        changed.lock()
        defer { changed.unlock() }
        while !isEnough(tally), violations.isEmpty {
            guard changed.wait(until: Date(timeIntervalSinceNow: deadline.seconds)) else {
                throw HarnessError("too few writes before the deadline: \(tally)")
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        changed.lock()
        state.withLock { body(&$0) }
        changed.broadcast()
        changed.unlock()
    }
}

extension WriteLedger.Tally {
    /// Returns the writes between two tallies.
    static func - (later: Self, earlier: Self) -> Self {
        Self(
            acknowledged: later.acknowledged - earlier.acknowledged,
            refused: later.refused - earlier.refused,
            unknown: later.unknown - earlier.unknown)
    }
}

extension WriteLedger {
    /// Compares a daemon's pages with the ledger.
    ///
    /// Each page, and each whole screen, is the last acknowledged write, or a later write that may
    /// have been stored, byte for byte. There are no other pages, and no revision is lower than the
    /// acknowledged one. The ledger then takes what was found as acknowledged.
    func check(_ daemon: TestDaemon, _ comment: Comment) throws {
        #expect(violations.isEmpty, comment)
        for location in locations {
            let stored = try daemon.stored(at: location)
            #expect(
                allows(stored, at: location),
                "\(comment): \(location.path) is not as it was written")
            settle(location, as: stored)
        }
        let pages = Dictionary(grouping: locations.filter { !allows(nil, at: $0) }, by: \.screen)
        for (screen, locations) in pages {
            let state = try daemon.request("GET", "/v1/screens/\(screen)/pages")
            let listed = try state.decode(PageState.self).pages.map(\.page)
            let pages = locations.compactMap(\.page)
            if pages.count == locations.count {
                #expect(listed.sorted() == pages.sorted(), comment)
            }
            #expect(try #require(state.revision) >= revisions[screen] ?? 0, comment)
            try checkHistory(of: screen, at: daemon, comment)
        }
    }

    /// Checks that each revision that a daemon lists has all its pages, with the bytes that were
    /// acknowledged, or as many as were stored; the latest ones are checked.
    private func checkHistory(
        of screen: String, at daemon: TestDaemon, _ comment: Comment
    ) throws {
        let path = "/v1/screens/\(screen)"
        let list: RevisionList = try daemon.request(
            "GET", "\(path)/revisions?pageSize=\(Self.checkedRevisions)"
        ).decode()
        for revision in list.revisions {
            let query = "?revision=\(revision.revision)"
            let state = try daemon.request("GET", "\(path)/pages\(query)")
            #expect(state.status == 200, "\(comment): revision \(revision.revision) of \(screen)")
            let numbers = try state.decode(PageState.self).pages.map(\.page)
            #expect(numbers.count == revision.pageCount, comment)
            for page in revision.pages.prefix(3) {
                guard let bytes = page.bytes else { continue }
                let stored = try daemon.request("GET", "\(path)/pages/\(page.page)\(query)")
                #expect(stored.body.count == bytes, comment)
                let known = self.bytes(
                    ofPage: page.page, of: screen, at: revision.revision)
                #expect(known == nil || stored.body == known, comment)
            }
        }
    }

    /// The number of revisions of a screen that are checked.
    private static let checkedRevisions = 3
    /// The number of revisions of a screen of which the bytes are known: more than clients have
    /// written since the last one that was acknowledged.
    private static let keptRevisions = 64

    /// The revisions of a screen.
    private struct RevisionList: Decodable {
        struct Revision: Decodable {
            let revision: Int
            let pages: [Page]
            let pageCount: Int
        }
        struct Page: Decodable {
            let page: Int
            let bytes: Int?
        }
        let revisions: [Revision]
    }

    /// The numbers of the pages of a screen.
    fileprivate struct PageState: Decodable {
        struct Page: Decodable { let page: Int }
        let pages: [Page]
    }
}

extension TestDaemon {
    /// Returns what is stored at a location, a whole screen in the form of its PUT; `nil` if
    /// nothing is.
    func stored(at location: WriteLedger.Location) throws -> [UInt8]? {
        guard location.page == nil else { return try stored(at: location.path) }
        guard let state = try stored(at: "\(location.path)/pages") else { return nil }
        let numbers = try JSONDecoder().decode(WriteLedger.PageState.self, from: Data(state))
        let pages = try numbers.pages.map(\.page).sorted().map { page in
            String(decoding: try stored(at: "\(location.path)/pages/\(page)") ?? [], as: UTF8.self)
        }
        return Array(#"{"pages":[\#(pages.joined(separator: ","))]}"#.utf8)
    }

    private func stored(at path: String) throws -> [UInt8]? {
        let response = try request("GET", path)
        guard response.status == 200 || response.status == 404 else {
            throw HarnessError("GET \(path): \(response.status) \(response.text)")
        }
        return response.status == 200 ? response.body : nil
    }
}

extension Response {
    /// The screen's revision in the entity tag.
    var revision: Int? {
        self["ETag"].flatMap { Int($0.dropFirst(2).prefix(while: \.isNumber)) }
    }
}
