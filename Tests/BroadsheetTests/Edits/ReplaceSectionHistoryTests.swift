import Broadsheet
import TestSupport
import Testing

/// A posted section of the plain model.
private struct PostedSection: Equatable {
    /// The condition of a section.
    enum Condition: String, CaseIterable {
        case none = ""
        case flag = #","when":{"flags":["x"]}"#
        case otherFlag = #","when":{"flags":["y"]}"#
        case withoutFlag = #","when":{"without":["x"]}"#

        func holds(for flags: Set<String>) -> Bool {
            switch self {
            case .none: true
            case .flag: flags.contains("x")
            case .otherFlag: flags.contains("y")
            case .withoutFlag: !flags.contains("x")
            }
        }
    }

    let id: String?
    let condition: Condition
    /// A Boolean value that indicates whether an essential unit of it cannot be made.
    let isMissing: Bool
    let number: Int

    var text: String {
        guard let id else { return "[]" }
        let missing = isMissing ? #",{"t":"NONE","essential":true}"# : ""
        return
            #"{"id":"\#(id)","u":[{"t":"ONE","d":{"id":"\#(number)"}}\#(missing)]\#(condition.rawValue)}"#
    }

    func isShown(for flags: Set<String>) -> Bool { !isMissing && condition.holds(for: flags) }
}

/// A place by the member of the operation.
private struct PostedPlace {
    let isAfter: Bool
    let target: UpdateTarget

    var text: String {
        switch target {
        case .id(let id): #","\#(isAfter ? "after" : "before")":"\#(id)""#
        case .index(let index): #","\#(isAfter ? "after" : "before")":\#(index)"#
        }
    }
}

/// A screen as one list of posted sections, with `nil` at the end of each page.
private struct PostedScreen {
    var entries: [PostedSection?]

    /// The texts of the pages.
    var pages: [String] {
        entries.split(separator: nil, omittingEmptySubsequences: false).dropLast().map { page in
            #"{"s":[\#(page.map { $0?.text ?? "" }.joined(separator: ","))]}"#
        }
    }

    /// Replaces a section, and returns whether that can be done (docs/edits.md, "Sections").
    mutating func replace(
        by section: PostedSection, _ place: PostedPlace?, for flags: Set<String>
    ) -> Bool {
        let own = entries.indices.filter { index in
            guard let other = entries[index], other.id == section.id else { return false }
            return other.condition.holds(for: flags) || other.condition == section.condition
        }
        let first = own.first { entries[$0]?.isShown(for: flags) == true } ?? own.first
        guard let gap = gap(at: place, for: section, flags) ?? first else { return false }
        if gap < 0 { return false }
        var replaced: [PostedSection?] = []
        for index in entries.indices {
            if index == gap { replaced.append(section) }
            if !own.contains(index) { replaced.append(entries[index]) }
        }
        entries = replaced
        return true
    }

    /// Returns the index of the entry before which a place is; `nil` for that of the section
    /// itself, and -1 if there is no such place.
    private func gap(
        at place: PostedPlace?, for section: PostedSection, _ flags: Set<String>
    ) -> Int? {
        let end = entries.count - 1
        var shown: [(id: String?, index: Int)] = []
        for (index, entry) in entries.enumerated() {
            guard let entry, entry.isShown(for: flags) else { continue }
            if let id = entry.id, shown.contains(where: { $0.id == id }) { continue }
            shown.append((entry.id, index))
        }
        guard let place else {
            let isThere = entries.contains { entry in
                entry?.id == section.id
                    && (entry?.condition.holds(for: flags) == true
                        || entry?.condition == section.condition)
            }
            return isThere ? nil : end
        }
        switch place.target {
        case .id(let id):
            guard let found = shown.first(where: { $0.id == id }), id != section.id else {
                return -1
            }
            return found.index + (place.isAfter ? 1 : 0)
        case .index(let index):
            let own = shown.firstIndex { $0.id == section.id }
            if own != nil, !section.isShown(for: flags) { return -1 }
            if index == own { return nil }
            if index == shown.count, !place.isAfter { return end }
            guard index < shown.count else { return -1 }
            return shown[index].index + (place.isAfter ? 1 : 0)
        }
    }
}

/// Returns the parameters of a layout with flags.
private func parameters(_ flags: [String]) -> LayoutParameters {
    var parameters = LayoutParameters()
    parameters.flags = IdentifierList(flags)
    return parameters
}

/// A generator of screens and operations.
private struct RandomSections {
    var random: SeededGenerator
    private var count = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    mutating func section(isNamed: Bool = false) -> PostedSection {
        count += 1
        let all = PostedSection.Condition.allCases
        let id = !isNamed && below(8) == 0 ? nil : ["A", "B", "C", "D"][below(4)]
        return PostedSection(
            id: id, condition: id == nil || below(2) == 0 ? .none : all[below(all.count)],
            isMissing: id != nil && below(8) == 0, number: count)
    }

    mutating func screen() -> PostedScreen {
        var entries: [PostedSection?] = []
        // A screen of many pages without conditions is searched by a directory of its items.
        for _ in 0..<(below(5) == 0 ? 10 : 1 + below(3)) {
            for _ in 0..<below(5) { entries.append(section()) }
            entries.append(nil)
        }
        return PostedScreen(entries: entries)
    }

    mutating func place() -> PostedPlace? {
        let isAfter = below(2) == 0
        switch below(3) {
        case 0: return nil
        case 1: return PostedPlace(isAfter: isAfter, target: .index(below(6)))
        default:
            return PostedPlace(isAfter: isAfter, target: .id(["A", "B", "C", "D"][below(4)]))
        }
    }
}

/// Random sections that replace others, compared with a list of posted sections.
@Suite("Histories of replaceSection (docs/edits.md, Sections)") struct ReplaceSectionHistoryTests {
    @Test("Every byte is that of a plain list of sections, and twice the same is the same")
    func histories() throws {
        let seed = SeededGenerator.seed(of: "ReplaceSectionHistoryTests")
        let catalog = try updateCatalog()
        var (done, failed) = (0, 0)
        for history in 0..<40 {
            var random = RandomSections(seed: seed &+ UInt64(history))
            var screen = random.screen()
            for step in 0..<20 {
                let (section, place) = (random.section(isNamed: true), random.place())
                let flags: Set<String> = [[], ["x"], ["y"], ["x", "y"]][random.below(4)]
                let operation =
                    #"{"op":"replaceSection","section":\#(section.text)\#(place?.text ?? "")}"#
                let comment = Comment(
                    "seed \(seed), history \(history), step \(step): \(screen.pages) \(flags) \(operation)"
                )
                let audience = parameters(flags.sorted())
                func outcome(_ pages: [String], _ operations: String) throws -> UpdateOutcome {
                    try updated(pages, operations, by: catalog, for: audience)
                }
                let before = screen.pages
                guard screen.replace(by: section, place, for: flags) else {
                    guard case .impossible = try outcome(before, operation) else {
                        Issue.record(comment)
                        continue
                    }
                    failed += 1
                    continue
                }
                let expected = UpdateOutcome.pages(screen.pages)
                try #require(try outcome(before, operation) == expected, comment)
                try #require(try outcome(screen.pages, operation) == expected, comment)
                let twice = "\(operation),\(operation)"
                try #require(try outcome(before, twice) == expected, comment)
                done += 1
            }
        }
        #expect(done > failed && failed > 0, "seed \(seed): \(done) done, \(failed) failed")
    }
}
