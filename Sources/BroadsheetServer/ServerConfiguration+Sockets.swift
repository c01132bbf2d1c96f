import BroadsheetHTTP
import BroadsheetIO
import BroadsheetService
import Glibc

/// The listening sockets that the process has inherited (docs/operations.md, "Socket activation").
extension ServerConfiguration {
    /// Returns the configuration with the inherited sockets, if there are any and it uses them; the
    /// variables that name them are removed.
    ///
    /// - Throws: `ServerError.failed` for variables or sockets that cannot be used.
    func inheritingSockets(
        in environment: [String: String]
    ) throws(ServerError) -> ServerConfiguration {
        guard usesInheritedSockets else { return self }
        do throws(InheritedSocketsError) {
            var configuration = self
            configuration.http.sockets = try InheritedSockets(in: environment, of: getpid())
            if configuration.http.sockets != nil { InheritedSockets.forgetVariables() }
            return configuration
        } catch {
            throw .failed(["broadsheet: \(error)"])
        }
    }

    /// Returns the record that sockets were not used because they are those of another process, as
    /// of a shell that has started this one.
    func socketRecords(_ environment: [String: String]) -> [LogRecord] {
        guard usesInheritedSockets, http.sockets == nil, let owner = environment["LISTEN_PID"]
        else { return [] }
        return [
            LogRecord(
                .warning, "inherited sockets are not used",
                detail: "LISTEN_PID is \(owner), another process; this one is \(getpid())")
        ]
    }
}
