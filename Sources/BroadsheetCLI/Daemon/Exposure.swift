import BroadsheetHTTP
import BroadsheetIO
import BroadsheetService
import Glibc

extension ServeConfiguration {
    /// Checks that a daemon without keys is reachable from this machine only, unless that is
    /// requested (`--open`).
    ///
    /// Blocks while the host's name is resolved.
    ///
    /// - Throws: `CommandError.usage` for another address.
    func checkExposure() throws(CommandError) {
        guard keys == nil, !isOpen,
            // A host without an address is an error of its own, later.
            let address = try? SocketAddress(host: server.host, port: server.port),
            !address.isLoopback
        else { return }
        throw .usage(
            "--host \(server.host): other machines can reach this address, and any client may "
                + "read and write every screen; use --keys FILE ('broadsheet help key'), or --open "
                + "if something else authenticates clients")
    }

    /// Returns the configuration of the service with its keys, with the names of hosts that
    /// requests may be for, and with the limit of bodies as that of pages.
    func service(with keys: KeyRing?) -> ServiceConfiguration {
        var service = service
        service.access.keys = keys
        service.maxPageBytes = server.limits.maxBody
        if service.access.allowedHosts == nil {
            service.access.allowedHosts = ["localhost", Self.machineName, server.host]
                .compactMap { HostName($0) }
        }
        return service
    }

    /// The machine's own name; empty if it has none.
    private static var machineName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(
            decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
