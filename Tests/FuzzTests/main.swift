import Glibc
import TestSupport

// The program of `make fuzz` (Tests/FuzzTests/fuzz):
//
//     broadsheet-fuzz --list
//     broadsheet-fuzz [--target NAME] [--seed S] [--first N] [--cases N]
//     broadsheet-fuzz --target NAME --input FILE
//
// Runs the cases of all targets or of one and prints their rates; or checks one input.

/// The arguments of the program.
private struct FuzzArguments {
    var target: String?
    var seed = UInt64.random(in: 0 ... .max)
    var first = 0
    var cases = 10_000
    var input: String?
    var isList = false

    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--list": isList = true
            default:
                guard let value = rest.popFirst() else { throw FuzzFailure("\(word) what?") }
                try set(word, value)
            }
        }
    }

    private mutating func set(_ word: String, _ value: String) throws {
        switch word {
        case "--target": target = value
        case "--input": input = value
        case "--seed": seed = UInt64(value) ?? 0
        case "--first": first = Int(value) ?? 0
        case "--cases": cases = Int(value) ?? 0
        default: throw FuzzFailure("unknown option \(word)")
        }
    }

    /// The targets to run.
    var targets: [FuzzTarget] {
        get throws {
            guard let target else { return FuzzTarget.all }
            guard let found = FuzzTarget.all.first(where: { $0.name == target }) else {
                throw FuzzFailure("no target \(target); --list lists them")
            }
            return [found]
        }
    }
}

/// A description of the case in progress, for the signal handler, with a line end and a zero byte.
nonisolated(unsafe) private let currentCase = UnsafeMutableBufferPointer<CChar>.allocate(
    capacity: 256)

/// Prints the case in progress when the process traps, and lets the signal end it.
private func reportTraps() {
    currentCase.initialize(repeating: 0)
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
        signal(number) { number in
            if let text = currentCase.baseAddress { _ = write(2, text, strnlen(text, 256)) }
            signal(number, SIG_DFL)
            raise(number)
        }
    }
}

private func setCurrentCase(_ text: String) {
    for (index, byte) in text.utf8.prefix(255).enumerated() {
        currentCase[index] = CChar(bitPattern: byte)
    }
    currentCase[min(255, text.utf8.count)] = 0
}

private func run(_ arguments: FuzzArguments) throws {
    reportTraps()
    print("seed \(arguments.seed)")
    for target in try arguments.targets {
        let run = FuzzRun(
            target: target, seed: arguments.seed, first: arguments.first, cases: arguments.cases)
        let rate = try run.run { number in
            guard number % 1024 == 0 || arguments.cases == 1 else { return }
            setCurrentCase(
                "trap in \(target.name), --seed \(arguments.seed), a case from --first \(number)\n")
        }
        print("\(target.name): \(arguments.cases) cases, \(Int(rate)) a second")
        // A trap in a later target would lose the line.
        fflush(nil)
    }
}

/// Checks one input, with random numbers that depend on it alone.
private func check(_ input: [UInt8], _ check: FuzzTarget.Check) throws {
    var random = FuzzTarget.random(for: input)
    try check(input, &random)
}

do {
    let arguments = try FuzzArguments(Array(CommandLine.arguments.dropFirst()))
    let targets = try arguments.targets
    if arguments.isList {
        for target in targets { print(target.name) }
    } else if let path = arguments.input, let target = targets.first {
        try check(read(path), target.makeCheck())
    } else {
        try run(arguments)
    }
} catch {
    printError("\(error)")
    exit(1)
}
