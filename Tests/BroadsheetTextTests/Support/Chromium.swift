import Broadsheet
import Foundation
import Testing

/// The lines that Chromium counts (Tests/Browsers/measured_lines.py).
enum Chromium {
    /// A list of texts in one style.
    struct Job: Encodable {
        /// A font file.
        struct File: Encodable {
            var file: String
            var index = 0

            init(_ file: FontDeclaration.File) {
                self.file = "\(TestFonts.folder)/\(file.path)"
                index = file.index
            }
        }

        var files: [File]
        var size: Double
        var letterSpacing = 0.0
        var css = ""
        var texts: [String]
        var widths: [Double]
    }

    private struct Request: Encodable {
        let ratios: [Double]
        let jobs: [Job]
    }

    /// The results.
    struct Lines: Decodable {
        /// The version of the browser.
        let version: String
        /// The lines by ratio, job, text and width; if a job has no widths, the width of each text
        /// in 1/64 pixels.
        let ratios: [[[[Int]]]]
    }

    /// Measures jobs.
    static func lines(_ jobs: [Job], ratios: [Double]) throws -> Lines {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "broadsheet-lines-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, output) = (folder.appending(path: "in"), folder.appending(path: "out"))
        try JSONEncoder().encode(Request(ratios: ratios, jobs: jobs)).write(to: input)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", TestFiles.root.appending(path: "Tests/Browsers/measured_lines.py").path,
            "chromium",
        ]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try JSONDecoder().decode(Lines.self, from: Data(contentsOf: output))
    }
}
