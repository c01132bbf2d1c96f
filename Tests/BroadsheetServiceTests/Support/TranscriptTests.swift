import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Transcripts (CONTRIBUTING.md, Transcripts)")
struct TranscriptTests {
    @Test("The service responds as the transcripts say", arguments: try Transcript.all())
    func play(transcript: Transcript) async throws {
        try await transcript.play { needs in
            let service = try await TestService(needs)
            return { request in try await service.send(request) }
        }
    }
}

extension TestService {
    /// Creates the service that a transcript needs.
    fileprivate init(_ needs: TranscriptNeeds) async throws {
        var (limits, history) = (ScreenLimits(), HistoryBounds())
        var (maxResponseBytes, maxScreenBytes) = (64 << 20, 64 << 20)
        var isStrict = false
        var flags = needs.flags[...]
        func number() throws -> Int { try #require(flags.popFirst().flatMap { Int($0) }) }
        while let flag = flags.popFirst() {
            switch flag {
            case "--max-depth": limits.maxDepth = try number()
            case "--max-items": limits.maxItems = try number()
            case "--max-pages": limits.maxPages = try number()
            case "--max-sections": limits.maxSections = try number()
            case "--max-answer": maxResponseBytes = try number()
            case "--max-screen-bytes": maxScreenBytes = try number()
            case "--keep-revisions": history.maxRevisions = try number()
            case "--strict": isStrict = true
            default: Issue.record("\(flag) is no flag that transcripts know")
            }
        }
        var access = AccessConfiguration()
        if !needs.keys.isEmpty { access.keys = try KeyRing(ofLines: needs.keys) }
        try await self.init(
            store: ScreenStore.inMemory(history: history),
            catalog: needs.catalog ?? Catalogs.shop, named: needs.named, limits: limits,
            access: access,
            maxResponseBytes: maxResponseBytes, maxScreenBytes: maxScreenBytes, isStrict: isStrict)
    }

    /// Sends a request of a transcript.
    fileprivate func send(_ request: TranscriptRequest) async throws -> TranscriptResponse {
        var headers = HTTPHeaders()
        for (name, value) in request.headers {
            headers.append(try #require(HTTPFieldName(token: name), "\(name)"), value)
        }
        let received = try await send(
            request.method, request.target, request.body, headers: headers)
        return TranscriptResponse(
            status: received.status,
            headers: received.response.headers.map { ($0.name, $0.value) },
            body: request.method == "HEAD" ? [] : received.body)
    }
}
