import BroadsheetClient
import Foundation

/// The token of a reader, which the requests of a transport share.
///
/// It is requested before the first request, after a 401, and early: at a random time in the last
/// 10 to 20 % of what the token has when it arrives, so that readers whose tokens expire together
/// do not all request others at once. Then the open streams end, to be opened again with the new
/// one.
final class ReaderToken: Sendable {
    /// A function that gets a token; its argument is the problem of a request that was refused.
    typealias Source = @Sendable (ClientError?) async throws -> String

    private struct State {
        var token: String?
        var call: Task<String, any Error>?
        /// The end of the token by the clock of this machine; `nil` if that is not known.
        var end: ContinuousClock.Instant?
        var streams: [Int: @Sendable () -> Void] = [:]
    }

    /// The least time, in seconds, after which a token is renewed early, and the longest one that
    /// a token is taken to have; fixed.
    private static let (minDelay, maxTime) = (1.0, 86_400.0)

    private let source: Source
    private let state = LockedValue(State())

    init(_ source: @escaping Source) { self.source = source }

    /// `refused` is the token with which a request was refused; `nil` for a first attempt.
    func value(
        insteadOf refused: String? = nil, _ problem: ClientError? = nil
    ) async throws
        -> String
    {
        let call: Task<String, any Error> = state.withLock { state in
            let isOver = state.end.map { $0 <= .now } ?? false
            if let token = state.token, token != refused, !isOver { return Task { token } }
            if let call = state.call { return call }
            let call = Task { try await self.request(problem) }
            state.call = call
            return call
        }
        return try await call.value
    }

    /// Makes a function end a stream when the token is replaced.
    func addStream(_ id: Int, _ end: @escaping @Sendable () -> Void) {
        state.withLock { $0.streams[id] = end }
    }

    func removeStream(_ id: Int) { state.withLock { _ = $0.streams.removeValue(forKey: id) } }

    private func request(_ problem: ClientError?) async throws -> String {
        do {
            let token = try await source(problem)
            let time = Self.time(of: token)
            state.withLock { state in
                state.token = token
                state.call = nil
                state.end = time.map { .now + .seconds($0) }
            }
            if let time { renew(token, after: max(Self.minDelay, time * .random(in: 0.8...0.9))) }
            return token
        } catch {
            state.withLock { $0.call = nil }
            throw error
        }
    }

    private func renew(_ token: String, after delay: Double) {
        Task { [weak self] in
            try await Task.sleep(for: .seconds(delay))
            try await self?.renew(token)
        }
    }

    /// Replaces a token while a stream is open, and ends the streams that have it.
    private func renew(_ token: String) async throws {
        let isUsed = state.withLock { $0.token == token && !$0.streams.isEmpty }
        guard isUsed, try await value(insteadOf: token) != token else { return }
        let streams = state.withLock { state in
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for end in streams { end() }
    }

    /// Returns the time, in seconds, that a token has when it arrives; `nil` if it does not say.
    ///
    /// That is the lesser of its lifetime and, unless the clock of this machine is beyond it, of
    /// what is left.
    private static func time(of token: String) -> Double? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = parts[1].replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: text),
            let claims = try? TreeValue(json: Array(bytes)),
            let end = claims["exp"]?.number, let begin = claims["iat"]?.number
        else { return nil }
        let now = Date().timeIntervalSince1970
        let time = min(end - max(begin, now < end ? now : 0), maxTime)
        return time > 0 ? time : nil
    }
}
