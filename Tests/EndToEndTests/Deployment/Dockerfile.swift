/// The instructions of a Dockerfile, as far as docs/deploy/Dockerfile uses them.
struct Dockerfile {
    /// An instruction with its argument, in which continued lines are joined.
    struct Instruction {
        let name: String
        let argument: String
    }

    /// The stages, each with the instructions after its `FROM`.
    private(set) var stages: [[Instruction]] = []

    /// Parses the text of a Dockerfile.
    init(_ text: String) throws {
        var joined = ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            joined += line
            if joined.hasSuffix("\\") {
                joined.removeLast()
                continue
            }
            let words = joined.split(separator: " ", maxSplits: 1)
            joined = ""
            guard words.count == 2 else { throw HarnessError("not an instruction: \(line)") }
            if words[0] == "FROM" { stages.append([]) }
            guard !stages.isEmpty else { throw HarnessError("no FROM before \(line)") }
            let instruction = Instruction(name: String(words[0]), argument: String(words[1]))
            stages[stages.count - 1].append(instruction)
        }
    }
}

extension [Dockerfile.Instruction] {
    /// The arguments of all instructions with a name.
    func arguments(_ name: String) -> [String] { filter { $0.name == name }.map(\.argument) }

    /// The words of the last instruction with a name whose argument is an array of strings.
    func words(_ name: String) -> [String] {
        let argument = arguments(name).last ?? "[]"
        return argument.dropFirst().dropLast().split(separator: ",").map {
            String($0.filter { !"\" ".contains($0) })
        }
    }
}
