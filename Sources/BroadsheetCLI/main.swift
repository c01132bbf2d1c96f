import Glibc

// Everything that can fail or be tested is in `Command`.
StandardDescriptors.openClosed()
exit(await Command.run(Array(CommandLine.arguments.dropFirst()), in: .process).rawValue)
