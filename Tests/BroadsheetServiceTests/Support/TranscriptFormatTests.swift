import TestSupport
import Testing

@Suite("The format of transcripts (CONTRIBUTING.md, Transcripts)")
struct TranscriptFormatTests {
    /// A service with one response; the body has what was sent.
    private static func echo(_ needs: TranscriptNeeds) -> Transcript.Service {
        return { request in
            let names = request.headers.map { "\"\($0.name)=\($0.value)\"" }.joined(separator: ",")
            let body = request.body.isEmpty ? "null" : request.body
            let text = """
                {"method":"\(request.method)","target":"\(request.target)","headers":[\(names)],\
                "flags":\(needs.flags.count),"body":\(body),"code":"WRONG",\
                "list":[{"id":"a"},{"id":"b"}]}
                """
            return TranscriptResponse(
                status: 200,
                headers: [("Content-Type", "application/problem+json"), ("ETag", "\"r1\"")],
                body: Array(text.utf8))
        }
    }

    /// Returns the mistake of a text; `nil` if it is read, and played without one.
    private func mistake(_ text: String) async throws -> TranscriptMistake? {
        do {
            for test in try Transcript.read(text, of: "a.txt") {
                try await test.play(on: Self.echo)
            }
            return nil
        } catch let mistake as TranscriptMistake {
            return mistake
        }
    }

    @Test("Everything that the format has is played")
    func everything() async throws {
        let text = """
            # A file
            flags --max-items 2
            let path = /v1/{{name}}

            PUT {{path}} -> 200
            /target = "/v1/{{name}}"

            ## A sentence
            let name = x
            | method |
            | GET |
            | `PUT` |

            // Why.
            {{method}} {{path}} -> 200 WRONG
            > X-Name: value
                {"a":
                [{{number}},"{{other}}"]}
            < ETag: "r1"
            < ETag
            < ETag != "r2"
            < ETag contains r
            < ETag starts "r
            < ETag lacks x
            < !Location
            /method = "{{method}}"
            /headers = ["X-Name=value"]
            /flags = 2
            /flags > 1
            /body/a/0 != 3
            /list/*/id = ["a","b"]
            /list count 2
            !/nothing
            /list/1
            /code contains RON
            /code starts WR
            /code lacks x
            body contains "a":
            body starts {
            body lacks zzz
            body != x
            keep tag = ETag
            keep raw = unquoted ETag
            keep target = /target
            keep all = body
            | number |
            | 1.0 |
            | 2 |
            and
            | other |
            | x |
            | `|` |

            GET {{target}} -> 200
            > If-Match: {{raw}}
                {{list a b page=4 next=true}}
            < ETag: {{tag}}
            /headers = ["If-Match={{raw}}"]
            /target = "{{target}}"
            /body/page = 4
            /body/sections/0/units/0/unitData/*/id = ["a","b"]
            body != {{all}}
            GET / -> 200
                "{{repeat 3 ab}}{{char 41}}"
            /body = "abababA"
            """
        #expect(try await mistake(text) == nil)
    }

    @Test(
        "A wrong expectation of every kind fails at its line",
        arguments: [
            "GET / -> 201", "GET / -> 200 RIGHT", "< ETag: \"r2\"", "< Location", "< !ETag",
            "< ETag != \"r1\"", "< ETag contains x", "< ETag starts r", "< ETag lacks r",
            "/flags = 1", "/flags != 0", "/flags > 0", "/list count 3", "/flags count 1",
            "/code > 1", "/nothing", "/list/2", "/list/x", "/list/*/x = []", "!/flags",
            "/nothing = 1", "/nothing != 1", "/code contains x", "/code starts R", "/code lacks W",
            "body = x", "body != {{sent}}", "body contains zzz", "body lacks WRONG",
            "body starts x",
            "body empty", "keep other = /nothing", "keep other = Location", "applied never to sent",
            "/code = \"{{never}}\"",
        ])
    func wrong(line: String) async throws {
        let isRequest = line.hasPrefix("GET")
        let text = """
            ## A sentence
            GET / -> 200
            keep sent = body
            \(isRequest ? "" : "GET / -> 200\n")\(line)
            // {{sent}} {{other}}
            """
        let mistake = try await mistake(text)
        #expect(mistake?.line == (isRequest ? 4 : 5), "\(line): \(String(describing: mistake))")
        #expect(mistake?.file == "a.txt")
    }

    @Test(
        "A line that is none, or that asserts nothing, is a mistake at its line",
        arguments: [
            ("ETag: x", 3), ("< ETag contains ", 3), ("body contains ", 3), ("/flags = ", 3),
            ("/flags = x", 3), ("/flags ~ 1", 3), ("body > 1", 3), ("keep a = body", 3),
            ("let a = b", 3), ("\nlet a = b", 4), ("| a |\n| b |", 3), ("| a |", 4),
            ("| a | b |\n| c |", 4), ("| a", 3), ("| `a |", 3), ("\n    body", 4),
            ("\n< ETag", 4), ("\n> A: b", 4), ("\nGET /", 4), ("\nGET / 200", 4),
            ("\n## Another", 4), ("/flags = 0\n    {}", 4), ("expect /flags = 0", 3),
            ("\n| a |\n| b |\n// {{a}}", 7), ("flags --strict", 3),
        ])
    func malformed(lines: String, number: Int) async throws {
        let mistake = try await mistake("## A sentence\nGET / -> 200\n" + lines + "\n")
        #expect(mistake?.line == number, "\(lines): \(String(describing: mistake))")
    }
}
