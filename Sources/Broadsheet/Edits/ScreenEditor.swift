/// A screen to which operations by identity are applied.
///
/// Pages are opened for edits when an operation touches them; all others stay as they are.
/// After an error the editor is to be discarded.
final class ScreenEditor {
    /// A posted section of one page; parts of one identifier are one section of the screen.
    struct Part: Hashable, Comparable {
        /// The index of the page in the editor.
        let page: Int
        /// The index of the section in the page.
        let section: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.page, left.section) < (right.page, right.section)
        }

        /// Returns the same location after a part was removed.
        func without(_ part: Part) -> Part {
            let isMoved = part.page == page && part.section < section
            return isMoved ? Part(page: page, section: section - 1) : self
        }
    }

    /// The location of an item: its page, and its location there.
    struct Item: Hashable, Comparable {
        /// The index of the page in the editor.
        let page: Int
        /// The location in the page.
        var item: PageItem

        /// The item's part of the section.
        var part: Part { Part(page: page, section: item.section) }

        static func < (left: Self, right: Self) -> Bool {
            left.page == right.page ? left.item < right.item : left.page < right.page
        }
    }

    /// The pages before the edits as they are for the audience, ascending by number.
    let pages: PageList
    /// The audience whose tree is edited.
    let audience: Audience
    /// A Boolean value that indicates whether parts of pages may be there for other audiences.
    let mayDiffer: Bool
    /// The registered types.
    let registry: CellRegistry
    let limits: EditLimits
    /// Reserves the memory of the edits.
    private let reserve: EditReservation
    /// The directory of the identities of items; `nil` for a screen of few pages.
    let directory: ItemDirectory?
    /// The record of what was done.
    let record: EditRecord
    /// The work of the judgements of what actions leave.
    var judgeCost: SchemaCost
    private(set) var opened: [EditedPage?]
    private var sources = JSONMemberIndexes()
    /// The parts of all sections in the order of the screen; `nil` until they are needed.
    private var sectionList: [[Part]]?
    /// The parts of sections that were looked up by their identifiers.
    private var partsById: [Identifier: [Part]] = [:]

    /// The arrays that elements were appended to, with the number of unit edits at that time.
    var lastArrays: [ArrayKey: (item: Item, unitEdits: Int)] = [:]

    /// The items whose ids have numbers, for roots that were searched for.
    var numberedItems: [NumberedRoot: NumberedItems] = [:]
    /// A Boolean value that indicates whether such items have been listed.
    var hasListedNumbers = false

    /// The arrays of a placement in a section.
    struct ArrayKey: Hashable {
        /// The first part of the section.
        let part: Part
        /// The unit type.
        let type: JSONKey
        /// The position of the placement among those of its unit type.
        let ordinal: Int
    }

    /// Creates an editor of the pages of a screen.
    ///
    /// - Parameters:
    ///   - model: The screen.
    ///   - parameters: The parameters of the layout whose tree is edited.
    ///   - directory: The directory of the screen's items; `nil` for a screen of few pages.
    ///   - registry: The registered types.
    ///   - limits: The limits of each edited page.
    ///   - reserve: Reserves the memory of the edits.
    init(
        _ model: PaginatedViewModel, _ parameters: LayoutParameters, _ directory: ItemDirectory?,
        _ registry: CellRegistry, limits: EditLimits, reserving reserve: @escaping EditReservation
    ) {
        self.reserve = reserve
        audience = Audience(parameters)
        mayDiffer = model.hasConditions
        // The stored pages are not documents of the request.
        pages = PageList(
            model.pages(upTo: .max, for: parameters, registry.limited(to: nil)))
        opened = Array(repeating: nil, count: pages.count)
        self.directory = directory
        record = EditRecord(recordsIdentities: directory != nil, maxSteps: limits.maxSteps)
        self.registry = registry
        judgeCost = SchemaCost(limits: .ofRequest, registry.judgementBudget)
        self.limits = limits
    }

    /// Returns the pages whose bytes are different, with their bytes, ascending by number.
    ///
    /// - Throws: A failure if there is no memory for them.
    func changedPages() throws(EditFailure) -> [(number: Int, bytes: [UInt8])] {
        var changed: [(number: Int, bytes: [UInt8])] = []
        for case let page? in opened where page.isChanged {
            guard reserve(.writing(byteCount: page.byteCount)) else { throw .outOfMemory }
            let bytes = page.bytes
            if bytes != page.originalBytes { changed.append((page.number, bytes)) }
        }
        return changed
    }

    /// Returns a page for edits.
    func page(_ index: Int) throws(EditFailure) -> EditedPage {
        if let page = opened[index] { return page }
        let page = try EditedPage(
            pages[index], for: audience, registry: registry, limits: limits, record: record,
            reserving: reserve)
        opened[index] = page
        return page
    }

    /// Returns a page if it was opened for edits.
    func openedPage(_ index: Int) -> EditedPage? { opened[index] }

    /// Returns a value of a request as a value of a page.
    func edited(_ value: JSONValue) -> EditedValue {
        EditedValue(source(of: value), value.node)
    }

    /// Returns the source of a value of a request.
    func source(of value: JSONValue) -> JSONMemberIndex { sources.source(of: value) }
}

