public import BroadsheetClient

/// The operations of an update of a screen's pages (docs/edits.md, "Updates").
///
/// Each operation applies to the outcome of those before it. After an operation that cannot be done
/// the whole update is without effect.
public struct ScreenUpdater {
    let editor: ScreenEditor
    private var count = 0
    var error: EditError?
    /// A Boolean value that indicates whether indexes may mean other items or sections than before
    /// the update.
    var hasChangedPlaces = false
    /// The index of the event whose action was applied last, and has not been judged.
    var actedEvent: Int?

    init(_ editor: ScreenEditor) {
        self.editor = editor
    }

    /// A Boolean value that indicates whether an update cannot be done that breaks a unit which was
    /// not broken before, as an action cannot; to be set before the first operation.
    package var judgesOperations: Bool {
        get { editor.record.judgesOperations }
        nonmutating set { editor.record.judgesOperations = newValue }
    }

    package var work: EditWork { editor.record.work }

    /// Throws ``EditError/outOfMemory``, or the reason why the last action cannot be done.
    mutating func changedPages() throws(EditError) -> [(number: Int, bytes: [UInt8])] {
        try judgeAction()
        do throws(EditFailure) {
            if judgesOperations { try editor.judgeTouched() }
            return try editor.changedPages()
        } catch {
            throw EditError(editor.budgetFailure ?? error, at: "")
        }
    }

    /// Applies an operation.
    ///
    /// - Throws: The reason why it cannot be done, with a pointer that begins with `/operations/i`.
    public mutating func apply(_ operation: UpdateOperation) throws(EditError) {
        if let error { throw error }
        do throws(EditFailure) {
            editor.record.operation = count
            try editor.apply(operation)
            try editor.checkBudget()
            count += 1
        } catch {
            let error = EditError(editor.budgetFailure ?? error, at: "/operations/\(count)")
            self.error = error
            throw error
        }
    }

    /// Throws the first violation that the operations of the event before have caused.
    mutating func judgeAction() throws(EditError) {
        guard let event = actedEvent else { return }
        actedEvent = nil
        do throws(EditFailure) { try editor.judgeTouched() } catch {
            throw failed(error, at: event)
        }
    }

    /// Returns the error of an action that cannot be done, which ends the update.
    mutating func failed(_ failure: EditFailure, at event: Int) -> EditError {
        let error = EditError(
            editor.budgetFailure ?? failure, ofActionAt: "/events/\(event)")
        self.error = error
        return error
    }
}

// MARK: - Models

extension ScreenUpdater: ScreenEditing {
    /// The number of sections of the screen.
    public var sectionCount: Int { editor.sectionCount }

    /// Applies the operations that a function makes by the names of the contract.
    public mutating func edit(
        _ operations: (ContractNames) throws(ModelError) -> [UpdateOperation]
    ) throws(EditError) {
        if let error { throw error }
        let made: [UpdateOperation]
        do throws(ModelError) {
            made = try operations(editor.registry.names)
        } catch {
            let failure = EditFailure("The model is not JSON: \(error.detail).", at: error.pointer)
            let error = EditError(failure, at: "/operations/\(count)")
            self.error = error
            throw error
        }
        for operation in made { try apply(operation) }
    }
}

// MARK: - Items

extension ScreenUpdater {
    /// Inserts units, or elements of the array that the neighbour is an element of.
    public mutating func insertItems(
        section: UpdateTarget, _ content: UpdateOperation.Content, _ place: UpdatePlace = .end
    ) throws(EditError) {
        try apply(.insertItems(section: section, content, place))
    }

    /// Replaces the items that have the ids of these elements, and appends the other elements.
    public mutating func upsertItems(
        section: UpdateTarget, unitType: String, data: [JSONValue]
    ) throws(EditError) {
        try apply(.upsertItems(section: section, unitType: unitType, data: data))
    }

