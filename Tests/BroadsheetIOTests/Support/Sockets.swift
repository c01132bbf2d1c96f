import BroadsheetIO
import Glibc

/// Connects to `address` with a blocking socket, as a client.
func dial(_ address: SocketAddress) throws(IOError) -> FileDescriptor {
    var storage = sockaddr_in()
    storage.sin_family = sa_family_t(AF_INET)
    storage.sin_port = address.port.bigEndian
    storage.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let client = FileDescriptor(owning: socket(AF_INET, type, 0))
    let number = client.number
    let result = withUnsafePointer(to: storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    try IOError.check(result == 0 ? 0 : -Int(errno), "connect")
    return client
}

/// Two connected sockets: `near` for the code under test, `far` as its peer.
final class Pair {
    let near: FileDescriptor
    /// The peer's number, valid until ``closeFar()``.
    let far: Int32
    private var farOwner: FileDescriptor?

    init() throws(IOError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let result = socketpair(AF_UNIX, type, 0, &ends)
        try IOError.check(result == 0 ? 0 : -Int(errno), "socketpair")
        near = FileDescriptor(owning: ends[0])
        far = ends[1]
        farOwner = FileDescriptor(owning: ends[1])
    }

    /// Closes the peer.
    func closeFar() {
        farOwner = nil
    }
}