// MARK: - Sections

extension ScreenEditor {
    /// Forgets the sections, because some were inserted, removed or moved.
    func sectionsChanged() {
        sectionList = nil
        partsById = [:]
    }

    /// Returns the identifiers of the sections of a page, and whether they are hidden.
    private func identifiers(_ page: Int) -> [(identifier: Identifier?, isHidden: Bool)] {
        if let page = opened[page] { return page.sections.map { ($0.identifier, $0.isHidden) } }
        return pages[page].sections.map { ($0.identifier.map(Identifier.init), $0.isHidden) }
    }

    /// The parts of all sections in the order of their first appearance.
    ///
    /// - Complexity: O(sections of all pages), once after each change of sections.
    var sections: [[Part]] {
        if let sectionList { return sectionList }
        var sections: [[Part]] = []
        var named: [Identifier: Int] = [:]
        for page in pages.indices {
            record.spend(sectionCount(ofPage: page) * EditWork.unitSteps)
            for (index, (identifier, isHidden)) in identifiers(page).enumerated() where !isHidden {
                let part = Part(page: page, section: index)
                if let identifier, let known = named[identifier] {
                    sections[known].append(part)
                    continue
                }
                if let identifier { named[identifier] = sections.count }
                sections.append([part])
            }
        }
        sectionList = sections
        return sections
    }

    /// Returns the parts of the section with an identifier; none if there is no such section.
    ///
    /// - Complexity: O(sections of all pages) for the first look-up of an identifier.
    func parts(of identifier: Identifier) -> [Part] {
        if let known = partsById[identifier] { return known }
        var parts: [Part] = []
        for page in pages.indices {
            record.spend(sectionCount(ofPage: page))
            for index in 0..<sectionCount(ofPage: page)
            where isSection(index, identifier.text, page) {
                parts.append(Part(page: page, section: index))
            }
        }
        partsById[identifier] = parts
        return parts
    }

    /// Returns the number of posted sections of a page.
    func sectionCount(ofPage page: Int) -> Int {
        opened[page]?.sections.count ?? pages[page].sections.count
    }

    /// Returns whether the posted section at an index of a page is there and has an identifier.
    func isSection(_ index: Int, _ identifier: String, _ page: Int) -> Bool {
        if let page = opened[page] { return page.isSection(index, identifier) }
        // By index, because a copy of a section would retain and release its members.
        let sections = pages[page].sections
        return !sections[index].isHidden
            && sections[index].identifier?.hasSameCodePoints(as: identifier) == true
    }

    /// Returns whether the posted section at an index of a page has an identifier, for whichever
    /// audience it is.
    func has(_ identifier: String, _ index: Int, _ page: Int) -> Bool {
        if let page = opened[page] {
            return page.sections[index].identifier?.text.hasSameCodePoints(as: identifier) == true
        }
        let sections = pages[page].sections
        return sections[index].identifier?.hasSameCodePoints(as: identifier) == true
    }

    /// Returns the parts of the section that an operation names.
    ///
    /// - Throws: A failure if there is no such section.
    func parts(
        of target: UpdateTarget, at pointer: String = "/section"
    ) throws(EditFailure) -> [Part] {
        switch target {
        case .id(let id):
            let parts = parts(of: Identifier(id))
            guard !parts.isEmpty else {
                throw EditFailure("The screen has no section with the id \"\(id)\".", at: pointer)
            }
            return parts
        case .index(let index):
            guard let parts = sections[safe: index] else {
                throw EditFailure(
                    "The screen has \(sections.count) sections, and none with the index "
                        + "\(index).", at: pointer)
            }
            return parts
        }
    }
}

// MARK: - Items

extension ScreenEditor {
    /// Returns the number of items of a part of a section.
    func itemCount(of part: Part) -> Int {
        record.spend(openedPage(part.page)?.sections[part.section].units.count ?? 1)
        return opened[part.page]?.sections[part.section].itemCount
            ?? pages[part.page].sections[part.section].cells.count
    }

