import TestSupport
import Testing

extension EndToEndClients {
    @Suite struct Transcripts {
        @Test("The daemon responds as the transcripts say", arguments: try Transcript.all())
        func play(transcript: Transcript) async throws {
            let folder = try ScratchFolder()
            try await transcript.play { needs in
                let daemon = try TestDaemon(try Self.options(needs, in: folder))
                return { request in
                    // A body is sent with its length, also an empty one, where the method has one.
                    let hasBody = ["PUT", "POST", "PATCH"].contains(request.method)
                    let response = try daemon.request(
                        request.method, request.target, headers: request.headers,
                        body: hasBody || !request.body.isEmpty ? Array(request.body.utf8) : nil)
                    return TranscriptResponse(
                        status: response.status, headers: response.headers, body: response.body)
                }
            }
        }

        /// Returns the options of a daemon that a transcript needs.
        private static func options(
            _ needs: TranscriptNeeds, in folder: borrowing ScratchFolder
        ) throws -> [String] {
            let catalog = try folder.write(
                needs.catalog ?? TranscriptPages.shop, to: "default.json")
            for (name, text) in needs.named { try folder.write(text, to: "\(name).json") }
            var options = ["--catalog", needs.named.isEmpty ? catalog : folder.path] + needs.flags
            guard !needs.keys.isEmpty else { return options }
            let lines = try needs.keys.map { line in
                let secret = "secret-\(line.prefix { $0 != " " })"
                let digest = try Shell.run(["sha256sum"], input: Array(secret.utf8)).output
                return "\(line) \(digest.prefix { $0 != " " })\n"
            }
            options += ["--keys", try folder.write(lines.joined(), to: "keys")]
            return options
        }
    }
}
