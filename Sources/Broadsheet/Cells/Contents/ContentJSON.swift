/// JSON of contents from code.
extension [UInt8] {
    static func string(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.string(text)
        return writer.bytes
    }

    /// A number, exactly; null for one that JSON does not have.
    static func number(_ value: Double) -> [UInt8] {
        Array((value.isFinite ? "\(value)" : "null").utf8)
    }

    static func integer(_ value: Int) -> [UInt8] { Array("\(value)".utf8) }

    static func bool(_ value: Bool) -> [UInt8] { Array("\(value)".utf8) }

    static func array(of elements: [[UInt8]]) -> [UInt8] {
        [UInt8(ascii: "[")] + elements.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    /// An object of the members that have a value.
    static func object(of members: KeyValuePairs<String, [UInt8]?>) -> [UInt8] {
        object(members.compactMap { name, value in value.map { (name, $0) } })
    }

    static func object(_ members: [(String, [UInt8])]) -> [UInt8] {
        var output = StructuredJSONWriter()
        output.object { output in
            for (name, value) in members {
                output.member(named: name)
                output.raw(value)
            }
        }
        return output.bytes
    }
}
