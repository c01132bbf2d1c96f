import Foundation
import Glibc

/// What one writer wrote, one write after the other, and the files that it is in.
struct WrittenScreens {
    /// A page that was written, and everything that it has been.
    struct Page {
        let path: String
        let versions: [[UInt8]]
    }

    /// How many screens there are, and how often each was written.
    static let counts = (screens: 30, versions: 3)

    /// In the order that they were written in, again and again.
    let pages: [Page]
    /// What the daemon left behind.
    let files: DamagedFiles

    /// Has a daemon write them to the database at `path`, and either ends it in order, so that the
    /// database holds everything, or kills it, so that the log does.
    init(in path: String, killing: Bool) throws {
        pages = (0..<Self.counts.screens).map { screen in
            Page(
                path: "/v1/screens/screen-\(screen)/pages/0",
                versions: (0..<Self.counts.versions).map { Self.version($0, of: screen) })
        }
        let daemon = try Daemon(["--store", "sqlite:" + path])
        for version in 0..<Self.counts.versions {
            for page in pages {
                let reply = try daemon.request("PUT", page.path, body: page.versions[version])
                guard reply.status < 300 else { throw HarnessError(reply.text) }
            }
        }
        if killing { daemon.program.end() } else { _ = try daemon.stop() }
        files = try DamagedFiles(of: path)
    }

    private static func version(_ version: Int, of screen: Int) -> [UInt8] {
        let filler = String(
            repeating: "\(screen)/\(version) ", count: [20, 300, 2_000][screen % 3])
        return Array(#"{"sections":[],"filler":"\#(filler)"}"#.utf8)
    }
}