    /// Replaces the data of an item.
    public mutating func replaceItem(
        section: UpdateTarget, item: UpdateTarget, data: JSONValue
    ) throws(EditError) {
        try apply(.replaceItem(section: section, item: item, data: data))
    }

    /// Applies a merge patch (RFC 7396) to the data of an item.
    public mutating func patchItem(
        section: UpdateTarget, item: UpdateTarget, patch: JSONValue
    ) throws(EditError) {
        try apply(.patchItem(section: section, item: item, patch: patch))
    }

}

// MARK: - Sections

extension ScreenUpdater {
    /// Inserts sections with new ids.
    public mutating func insertSections(
        _ sections: [JSONValue], _ place: UpdatePlace = .end
    ) throws(EditError) {
        try apply(.insertSections(sections, place))
    }

    /// Replaces the section of the same id in its place or at another one, or inserts the section,
    /// by default at the end.
    public mutating func replaceSection(
        _ section: JSONValue, _ place: UpdatePlace? = nil
    ) throws(EditError) {
        try apply(.replaceSection(section, place))
    }

    /// Appends sections to the last page: a known id takes on the items.
    public mutating func extendSections(_ sections: [JSONValue]) throws(EditError) {
        try apply(.extendSections(sections))
    }

    /// Removes sections from all pages.
    public mutating func deleteSections(_ sections: [UpdateTarget]) throws(EditError) {
        try apply(.deleteSections(sections))
    }

    /// Moves a section.
    public mutating func moveSection(
        section: UpdateTarget, _ place: UpdatePlace = .end
    ) throws(EditError) {
        try apply(.moveSection(section: section, place))
    }

    /// Applies a merge patch to `layout`, `collapsed`, `data`, `header` and `footer` of a section.
    public mutating func patchSection(
        section: UpdateTarget, patch: JSONValue
    ) throws(EditError) {
        try apply(.patchSection(section: section, patch: patch))
    }

    /// Replaces the data of the header or the footer that a section has, whichever unit makes it.
    public mutating func replaceView(
        section: UpdateTarget, _ view: UpdateOperation.View, data: JSONValue
    ) throws(EditError) {
        try apply(.replaceView(section: section, view, data: data))
    }

    /// Collapses a section, or expands it.
    public mutating func toggleSection(section: UpdateTarget) throws(EditError) {
        try apply(.toggleSection(section: section))
    }
}

extension ScreenEditor {
    /// Applies an operation, unless the searches take too many steps.
    func apply(_ operation: UpdateOperation) throws(EditFailure) {
        try record.check(afterSteps: EditWork.operationSteps)
        try operation.form.apply(to: self)
        followVisibility()
        try record.check()
    }

    /// Returns whether the screen has the item of an event, or the section of its view.
    func hasItem(_ target: ActionTarget) throws(EditFailure) -> Bool {
        guard case .id(let section) = target.section else { return true }
        guard let named = target.item else { return !parts(of: Identifier(section)).isEmpty }
        guard case .id(let id) = named else { return true }
        if try knownItem(id, ofSection: section) != nil { return true }
        let parts = parts(of: Identifier(section))
        return try parts.isEmpty ? false : item(ItemName(id), of: parts) != nil
    }

    func item(
        _ target: UpdateTarget, ofSection section: UpdateTarget
    ) throws(EditFailure) -> Item {
        if case .id(let id) = target, case .id(let sectionId) = section,
            let item = try knownItem(id, ofSection: sectionId)
        {
            return item
        }
        return try item(target, of: parts(of: section), at: "/item")
    }
}

extension ScreenEditor {
    /// The failure of a request that has no judgements left; then items are not known as they are.
    var budgetFailure: EditFailure? {
        guard let budget = registry.judgementBudget, budget.isExhausted else { return nil }
        return .limit(
            "The judgements by schemas of the edited units take more than a request may take.")
    }

    func checkBudget() throws(EditFailure) {
        if let budgetFailure { throw budgetFailure }
    }
}
