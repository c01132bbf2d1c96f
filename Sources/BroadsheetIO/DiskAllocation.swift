import CEpoll
import Glibc

/// Disk space that a file has before it is written to.
package enum DiskAllocation {
    package enum Outcome: Hashable, Sendable {
        case allocated
        /// The file system, or the user's part of it, has no space left.
        case full
        /// The file system allocates space only for bytes that are written.
        case unsupported
    }

    /// Allocates the space of a range of a file; the size of the file stays as it is.
    package static func allocate(_ range: Range<Int>, of descriptor: Int32) -> Outcome {
        var result: Int32
        repeat {
            result = cepoll_allocate(descriptor, Int64(range.lowerBound), Int64(range.count))
        } while result == -EINTR
        return switch result {
        case 0: .allocated
        case -ENOSPC, -EDQUOT: .full
        default: .unsupported
        }
    }
}
