internal import Glibc

// The whole of `main`: everything that can go wrong or be tested lives behind `Commands`.
StandardDescriptors.occupy()
exit(await Commands.run(Array(CommandLine.arguments.dropFirst()), in: .process).rawValue)
