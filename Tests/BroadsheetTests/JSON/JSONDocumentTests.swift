import Broadsheet
import Testing

@Suite("JSON document") struct JSONDocumentTests {
    @Test("Values are found by names, indexes and ranges")
    func reads() throws {
        let document = try JSONDocument(
            Array(#" {"a": [1, -2.5e1, "x\n"], "b": {"c": null, "d": true}, "e": []} "#.utf8))
        let root = document.root
        #expect(root.kind == .object)
        #expect(root.count == 3)
        #expect(root["a"]?.elements.map(\.double) == [1, -25, nil])
        #expect(root["a"]?.elements.compactMap(\.string) == ["x\n"])
        #expect(root["b"]?["c"]?.isNull == true)
        #expect(root["b"]?["d"]?.bool == true)
        #expect(root["e"]?.count == 0)
        #expect(root.members.map(\.name.string) == ["a", "b", "e"])
        let range = try #require(root["b"]).byteRange
        #expect(
            String(decoding: document.bytes[range], as: UTF8.self) == #"{"c": null, "d": true}"#)
    }
}
