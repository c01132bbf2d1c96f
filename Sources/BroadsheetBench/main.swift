internal import Glibc

// broadsheet-bench [NAME ...]: measures the named groups, or all, and prints one table. The status
// says whether everything could be measured, not whether it was fast.

let benchmarks: [any Benchmark.Type] = [
    JSONBenchmark.self, ComposeBenchmark.self, LayoutBenchmark.self, VisibilityBenchmark.self,
    HTTPBenchmark.self, StoredLayoutBenchmark.self, DurablePutBenchmark.self,
    StartBenchmark.self, MemoryBenchmark.self,
]

Allocations.keepFreedMemory()

let wanted = CommandLine.arguments.dropFirst()
let names = benchmarks.map { $0.name }
if let stranger = wanted.first(where: { !names.contains($0) }) {
    Progress.say("no benchmark '\(stranger)'; there are: \(names.joined(separator: ", "))")
    exit(2)
}

// Figures are worth as much as the machine was left alone.
var load = 0.0
_ = getloadavg(&load, 1)

var table = Table()
var isComplete = true
for benchmark in benchmarks where wanted.isEmpty || wanted.contains(benchmark.name) {
    Progress.say("measuring \(benchmark.name) ...")
    do {
        table.add(try await benchmark.rows(Surroundings()))
    } catch {
        Progress.say("\(benchmark.name) could not be measured: \(error)")
        isComplete = false
    }
}
print(table.text)
print(
    "\(table.verdict.met) of \(table.verdict.judged) targets met; "
        + "load average when it began \(load.shown(1))")
exit(isComplete ? 0 : 1)
