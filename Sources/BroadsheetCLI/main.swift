import Glibc

// Everything that can fail or be tested is in `Command`.
StandardDescriptors.openClosed()
// Without /proc there are no arguments, and Dispatch traps at times once it has a worker thread.
if CommandLine.arguments.count < 2 { exit(Command.reportMissingName(to: .process).rawValue) }
exit(await Command.run(Array(CommandLine.arguments.dropFirst()), in: .process).rawValue)
