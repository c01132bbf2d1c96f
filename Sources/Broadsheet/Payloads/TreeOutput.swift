/// Writes JSON structure, compact or indented: it puts the commas, the colons and the white space, so
/// that what is written between them is the same for programs and for people.
struct TreeOutput {
    /// Where the bytes go; for values, and for pieces that bring their own punctuation.
    var writer: JSONWriter
    let style: TreeStyle
    /// How many containers are open.
    private(set) var depth = 0
    /// Whether nothing has been written into the innermost container so far.
    private var isEmpty = true
    /// Whether the innermost container stays on one line.
    private var isInline = false

    init(style: TreeStyle, reservingCapacity capacity: Int) {
        self.style = style
        writer = JSONWriter(reservingCapacity: capacity)
    }

    /// Writes an object whose members `body` writes.
    mutating func object(_ body: (inout TreeOutput) -> Void) {
        writer.raw("{")
        open(body)
        writer.raw("}")
    }

    /// Writes an array whose elements `body` writes, each behind a call of `element()`.
    mutating func array(_ body: (inout TreeOutput) -> Void) {
        writer.raw("[")
        open(body)
        writer.raw("]")
    }

    /// Writes a member that is an object of a few members, on one line even when indented.
    mutating func inlineObject(_ name: StaticString, _ body: (inout TreeOutput) -> Void) {
        member(name)
        isInline = true
        object(body)
        isInline = false
    }

    private mutating func open(_ body: (inout TreeOutput) -> Void) {
        depth += 1
        isEmpty = true
        body(&self)
        depth -= 1
        if !isEmpty, !isInline { style.breakLine(depth, in: &writer) }
        isEmpty = false
    }

    /// Starts an array's next element, which is to be written next.
    mutating func element() {
        if isInline {
            if !isEmpty { style.inlineComma(in: &writer) }
        } else {
            if !isEmpty { writer.raw(",") }
            style.breakLine(depth, in: &writer)
        }
        isEmpty = false
    }

    /// Says that elements were written into the innermost container without `element()`.
    mutating func noteElements() {
        isEmpty = false
    }

    /// Starts a member, whose value is to be written next.
    mutating func member(_ name: StaticString) {
        element()
        style.key(name, in: &writer)
    }

    /// Writes a member that is a string.
    mutating func member(_ name: StaticString, _ value: String) {
        member(name)
        writer.string(value)
    }

    /// Writes a member that is `true` or `false`.
    mutating func member(_ name: StaticString, _ value: Bool) {
        member(name)
        writer.bool(value)
    }

    /// Writes a member that is a length in points, or a time in seconds.
    mutating func member(_ name: StaticString, _ value: Double) {
        member(name)
        writer.number(value)
    }

    /// Writes a member that is an integer.
    mutating func member(_ name: StaticString, _ value: Int) {
        member(name)
        writer.integer(value)
    }
}