    /// Returns whether an index leads to an item of a part without a pass over units or elements.
    ///
    /// - Complexity: O(1)
    func hasDirectIndexes(_ part: Part) throws(EditFailure) -> Bool {
        let units = try page(part.page).sections[part.section].units
        return units.count <= 16
            && units.allSatisfy { unit in
                unit.placements.allSatisfy { !$0.isItems || $0.areAllMade }
            }
    }

    /// Returns the item at an index of a part, which exists.
    ///
    /// - Complexity: O(units), and O(elements) of an array of which some make nothing.
    func item(_ index: Int, of part: Part) throws(EditFailure) -> Item {
        let section = try page(part.page).sections[part.section]
        var left = index
        var item: (placement: Int, element: Int)?
        let unit = section.units.firstIndex { unit in
            let count = unit.itemCount
            if left >= count {
                left -= count
                return false
            }
            item = unit.item(left)
            return true
        }
        guard let unit, let item else { throw .noValue }
        let placement = section.units[unit].placements[item.placement]
        record.spend(unit + 1 + (placement.areAllMade ? 0 : item.element))
        return Item(
            page: part.page,
            item: PageItem(
                section: part.section, unit: unit, placement: item.placement,
                element: item.element))
    }

    /// Returns the items of a part in their order.
    ///
    /// - Complexity: O(elements).
    func items(of part: Part) throws(EditFailure) -> [Item] {
        let section = try page(part.page).sections[part.section]
        var items: [Item] = []
        for (number, unit) in section.units.enumerated() {
            for (place, placement) in unit.placements.enumerated() where placement.isItems {
                record.list(placement.elements.count)
                for (element, item) in placement.elements.enumerated() where item.isMade {
                    items.append(
                        Item(
                            page: part.page,
                            item: PageItem(
                                section: part.section, unit: number, placement: place,
                                element: element)))
                }
            }
        }
        return items
    }

    /// Returns the last item of a section, or `nil` if it has none.
    ///
    /// - Parameter excluded: Items that do not count.
    func lastItem(
        of parts: [Part], except excluded: Set<Item> = []
    ) throws(EditFailure) -> Item? {
        for part in parts.reversed() {
            // A page that has no items of the section is not opened for them.
            guard openedPage(part.page) != nil || itemCount(of: part) > 0 else { continue }
            let last = try page(part.page).lastItem(ofSection: part.section) { item in
                !excluded.contains(Item(page: part.page, item: item))
            }
            if let last { return Item(page: part.page, item: last) }
        }
        return nil
    }
}

extension EditedPage {
    /// Returns whether the section at an index is there and has an identifier.
    func isSection(_ index: Int, _ identifier: String) -> Bool {
        !sections[index].isHidden
            && sections[index].identifier?.text.hasSameCodePoints(as: identifier) == true
    }

    /// Returns the last item of a section that meets a condition, or `nil` if there is none.
    ///
    /// - Complexity: O(units and elements behind the item).
    fileprivate func lastItem(
        ofSection section: Int, where condition: (PageItem) -> Bool
    ) -> PageItem? {
        let units = sections[section].units
        for unit in units.indices.reversed() {
            let last = units[unit].lastItem { placement, element in
                condition(
                    PageItem(
                        section: section, unit: unit, placement: placement, element: element))
            }
            record.spend(EditWork.unitSteps + units[unit].elementCount(behind: last))
            if let last {
                return PageItem(
                    section: section, unit: unit, placement: last.placement, element: last.element)
            }
        }
        return nil
    }
}

extension EditedUnit {
    /// Returns the number of elements from an item on, or of all for `nil`.
    fileprivate func elementCount(behind item: (placement: Int, element: Int)?) -> Int {
        placements[(item?.placement ?? 0)...].reduce(-(item?.element ?? 0)) {
            $0 + ($1.isItems ? $1.elements.count : 0)
        }
    }

    /// Returns the placement and the element of the item at an index, or `nil`.
    fileprivate func item(_ index: Int) -> (placement: Int, element: Int)? {
        var left = index
        for (place, placement) in placements.enumerated() where placement.isItems {
            let count = placement.itemCount
            if left < count { return (place, placement.element(ofItem: left)) }
            left -= count
        }
        return nil
    }
}

extension EditedPlacement {
    /// Returns the index of the element that the item at an index is made of.
    fileprivate func element(ofItem index: Int) -> Int {
        if itemCount == elements.count { return index }
        var left = index
        for (element, item) in elements.enumerated() where item.isMade {
            if left == 0 { return element }
            left -= 1
        }
        return 0
    }
}
