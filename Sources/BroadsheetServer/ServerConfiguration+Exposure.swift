import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
package import BroadsheetService
import Glibc

extension ServerConfiguration {
    /// Checks that a daemon without keys is reachable from this machine only, unless that is
    /// requested (`--open`).
    ///
    /// Blocks while the host's name is resolved.
    ///
    /// - Parameter hasKeys: A Boolean value that indicates whether clients need keys.
    /// - Throws: `ServerError.configuration` for another address; `ServerError.failed` for an
    ///   inherited socket with another address.
    package func checkExposure(hasKeys: Bool) throws(ServerError) {
        guard !hasKeys, !isOpen else { return }
        if let sockets = http.sockets {
            guard !sockets.areLoopback else { return }
            throw .failed([
                "broadsheet: other machines can reach an inherited socket (LISTEN_FDS), and any "
                    + "client may read and write every screen; use --keys FILE ('broadsheet help "
                    + "key'), or --open if something else authenticates clients"
            ])
        }
        guard
            // A host without an address is an error of its own, later.
            let address = try? SocketAddress(host: host, port: port),
            !address.isLoopback
        else { return }
        throw .configuration(
            "--host \(host): other machines can reach this address, and any client may "
                + "read and write every screen; use --keys FILE ('broadsheet help key'), or --open "
                + "if something else authenticates clients")
    }

    /// Returns the record of a start: the facts that decide who can reach what.
    func startRecord(
        of parts: ServerContents.Parts, storedIn store: String, at address: ServerAddress
    ) -> LogRecord {
        let catalogs = parts.catalogs.catalogs.named.keys.sorted().map(\.text)
        let keys =
            parts.keys.map { String($0.keys.count) } ?? "none: \(isOpen ? "open" : "loopback only")"
        let facts = [
            "broadsheet \(BroadsheetVersion.current)", address.url, "store \(store)",
            "catalogs \(([CatalogName.fileOfUnnamed] + catalogs).joined(separator: " "))",
            "keys \(keys)", "memory \(memoryLimit) bytes",
        ]
        return LogRecord(.info, "started", detail: facts.joined(separator: ", "))
    }

    /// Returns the configuration of the service with its keys, with the names of hosts that
    /// requests may be for, and with the limit of bodies as that of pages.
    package func service(with keys: KeyRing?) -> ServiceConfiguration {
        var service = service
        service.access.keys = keys
        service.maxPageBytes = limits.maxBody
        service.inspector = inspector
        if service.access.allowedHosts == nil {
            service.access.allowedHosts = ["localhost", Self.machineName, host]
                .compactMap { HostName($0) }
        }
        return service
    }

    /// The requests that receive the inspector: a daemon behind a proxy is not a developer's.
    private var inspector: InspectorAccess {
        if let servesInspector { return servesInspector ? .all : .none }
        guard service.access.allowedHosts == nil, service.trustedProxies.isEmpty, isLoopback
        else { return .none }
        return .direct
    }

    /// A Boolean value that indicates whether only this machine can reach the inherited sockets, or
    /// without any the host.
    private var isLoopback: Bool {
        if let sockets = http.sockets { return sockets.areLoopback }
        guard let address = try? SocketAddress(host: host, port: port) else { return false }
        return address.isLoopback
    }

    /// The machine's own name; empty if it has none.
    private static var machineName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(
            decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
