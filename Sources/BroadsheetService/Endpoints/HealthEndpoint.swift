import BroadsheetHTTP
import BroadsheetStores

/// `/livez` and `/readyz`: what a supervisor asks.
struct HealthEndpoint: Sendable {
    let screens: Screens

    /// Whether the process lives: it does, if it answers.
    func liveness() -> HTTPResponse { .text("ok\n") }

    /// Whether requests can be served: 503 while the store is away.
    func readiness() async -> HTTPResponse {
        guard let obstacle = await screens.obstacle() else { return .text("ok\n") }
        var response = HTTPResponse.text(
            "\(Problem(obstacle).detail)\n", status: .serviceUnavailable)
        response.headers.append(.retryAfter, String(Problem.retrySeconds))
        return response
    }
}
