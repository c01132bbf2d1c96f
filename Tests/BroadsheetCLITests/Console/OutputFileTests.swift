import Foundation
import Testing

@testable import BroadsheetCLI

@Suite("Output files (-o)")
struct OutputFileTests {
    private let bytes = Array("picture".utf8)

    /// Runs `body` with the path of a temporary folder, which is removed afterwards.
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path())
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        #expect(left.filter { $0.hasSuffix(".new") } == [], "temporary files remain")
    }

    @Test("A new file has the bytes, and an existing file has them and keeps its mode")
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

    @Test("A symbolic link is kept, and its target is replaced")
    func link() throws {
        try inFolder { folder in
            let (target, link) = (folder + "/target", folder + "/link")
            #expect(OutputFile.save([65], at: target) == nil)
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: "target")
            #expect(OutputFile.save(bytes, at: link) == nil)
            #expect(FileManager.default.contents(atPath: target) == Data(bytes))
            let destination = try FileManager.default.destinationOfSymbolicLink(atPath: link)
            #expect(destination == "target")
        }
    }

    @Test("A dangling symbolic link is kept, and its target is created")
    func danglingLink() throws {
        try inFolder { folder in
            let link = folder + "/link"
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: "target")
            #expect(OutputFile.save(bytes, at: link) == nil)
            #expect(FileManager.default.contents(atPath: folder + "/target") == Data(bytes))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target")
        }
    }

    @Test("A device is written to, not replaced, and its failure is reported")
    func device() throws {
        #expect(OutputFile.save(bytes, at: "/dev/null") == nil)
        #expect(OutputFile.save(bytes, at: "/dev/full") == "No space left on device")
        for path in ["/dev/null", "/dev/full"] {
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
            #expect(type as? FileAttributeType == .typeCharacterSpecial)
        }
    }

    @Test("A failure is reported with the system's message")
    func failures() throws {
        try inFolder { folder in
            #expect(OutputFile.save(bytes, at: folder) == "Is a directory")
            #expect(OutputFile.save(bytes, at: folder + "/no/a") == "No such file or directory")
        }
    }
}
