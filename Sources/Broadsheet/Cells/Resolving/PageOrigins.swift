import BroadsheetCollections

/// The places in a posted page that its items, headers and footers are made of, and the placements
/// that made them (docs/api.md, "Explained layouts").
package final class PageOrigins: Sendable {
    /// A use of a unit's data.
    struct Use: Sendable {
        let location: UnitLocation
        /// A Boolean value that indicates whether the unit is its own data.
        let isFlat: Bool
        /// The pointer from the unit's data to the part that is used.
        let pointer: String
        let unitType: String
        /// The pointer to the placement in the catalog; `nil` for a type that is registered by
        /// code.
        let placement: String?
    }

    /// Consecutive items of one use.
    struct Run: Sendable {
        /// The index of the first item in the page.
        let cell: Int
        let use: Int
        /// The index of the first item's data in an array; `nil` for an item of all of the data.
        let element: Int?
    }

    private let uses: [Use]
    /// The items, ascending.
    private let runs: [Run]
    /// The uses that made headers and footers, by the index of the posted section.
    private let views: [OriginRecorder.View: Int]
    /// The byte ranges of the posted layouts, by the index of the section.
    private let layouts: [Int: Range<Int>]
    private let names: ContractNames

    /// Creates the origins of a page.
    ///
    /// - Parameters:
    ///   - page: The resolved page, for an audience.
    ///   - document: The document of an earlier page, which may contain this one, too; replaced by
    ///     that of this page.
    /// - Returns: `nil` for a page that was not posted, or that cannot be read by the registry.
    /// - Complexity: O(bytes).
    init?(
        of page: ResolvedPage, for audience: Audience, by registry: CellRegistry,
        reusing document: inout JSONDocument?
    ) {
        guard let posted = page.posted(by: registry.names, reusing: document) else { return nil }
        document = posted.document
        var limits = ScreenLimits()
        limits.maxItems = .max
        limits.maxDiagnostics = 0
        var resolver = PageResolver(
            posted, for: audience, registry: registry.limited(to: nil), limits: limits)
        resolver.draft.origins = OriginRecorder()
        guard (try? resolver.sections()) != nil, let recorder = resolver.draft.origins,
            resolver.draft.cells.count == page.itemCount
        else { return nil }
        uses = recorder.uses
        runs = recorder.runs
        views = recorder.views
        names = posted.names
        var layouts: [Int: Range<Int>] = [:]
        for (index, section) in posted.sections.enumerated() {
            layouts[index] = section.layoutValue?.byteRange
        }
        self.layouts = layouts
    }

    /// Returns the use that made the item at an index in the page, and the index of its data.
    ///
    /// - Complexity: O(log runs).
    func item(at cell: Int) -> (use: Use, element: Int?)? {
        let next = runs.partitioningIndex { $0.cell > cell }
        guard next > 0 else { return nil }
        let run = runs[next - 1]
        return (uses[run.use], run.element.map { $0 + cell - run.cell })
    }

    func view(_ role: PlacementRole, of section: Int32) -> Use? {
        views[OriginRecorder.View(section: section, role: role)].map { uses[$0] }
    }

    func layout(ofSection index: Int) -> Range<Int>? { layouts[index] }

    func pointers(of use: Use, element: Int?) -> (data: String, unit: String) {
        let unit = use.location.pointer(names)
        let data = (use.isFlat ? unit : JSONPointer.appending(unit, names.unitData)) + use.pointer
        return (element.map { JSONPointer.appending(data, $0) } ?? data, unit)
    }

    /// The estimated size in memory, in bytes.
    package var byteCount: Int {
        256 + runs.capacity * MemoryLayout<Run>.stride
            + uses.capacity * (MemoryLayout<Use>.stride + Self.textBytes)
            + (views.capacity + layouts.capacity) * 48
    }

    /// Returns an upper bound of the size in memory of the origins of a page, in bytes, with the
    /// index of the page, which is needed meanwhile.
    package static func maxByteCount(of page: ResolvedPage) -> Int {
        let uses = page.itemCount + 2 * page.sections.count
        return 256 + page.indexByteCount + page.sections.count * 256
            + 2 * uses * (MemoryLayout<Run>.stride + MemoryLayout<Use>.stride + textBytes)
    }

    /// The bytes that are estimated for the texts of a use, which most uses share.
    private static let textBytes = 32
}

/// The origins of the items, headers and footers of a page that is being resolved.
struct OriginRecorder: Sendable {
    /// A header or a footer of a posted section.
    struct View: Hashable, Sendable {
        let section: Int32
        let role: PlacementRole
    }

    private(set) var uses: [PageOrigins.Use] = []
    private(set) var runs: [PageOrigins.Run] = []
    private(set) var views: [View: Int] = [:]
    private var unitType = ""
    /// The placement that is being made; `nil` in the configuration of a type by code.
    var placement: String?
    private var cellCount = 0
    private var current: PageOrigins.Use?

    mutating func beginUnit(_ type: String) { (unitType, placement) = (type, nil) }

    mutating func begin(_ unit: UnitContext, pointer: String) {
        current = PageOrigins.Use(
            location: unit.location, isFlat: unit.isFlat, pointer: pointer, unitType: unitType,
            placement: placement)
        placement = nil
    }

    /// `element` is the first one's index in an array; `nil` for an item of all of the data.
    mutating func add(_ count: Int = 1, element: Int?) {
        defer { cellCount += count }
        guard count > 0 else { return }
        let isNew = takeUse()
        if !isNew, let element, let run = runs.last, run.use == uses.count - 1,
            let first = run.element, first + cellCount - run.cell == element
        {
            return
        }
        runs.append(PageOrigins.Run(cell: cellCount, use: uses.count - 1, element: element))
    }

    mutating func add(_ role: PlacementRole, ofSection section: Int32) {
        _ = takeUse()
        views[View(section: section, role: role)] = uses.count - 1
    }

    /// Removes the items from `start` on, those of a section that is left out.
    mutating func removeItems(from start: Int) {
        runs.removeLast(runs.count - runs.partitioningIndex { $0.cell >= start })
        cellCount = min(cellCount, start)
    }

    /// Appends the current use unless it has made something before, and returns whether it was
    /// appended.
    private mutating func takeUse() -> Bool {
        guard let use = current else { return false }
        uses.append(use)
        current = nil
        return true
    }
}

extension PageDraft {
    /// Begins a use of the data of a unit, if origins are recorded.
    mutating func beginUse(of unit: UnitContext, _ data: JSONValue, pointer: String) {
        guard let origins else { return }
        let found =
            origins.placement == nil
            ? unitData.flatMap { document.pointer(from: $0, to: data.node) } : nil
        self.origins?.begin(unit, pointer: found ?? pointer)
    }
}
