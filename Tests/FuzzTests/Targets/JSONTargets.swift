import Broadsheet
import TestSupport

extension FuzzTarget {
    /// The index and the reader of JSON: what is read and written again reads the same.
    static let json = FuzzTarget(
        "json",
        [
            #"{"a":[1,-2.5e3,true,false,null],"b":{"c":"x\"\\\u00e9\ud83d\ude00"},"":0}"#,
            "\u{FEFF} [ [ ] , { } , \"\" ] ", "[1e308,1E-5,0.0,-0,9007199254740993]",
            #"{"same":1,"same":2,"\u0073ame":3}"#, "\"\\u0000\\n\\t\"", "[[[[[[[[]]]]]]]]",
        ]
    ) { input, _ in
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(input, maxDepth: 64, maxByteCount: 1 << 20)
        } catch {
            try require((0...input.count).contains(error.offset), "an offset outside of the text")
            return
        }
        let once = CanonicalJSON.bytes(of: document.root)
        let again = try JSONDocument(once, maxDepth: 64)
        try require(CanonicalJSON.bytes(of: again.root) == once, "written and read again, differs")
        let range = document.root.byteRange
        let part = try JSONDocument(Array(input[range]), maxDepth: 64)
        try require(CanonicalJSON.bytes(of: part.root) == once, "the value's bytes differ")
    }

    /// JSON pointers: a pointer to any name finds its member.
    static let jsonPointer = FuzzTarget(
        "json-pointer", ["", "/a/0/~0~1", "/-", "//", "/01", "/9223372036854775807", "~2", "a/b"]
    ) { input, _ in
        let text = input.text
        var writer = JSONWriter()
        writer.raw("{\"x\":[[],{")
        writer.string(text)
        writer.raw(":7}]}")
        let root = try JSONDocument(writer.bytes).root
        if let pointer = try? JSONPointer(text) {
            try require(pointer.description == text, "another description")
            if let found = pointer.evaluate(on: root) {
                try require(text.isEmpty || found.byteRange != root.byteRange, "found the root")
            }
        }
        let path = JSONPointer.appending(JSONPointer.appending("/x", 1), text)
        let found = try JSONPointer(path).evaluate(on: root)
        try require(found?.int == 7, "\(path) does not find the member")
    }
}

/// Writes JSON from parsed values, in the order of the members.
private enum CanonicalJSON {
    static func bytes(of value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        write(value, to: &writer)
        return writer.bytes
    }

    private static func write(_ value: JSONValue, to writer: inout JSONWriter) {
        switch value.kind {
        case .null: writer.raw("null")
        case .bool: writer.bool(value.bool ?? false)
        case .number: writer.raw(from: value.document.bytes, value.byteRange)
        case .string: writer.string(value.string ?? "")
        case .array:
            writer.raw("[")
            for (index, element) in value.elements.enumerated() {
                if index > 0 { writer.raw(",") }
                write(element, to: &writer)
            }
            writer.raw("]")
        case .object:
            writer.raw("{")
            for (index, member) in value.members.enumerated() {
                if index > 0 { writer.raw(",") }
                writer.string(member.name.string)
                writer.raw(":")
                write(member.value, to: &writer)
            }
            writer.raw("}")
        }
    }
}
