/// What came of reading something: it, or the lines that say why not.
///
/// For commands that go on after a fault, to find them all.
struct Finding<Value> {
    /// What was read; nil when it is at fault.
    let value: Value?
    /// A line for each fault; empty when there is a value.
    let faults: [String]

    /// Calls `read` and keeps what comes of it.
    init(_ read: () throws(CommandError) -> Value) {
        do throws(CommandError) {
            (value, faults) = (try read(), [])
        } catch {
            (value, faults) = (nil, error.lines)
        }
    }
}
