/// A writer of structured JSON, compact or pretty.
///
/// It writes the commas, the colons and the white space, so that the same code writes both styles.
/// A value follows `element()` in an array and `member(_:)` in an object; the root value follows
/// nothing. Values are written by the methods of this type or directly into ``writer``.
package struct StructuredJSONWriter: Sendable {
    /// The underlying writer, for values and for JSON that includes its punctuation.
    package var writer: JSONWriter
    package let style: Style
    package private(set) var depth = 0
    private var isEmpty = true
    /// A Boolean value that indicates whether the innermost container is written on one line.
    private var isInline = false

    package init(style: Style = .compact, reservingCapacity capacity: Int = 0) {
        self.style = style
        writer = JSONWriter(reservingCapacity: capacity)
    }

    package var bytes: [UInt8] { writer.bytes }

    // MARK: Containers

    package mutating func object(_ body: (inout StructuredJSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes an array whose elements `body` writes, each after a call of `element()`.
    package mutating func array(_ body: (inout StructuredJSONWriter) -> Void) {
        beginArray()
        body(&self)
        endArray()
    }

    /// Begins an object that ``endObject()`` ends, where a closure cannot write all of it.
    package mutating func beginObject() {
        writer.raw("{")
        open()
    }

    package mutating func endObject() {
        close()
        writer.raw("}")
    }

    /// Begins an array that ``endArray()`` ends, where a closure cannot write all of it.
    package mutating func beginArray() {
        writer.raw("[")
        open()
    }

    package mutating func endArray() {
        close()
        writer.raw("]")
    }

    package mutating func object(
        _ name: StaticString, _ body: (inout StructuredJSONWriter) -> Void
    ) {
        member(name)
        object(body)
    }

    package mutating func array(
        _ name: StaticString, _ body: (inout StructuredJSONWriter) -> Void
    ) {
        member(name)
        array(body)
    }

    /// Writes a member that is an object of a few members, on one line in both styles.
    package mutating func inlineObject(
        _ name: StaticString, _ body: (inout StructuredJSONWriter) -> Void
    ) {
        let wasInline = isInline
        member(name)
        isInline = true
        object(body)
        isInline = wasInline
    }

    package mutating func inlineMembers(_ body: (inout StructuredJSONWriter) -> Void) {
        isInline = true
        object(body)
        isInline = false
    }

    package mutating func inlineArray(
        _ name: StaticString, _ body: (inout StructuredJSONWriter) -> Void
    ) {
        member(name)
        isInline = true
        array(body)
        isInline = false
    }

    private mutating func open() {
        depth += 1
        isEmpty = true
    }

    private mutating func close() {
        depth -= 1
        if !isEmpty, !isInline { style.writeLineBreak(depth, to: &writer) }
        isEmpty = false
    }

    // MARK: Elements and members

    /// Begins an array's next element; its value is written next.
    package mutating func element() {
        if isInline {
            if !isEmpty { style.writeInlineComma(to: &writer) }
        } else {
            if !isEmpty { writer.raw(",") }
            style.writeLineBreak(depth, to: &writer)
        }
        isEmpty = false
    }

    /// Records that elements were written into the innermost container without `element()`.
    package mutating func noteElements() {
        isEmpty = false
    }

    /// Begins a member; its value is written next.
    package mutating func member(_ name: StaticString) {
        guard style == .compact else {
            element()
            return style.writeKey(name, to: &writer)
        }
        // The comma, the name and the colon in one append, because log lines have many members.
        let needsComma = !isEmpty
        isEmpty = false
        writer.withCapacity(name.utf8CodeUnitCount + 4) { cursor in
            if needsComma { cursor.byte(UInt8(ascii: ",")) }
            cursor.byte(UInt8(ascii: "\""))
            cursor.copy(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            cursor.byte(UInt8(ascii: "\""))
            cursor.byte(UInt8(ascii: ":"))
        }
    }

    package mutating func member(named name: String) {
        element()
        writer.string(name)
        writer.raw(style == .pretty ? ": " : ":")
    }

    package mutating func member(_ name: StaticString, _ value: String) {
        member(name)
        writer.string(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        member(name)
        writer.bool(value)
    }

    /// Writes a member that is a length in points or a time in seconds, as
    /// ``JSONWriter/number(_:)`` rounds it.
    package mutating func member(_ name: StaticString, _ value: Double) {
        member(name)
        writer.number(value)
    }

    package mutating func member(_ name: StaticString, _ value: Int) {
        member(name)
        writer.integer(value)
    }

    package mutating func member(_ name: StaticString, _ value: UInt64) {
        member(name)
        writer.integer(value)
    }

    /// Writes a member that is an array of lengths in points, on one line in both styles.
    package mutating func member(_ name: StaticString, _ values: some Sequence<Double>) {
        inlineArray(name) { output in
            for value in values {
                output.element()
                output.writer.number(value)
            }
        }
    }

    // MARK: Values

    package mutating func null() {
        writer.raw("null")
    }

    package mutating func string(_ value: String?) {
        guard let value else { return null() }
        writer.string(value)
    }

    package mutating func bool(_ value: Bool) {
        writer.bool(value)
    }

    /// Writes a number as ``JSONWriter/number(_:)`` rounds it.
    package mutating func number(_ value: Double) {
        writer.number(value)
    }

    package mutating func integer(_ value: Int) {
        writer.integer(value)
    }

    package mutating func raw(_ json: [UInt8]) {
        writer.raw(json)
    }
}

extension StructuredJSONWriter {
    package enum Style: Sendable, Hashable {
        /// No white space at all.
        case compact
        /// A line for each member and element, indented by two spaces a level.
        case pretty

        /// The line break before something inside `depth` containers; empty when compact.
        func lineBreak(_ depth: Int) -> [UInt8] {
            var writer = JSONWriter()
            writeLineBreak(depth, to: &writer)
            return writer.bytes
        }

        func key(_ name: StaticString) -> [UInt8] {
            var writer = JSONWriter()
            writeKey(name, to: &writer)
            return writer.bytes
        }

        var inlineComma: [UInt8] { Array((self == .pretty ? ", " : ",").utf8) }

        fileprivate func writeLineBreak(_ depth: Int, to writer: inout JSONWriter) {
            guard self == .pretty else { return }
            writer.raw("\n")
            for _ in 0..<depth { writer.raw("  ") }
        }

        fileprivate func writeKey(_ name: StaticString, to writer: inout JSONWriter) {
            writer.raw("\"")
            writer.raw(name)
            writer.raw(self == .pretty ? "\": " : "\":")
        }

        fileprivate func writeInlineComma(to writer: inout JSONWriter) {
            writer.raw(self == .pretty ? ", " : ",")
        }
    }
}

extension JSONWriter {
    /// The buffer moves into a structured writer and back and is not copied.
    package mutating func structured(
        _ style: StructuredJSONWriter.Style = .compact,
        _ body: (inout StructuredJSONWriter) -> Void
    ) {
        var output = StructuredJSONWriter(style: style)
        swap(&output.writer, &self)
        body(&output)
        swap(&output.writer, &self)
    }
}
