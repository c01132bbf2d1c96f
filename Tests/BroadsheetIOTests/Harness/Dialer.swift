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
