import Testing

@testable import Broadsheet

@Suite("Structured JSON writer")
struct StructuredJSONWriterTests {
    @Test("The compact style has no white space")
    func compact() {
        #expect(
            sample(.compact) == """
                {"id":"a\\"b","none":null,"size":{"width":1.5,"height":2},"offsets":[0,1.25],\
                "list":[1,[],{}],"key\\n":true}
                """)
    }

    @Test("The pretty style indents by two spaces and keeps inline containers on one line")
    func pretty() {
        #expect(
            sample(.pretty) == """
                {
                  "id": "a\\"b",
                  "none": null,
                  "size": {"width": 1.5, "height": 2},
                  "offsets": [0, 1.25],
                  "list": [
                    1,
                    [],
                    {}
                  ],
                  "key\\n": true
                }
                """)
    }

    @Test("A value appended to a plain writer follows what was written before")
    func appendsToPlainWriter() {
        var line = JSONWriter()
        line.raw("log: ")
        line.structured { output in
            output.object { $0.member("revision", UInt64.max) }
        }
        line.raw("\n")
        #expect(
            String(decoding: line.bytes, as: UTF8.self)
                == "log: {\"revision\":18446744073709551615}\n")
    }

    private func sample(_ style: StructuredJSONWriter.Style) -> String {
        var output = StructuredJSONWriter(style: style)
        output.object { output in
            output.member("id", "a\"b")
            output.member("none")
            output.null()
            output.inlineObject("size") { output in
                output.member("width", 1.5)
                output.member("height", 2)
            }
            output.member("offsets", [0, 1.25])
            output.array("list") { output in
                output.element()
                output.integer(1)
                output.element()
                output.array { _ in }
                output.element()
                output.object { _ in }
            }
            output.member(named: "key\n")
            output.bool(true)
        }
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
