internal import Glibc

/// The descriptors 0, 1 and 2, which a parent may have closed.
enum StandardDescriptors {
    /// Keeps those that are closed from being given to something else.
    ///
    /// The next socket or database opened would get the number, and log lines would go into it.
    /// `/dev/null` stands in, open the wrong way round, so that reading and writing still fail.
    static func occupy() {
        for (descriptor, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where fcntl(Int32(descriptor), F_GETFD) < 0 {
            _ = open("/dev/null", mode)
        }
    }
}
