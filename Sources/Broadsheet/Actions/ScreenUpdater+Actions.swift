extension ScreenUpdater {
    /// Applies the operations of an action.
    ///
    /// - Returns: `false`, without a change, if an earlier action has removed the item.
    /// - Throws: The reason why they cannot be done, with the pointer to the event.
    package mutating func apply(_ action: PreparedAction) throws(EditError) -> Bool {
        if let error { throw error }
        if actedEvent != action.event { try judgeAction() }
        do throws(EditFailure) {
            if hasChangedPlaces {
                guard !action.target.hasIndex else {
                    throw EditFailure("Its index may mean another item after an earlier action.")
                }
                guard try editor.hasItem(action.target) else { return false }
            }
            actedEvent = action.event
            editor.record.isActing = true
            for operation in action.operations { try editor.apply(operation) }
            try editor.checkBudget()
            editor.record.isActing = false
            hasChangedPlaces = hasChangedPlaces || action.changesPlaces
            return true
        } catch {
            throw failed(error, at: action.event)
        }
    }
}
