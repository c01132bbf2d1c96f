/// The record of a revision, with which the state before it can be made from the state after it.
///
/// A store keeps it as text (``text``), so that all stores, and the scripts on a Redis server, have
/// one form of it:
///
/// - a line with `1` (the version of the form), the creation of the screen, the revision, the one
///   before it, the time, operation, key, request, the revision of a revert, and the number of
///   pages after it; `-` stands for none, and texts begin with `=`;
/// - a line with the operations of an update, as `name:number`;
/// - a line with the pages that were stored or removed, as `number:bytes` (`-` for removed ones),
///   and
///   `+number` for more;
/// - for a revision whose former state is kept, a line with `h` and the state of the screen before:
///   the folder of its pages, the latest and the highest page, pages, bytes, sections, items, and
///   the lower bound of its trees; and then a line for each page that was another one before
///   (``FormerPage``), or one with `*` if all pages of the folder are still there.
struct RevisionRecord: Hashable, Sendable {
    /// The creation of the screen: a number that no other screen has.
    var creation: Int64
    /// The revision.
    var revision: UInt64
    /// The revision before it.
    var before: UInt64
    /// The facts about it.
    var note = RevisionNote()
    /// The pages that were stored or removed, ascending by number.
    var pages: [RevisionEntry.PageChange] = []
    /// The number of further pages that were stored or removed.
    var morePages = 0
    /// The number of pages after it.
    var pageCount = 0
    /// The state before it; `nil` if it is not kept.
    var former: FormerState?

    /// The number of bytes of the former pages that only this record refers to.
    var byteCount: Int { former?.byteCount ?? 0 }

    /// The entry in the list of revisions.
    var entry: RevisionEntry {
        RevisionEntry(
            revision: revision, note: note, pages: pages, morePages: morePages,
            pageCount: pageCount)
    }

    /// The record without the state before it.
    var withoutFormer: RevisionRecord {
        var record = self
        record.former = nil
        return record
    }

    /// Sets the pages that were stored or removed.
    mutating func setPages(_ all: [RevisionEntry.PageChange]) {
        pages = Array(all.sorted { $0.number < $1.number }.prefix(RevisionEntry.maxPages))
        morePages = all.count - pages.count
    }
}

/// The state of a screen before a revision, as far as it differs from the state after it.
struct FormerState: Hashable, Sendable {
    /// The folder of the pages, in a store that has folders.
    var folder: Int64 = 0
    /// The screen.
    var head: ScreenHead
    /// The lower bound of the revisions of its trees.
    var treeFloor: UInt64
    /// The pages that differ; of each number the first one counts.
    var pages: [FormerPage] = []
    /// A Boolean value that indicates whether all pages were those that ``folder`` still has.
    var hasWholeFolder = false

    /// The number of bytes of the pages that were replaced or removed, which the bounds of a
    /// history are about.
    var byteCount: Int {
        // Wrapping: the numbers are those of a file.
        guard !hasWholeFolder else { return head.size.byteCount }
        return pages.reduce(0) { $0 &+ ($1.replaced?.size.byteCount ?? 0) }
    }
}

/// A page before a revision.
struct FormerPage: Hashable, Sendable {
    /// The number of the page.
    var number: Int
    /// The revisions of the page; `nil` if there was no such page.
    var tree: TreeHistory.Page?
    /// The content that the revision has replaced or removed; `nil` if it stayed.
    var replaced: Content?

    /// The content of a page that is kept.
    struct Content: Hashable, Sendable {
        /// The size of the page.
        var size: PageSize
        /// The place of its bytes in the store.
        var place: Int64
        /// The checksum of the page in a store that has checksums.
        var checksum: Int64
        /// The bytes, in a store that has them at hand.
        var bytes: [UInt8]?
    }
}

extension RevisionNote {
    /// The words and the operations of the note in the text of a record.
    ///
    /// - Parameter now: The time of a note without one, in milliseconds since 1970.
    func recordParts(at now: Int64) -> (words: String, operations: String) {
        var (words, names) = (RecordText(), RecordText())
        addFacts(to: &words, at: at ?? now)
        addOperations(to: &names)
        return (words.text, names.text)
    }

    fileprivate func addFacts(to text: inout RecordText, at time: Int64?) {
        text.add(time)
        for word in [operation, key, request] { text.add(optional: word) }
        text.add(revertedTo)
    }

    fileprivate func addOperations(to text: inout RecordText) {
        for (name, number) in operations.sorted(by: { $0.key < $1.key }) { text.add(name, number) }
    }
}

extension RevisionRecord {
    /// The record as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes of the record as text.
    var bytes: [UInt8] {
        var text = RecordText()
        text.add("1")
        text.add(creation)
        text.add(revision)
        text.add(before)
        note.addFacts(to: &text, at: note.at)
        text.add(pageCount)
        text.endLine()
        note.addOperations(to: &text)
        text.endLine()
        for page in pages { text.add(String(page.number), page.byteCount) }
        if morePages > 0 { text.add("+" + String(morePages)) }
        if let former { Self.add(former, to: &text) }
        return text.bytes
    }

    private static func add(_ former: FormerState, to text: inout RecordText) {
        let head = former.head
        text.endLine()
        text.add("h")
        text.add(former.folder)
        text.add(head.latestPage)
        text.add(head.highestPage)
        text.add(head.size.pageCount)
        text.add(head.size.byteCount)
        text.add(head.size.counts)
        text.add(former.treeFloor)
        if former.hasWholeFolder {
            text.endLine()
            text.add("*")
        }
        for page in former.pages { add(page, to: &text) }
    }

