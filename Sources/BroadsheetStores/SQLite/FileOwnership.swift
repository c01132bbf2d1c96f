import FoundationEssentials
import Glibc

/// The owner, the group and the permissions of a file.
package struct FileOwnership: Hashable, Sendable {
    private let user: uid_t
    private let group: gid_t
    private let mode: mode_t

    /// The permissions of a file whose folder decides about its owner, because the file holds the
    /// sealing key.
    private static let privateMode: mode_t = 0o600

    /// Returns the ownership of the file at `path`; for a missing file that of its folder, readable
    /// for the owner alone; `nil` if neither can be examined.
    package init?(ofFileAt path: String) {
        var status = stat()
        if stat(path, &status) == 0 {
            mode = status.st_mode & 0o777
        } else {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard stat(folder, &status) == 0 else { return nil }
            mode = Self.privateMode
        }
        (user, group) = (status.st_uid, status.st_gid)
    }

    /// Gives a file this owner and this group, as far as the process may; `restore` prints those
    /// that the file has then.
    func applyOwner(to path: String) { _ = chown(path, user, group) }

    /// Gives a file this ownership, as far as the process may.
    func apply(to path: String) {
        // The owner first: a change of it may clear bits of the mode.
        applyOwner(to: path)
        _ = chmod(path, mode)
    }
}

extension FileOwnership: CustomStringConvertible {
    /// The names of owner and group, or their numbers, and the permissions: `owner broadsheet,
    /// group broadsheet, mode 600`.
    package var description: String {
        let owner = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
        let group = getgrgid(group).map { String(cString: $0.pointee.gr_name) } ?? "\(group)"
        return "owner \(owner), group \(group), mode \(String(mode, radix: 8))"
    }
}
