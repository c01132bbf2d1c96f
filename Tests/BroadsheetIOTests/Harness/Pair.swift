import BroadsheetIO
import Glibc

/// Two connected sockets: `near` is watched by the code under test, `far` plays the peer.
final class Pair {
    let near: FileDescriptor
    /// The peer's number, good until ``closeFar()``.
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

    /// Makes the peer vanish.
    func closeFar() {
        farOwner = nil
    }
}
