/// The root of a document under edit.
///
/// One container in it can be open: it is kept apart, so that many edits in a row do not descend to
/// it each time. An edit of a container around it puts it back.
struct EditedRoot {
    /// The value, without what is open.
    private var value: EditedValue
    /// The open value.
    private var open = EditedValue.none
    /// The path of the open value; `nil` for none.
    private var openPath: ArraySlice<JSONPathStep>?

    init(_ value: EditedValue) {
        self.value = value
    }

    var isOpen: Bool { openPath != nil }

    /// The number of bytes of the value.
    var byteCount: Int { value.byteCount + open.byteCount }

    mutating func closed() -> EditedValue {
        close()
        return value
    }

    /// Opens the value at a path, if it exists.
    mutating func open(at path: ArraySlice<JSONPathStep>) {
        close()
        let taken = try? value.edit(at: path) { (value: inout EditedValue) in
            defer { value = .none }
            return value
        }
        guard let taken else { return }
        (open, openPath) = (taken, path)
    }

    @inline(__always)
    mutating func editOpen<Value>(
        _ change: (inout EditedValue) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        try change(&open)
    }

    mutating func edit<Value>(
        at path: ArraySlice<JSONPathStep>,
        _ change: (inout EditedValue) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        if let openPath {
            if path.starts(with: openPath) {
                return try open.edit(at: path.dropFirst(openPath.count), change)
            }
            if openPath.starts(with: path) { close() }
        }
        return try value.edit(at: path, change)
    }

    /// Returns whether a path leads to the open value, or into it.
    func isOpen(at path: some Collection<JSONPathStep>) -> Bool {
        openPath.map { path.starts(with: $0) } ?? false
    }

    mutating func value(at path: [JSONPathStep]) -> EditedValue? {
        if let openPath {
            if path.starts(with: openPath) { return open.value(at: path[openPath.count...]) }
            if openPath.starts(with: path) { close() }
        }
        return value.value(at: path)
    }

    private mutating func close() {
        guard let path = openPath else { return }
        let taken = open
        (open, openPath) = (.none, nil)
        try? value.edit(at: path) { (value: inout EditedValue) in value = taken }
    }
}
