package import Foundation

/// A shell script that runs beside this process, and ends what it has started when it is to end.
///
/// Its standard input is a pipe that ends with the object, and with this process in any case, even
/// if the process crashes.
package final class Lifeline: Sendable {
    /// The output of the script and of what it has started, until they close it.
    package let output: FileHandle
    private let input: FileHandle
    private let shell: ChildProgram

    /// Starts a script of `/bin/sh`.
    ///
    /// - Parameters:
    ///   - script: The script, which reads its standard input when it has started something.
    ///   - words: The arguments `$1` and up.
    ///   - prefix: A command that runs the command after it, for example as another user.
    package init(
        _ script: String, _ words: [String] = [], after prefix: [String] = ["env"]
    ) throws {
        let (input, output) = (Pipe(), Pipe())
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
        let (read, written) = (input.fileHandleForReading, output.fileHandleForWriting)
        shell = try ChildProgram(
            prefix + ["/bin/sh", "-c", script, "sh"] + words,
            [read.fileDescriptor, written.fileDescriptor, written.fileDescriptor])
        try read.close()
        try written.close()
    }

    deinit { end() }

    /// Ends the standard input of the script.
    ///
    /// - Parameter line: What the script, which must run, reads before.
    package func end(_ line: String? = nil) {
        if let line { try? input.write(contentsOf: Array("\(line)\n".utf8)) }
        try? input.close()
    }

    /// Waits for the end of the script.
    package func waitForEnd() { shell.wait() }
}
