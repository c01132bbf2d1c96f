import Glibc

// broadsheet-bench [NAME ...]: runs the named benchmarks, or all, and prints one table. The exit
// status is 0 when everything could be measured, even if targets are missed.

Allocations.keepFreedMemory()

let requested = CommandLine.arguments.dropFirst()
let names = Benchmark.all.map(\.name)
if let unknown = requested.first(where: { !names.contains($0) }) {
    printProgress("unknown benchmark '\(unknown)'; expected: \(names.joined(separator: ", "))")
    exit(2)
}

// Other work on the machine distorts the figures, so the load is printed with them.
var load = 0.0
_ = getloadavg(&load, 1)

var table = ResultTable()
var isComplete = true
for benchmark in Benchmark.all where requested.isEmpty || requested.contains(benchmark.name) {
    printProgress("measuring \(benchmark.name) ...")
    do {
        table.add(try await benchmark.measure(BenchmarkContext()))
    } catch {
        printProgress("\(benchmark.name) could not be measured: \(error)")
        isComplete = false
    }
}
print(table.text)
print(
    "\(table.targets.met) of \(table.targets.total) targets met; "
        + "load average at the start \(load.formatted(1))")
exit(isComplete ? 0 : 1)