    private static func add(_ page: FormerPage, to text: inout RecordText) {
        text.endLine()
        text.add(page.tree == nil ? "n" : page.replaced == nil ? "t" : "p")
        text.add(page.number)
        guard let tree = page.tree else { return }
        text.add(tree.stored)
        text.add(tree.removalBelow)
        text.add(tree.nextChange)
        guard let content = page.replaced else { return }
        text.add(content.size.byteCount)
        text.add(content.size.counts)
        text.add(content.place)
        text.add(content.checksum)
    }
}

extension RevisionRecord {
    /// Reads a record; `nil` for a text that ``text`` does not make.
    init?(_ text: String) { self.init(bytes: Array(text.utf8)) }

    /// Reads a record; `nil` for bytes that ``bytes`` does not make.
    init?(bytes: [UInt8]) {
        var lines = RecordText.lines(of: bytes[...])[...]
        guard let first = lines.popFirst(), let operations = lines.popFirst(),
            let pages = lines.popFirst()
        else { return nil }
        var words = RecordWords(first)
        guard words.kind() == "1", let creation = words.number(Int64.self),
            let revision = words.number(UInt64.self), let before = words.number(UInt64.self)
        else { return nil }
        self.init(creation: creation, revision: revision, before: before)
        note.at = words.number(Int64.self)
        note.operation = words.text()
        note.key = words.text()
        note.request = words.text()
        note.revertedTo = words.number(UInt64.self)
        guard let count = words.number(Int.self), words.isAtEnd else { return nil }
        pageCount = count
        guard readOperations(RecordWords(operations)), readPages(RecordWords(pages)) else {
            return nil
        }
        guard !lines.isEmpty else { return }
        guard let state = FormerState(lines) else { return nil }
        former = state
    }

    private mutating func readOperations(_ line: RecordWords) -> Bool {
        var words = line
        while !words.isAtEnd {
            guard let (name, number) = words.pair(), let number else { return false }
            note.operations[String(decoding: name, as: UTF8.self)] = number
        }
        return true
    }

    private mutating func readPages(_ line: RecordWords) -> Bool {
        var words = line
        while !words.isAtEnd {
            var rest = words
            if let word = rest.next(), word.first == UInt8(ascii: "+") {
                guard let more = Int(decimal: word.dropFirst()), more >= 0 else { return false }
                (morePages, words) = (more, rest)
                continue
            }
            guard let (name, byteCount) = words.pair(), let number = Int(decimal: name) else {
                return false
            }
            pages.append(RevisionEntry.PageChange(number: number, byteCount: byteCount))
        }
        return true
    }

    /// Divides the bytes of a record into the facts about the revision and the state before it; the
    /// second part is empty without that.
    static func parts(of bytes: [UInt8]) -> (facts: ArraySlice<UInt8>, former: ArraySlice<UInt8>) {
        let lines = RecordText.lines(of: bytes[...], atMost: factLines + 1)
        guard lines.count > factLines else { return (bytes[...], []) }
        return (bytes[..<lines[factLines - 1].endIndex], lines[factLines])
    }

    /// The number of lines before those of the state before the revision.
    private static let factLines = 3
}

extension FormerState {
    /// Reads the lines of a state, from the second part of a record; `nil` for other lines.
    init?(part bytes: ArraySlice<UInt8>) { self.init(RecordText.lines(of: bytes)[...]) }

    /// Reads the line of a state, and those of its pages.
    fileprivate init?(_ lines: ArraySlice<ArraySlice<UInt8>>) {
        guard let head = lines.first else { return nil }
        self.init(head)
        var rest = lines.dropFirst()
        if let line = rest.first, line.elementsEqual("*".utf8) {
            hasWholeFolder = true
            rest = rest.dropFirst()
        }
        for line in rest {
            guard let page = FormerPage(line) else { return nil }
            pages.append(page)
        }
    }

    /// Reads the line of a state.
    fileprivate init?(_ line: ArraySlice<UInt8>) {
        var words = RecordWords(line)
        guard words.kind() == "h", let folder = words.number(Int64.self),
            let latest = words.number(Int.self)
        else { return nil }
        let highest = words.number(Int.self)
        guard let pages = words.number(Int.self), let bytes = words.number(Int.self) else {
            return nil
        }
        let counts = words.counts()
        guard let floor = words.number(UInt64.self), words.isAtEnd else { return nil }
        let size = ScreenSize(pageCount: pages, byteCount: bytes, counts: counts)
        // The revision is that of the record; the reader sets it.
        self.init(
            folder: folder,
            head: ScreenHead(revision: 0, latestPage: latest, highestPage: highest, size: size),
            treeFloor: floor)
    }
}

extension FormerPage {
    /// Reads the line of a page.
    fileprivate init?(_ line: ArraySlice<UInt8>) {
        var words = RecordWords(line)
        guard let kind = words.kind(), let number = words.number(Int.self), number >= 0 else {
            return nil
        }
        self.init(number: number)
        guard kind != "n" else { return }
        guard let stored = words.number(UInt64.self), let removal = words.number(UInt64.self),
            let next = words.number(UInt64.self)
        else { return nil }
        tree = TreeHistory.Page(
            number: number, stored: stored, removalBelow: removal, nextChange: next)
        guard kind != "t" else { return }
        guard kind == "p", let bytes = words.number(Int.self), bytes >= 0 else { return nil }
        let counts = words.counts()
        guard let place = words.number(Int64.self), let checksum = words.number(Int64.self),
            words.isAtEnd
        else { return nil }
        replaced = Content(
            size: PageSize(byteCount: bytes, counts: counts), place: place, checksum: checksum)
    }
}
