import Glibc
import Testing

@testable import BroadsheetIO

@Suite("Inherited sockets")
struct InheritedSocketsTests {
    @Test(
        "LISTEN_FDS counts if LISTEN_PID is this process, and 1 to 16 sockets are valid",
        arguments: [
            ([:], nil), (["LISTEN_FDS": "1"], nil),
            (["LISTEN_PID": "8", "LISTEN_FDS": "1"], nil),
            // Another process may have any text there.
            (["LISTEN_PID": "8", "LISTEN_FDS": "x"], nil),
            (["LISTEN_PID": "7", "LISTEN_FDS": "1"], 1),
            (["LISTEN_PID": "7", "LISTEN_FDS": "16", "LISTEN_FDNAMES": "a"], 16),
        ] as [([String: String], Int?)])
    func count(environment: [String: String], expected: Int?) throws {
        #expect(try InheritedSockets.count(in: environment, of: 7) == expected)
    }

    @Test(
        "Other texts are errors that name the variable",
        arguments: [
            (["LISTEN_PID": "7"], .invalidCount("")),
            (["LISTEN_PID": "7", "LISTEN_FDS": "0"], .invalidCount("0")),
            (["LISTEN_PID": "7", "LISTEN_FDS": "17"], .invalidCount("17")),
            (["LISTEN_PID": "7", "LISTEN_FDS": "-1"], .invalidCount("-1")),
            (["LISTEN_PID": "7", "LISTEN_FDS": "1 "], .invalidCount("1 ")),
            (
                ["LISTEN_PID": "7", "LISTEN_FDS": "99999999999999999999"],
                .invalidCount("99999999999999999999")
            ),
            (["LISTEN_PID": "", "LISTEN_FDS": "1"], .invalidProcess("")),
            (["LISTEN_PID": "self", "LISTEN_FDS": "1"], .invalidProcess("self")),
            (["LISTEN_PID": "-7", "LISTEN_FDS": "1"], .invalidProcess("-7")),
        ] as [([String: String], InheritedSocketsError)])
    func invalid(environment: [String: String], error: InheritedSocketsError) {
        #expect(throws: error) { try InheritedSockets.count(in: environment, of: 7) }
        #expect(error.description.contains("LISTEN_"))
    }

    @Test("Descriptors must be listening TCP sockets; the addresses of all of them count")
    func sockets() throws {
        let loopback = try ListeningSocket(binding: SocketAddress(host: "127.0.0.1", port: 0))
        let other = try ListeningSocket(binding: SocketAddress(host: "127.0.0.2", port: 0))
        let numbers = [loopback.descriptor.number, other.descriptor.number]
        let found = try InheritedSockets(numbers)
        #expect(found.descriptors == numbers)
        #expect(found.areLoopback)
        let pair = try Pair()
        let closed: Int32 = 1 << 20
        for wrong in [pair.near.number, STDERR_FILENO, closed] {
            #expect(throws: InheritedSocketsError.notListening(descriptor: wrong)) {
                try InheritedSockets([numbers[0], wrong])
            }
        }
        let datagrams = FileDescriptor(
            owning: socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        let unbound = FileDescriptor(
            owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        for wrong in [datagrams.number, unbound.number] {
            #expect(throws: InheritedSocketsError.notListening(descriptor: wrong)) {
                try InheritedSockets([wrong])
            }
        }
        // A stream socket that listens, and that is not of TCP.
        let local = FileDescriptor(
            owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Without a path, the kernel chooses an abstract address.
        let size = socklen_t(MemoryLayout<sa_family_t>.size)
        let number = local.number
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, size) | listen(number, 1)
            }
        }
        #expect(result == 0)
        #expect(throws: InheritedSocketsError.notListening(descriptor: number)) {
            try InheritedSockets([number])
        }
        withExtendedLifetime(pair) {}
        _ = consume loopback
        _ = consume other
        _ = consume datagrams
        _ = consume unbound
        _ = consume local
    }

    @Test("A socket that other machines can reach is not a loopback one")
    func exposed() throws {
        let loopback = try ListeningSocket(binding: SocketAddress(host: "127.0.0.1", port: 0))
        let all = try ListeningSocket(binding: SocketAddress(host: "0.0.0.0", port: 0))
        #expect(try !InheritedSockets([all.descriptor.number]).areLoopback)
        let numbers = [loopback.descriptor.number, all.descriptor.number]
        #expect(try !InheritedSockets(numbers).areLoopback)
        _ = consume loopback
        _ = consume all
    }
}
