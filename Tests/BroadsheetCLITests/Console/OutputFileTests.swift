import Foundation
import Testing

@testable import BroadsheetCLI

@Suite("Files that a command writes (-o)")
struct OutputFileTests {
    private let bytes = Array("picture".utf8)

    /// Runs `body` with the path of a folder of its own, which is gone afterwards.
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path())
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        #expect(left.filter { $0.hasSuffix(".new") } == [], "drafts stay")
    }

    @Test("A new file holds the bytes, and so does one that was there, which keeps its mode")
    func regular() throws {
        try inFolder { folder in
            let path = folder + "/a.svg"
            #expect(OutputFile.save(bytes, at: path) == nil)
            #expect(FileManager.default.contents(atPath: path) == Data(bytes))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            #expect(OutputFile.save([65], at: path) == nil)
            #expect(FileManager.default.contents(atPath: path) == Data([65]))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
        }
    }

    @Test("A symbolic link stays one, and what it leads to is replaced")
    func link() throws {
        try inFolder { folder in
            let (target, link) = (folder + "/target", folder + "/link")
            #expect(OutputFile.save([65], at: target) == nil)
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: "target")
            #expect(OutputFile.save(bytes, at: link) == nil)
            #expect(FileManager.default.contents(atPath: target) == Data(bytes))
            let leads = try FileManager.default.destinationOfSymbolicLink(atPath: link)
            #expect(leads == "target")
        }
    }

    @Test("A symbolic link that leads nowhere yet stays one, and its file is made")
    func openLink() throws {
        try inFolder { folder in
            let link = folder + "/link"
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: "target")
            #expect(OutputFile.save(bytes, at: link) == nil)
            #expect(FileManager.default.contents(atPath: folder + "/target") == Data(bytes))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target")
        }
    }

    @Test("A device is written to, never replaced, and its refusal is told")
    func device() throws {
        #expect(OutputFile.save(bytes, at: "/dev/null") == nil)
        #expect(OutputFile.save(bytes, at: "/dev/full") == "No space left on device")
        for path in ["/dev/null", "/dev/full"] {
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
            #expect(type as? FileAttributeType == .typeCharacterSpecial)
        }
    }

    @Test("What cannot be written says why, in the system's words")
    func faults() throws {
        try inFolder { folder in
            #expect(OutputFile.save(bytes, at: folder) == "Is a directory")
            #expect(OutputFile.save(bytes, at: folder + "/no/a") == "No such file or directory")
        }
    }
}
