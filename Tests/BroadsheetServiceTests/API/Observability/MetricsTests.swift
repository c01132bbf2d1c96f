import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import Testing

@testable import BroadsheetService

@Suite("Metrics (docs/api.md, Other endpoints; Prometheus exposition format 0.0.4)")
struct MetricsTests {
    /// Returns the metrics after requests of several kinds.
    private func scraped() async throws -> ScrapedMetrics {
        let source = MetricSource(
            name: "broadsheet_connections_open", help: "Open \\ connections\nof now.",
            read: { 3 })
        let service = try await TestService(sources: [source])
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        try await service.send("PUT", "/v1/screens/home/pages/0", "{")
        try await service.send("GET", "/v1/screens/home/layout")
        try await service.send("GET", "/v1/screens/made-up-%22name%5C/layout")
        try await service.send("BREW", "/made/up/path")
        _ = service.service.response(to: .requestTimeout, in: nil, from: .unspecified)
        let response = try await service.send("GET", "/metrics")
        #expect(response.status == 200)
        #expect(
            response.response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        return try ScrapedMetrics(response.text)
    }

    @Test("Every metric has HELP and TYPE once, directly before its samples")
    func format() async throws {
        let metrics = try await scraped()
        #expect(metrics.families.count > 15)
        #expect(Set(metrics.families.map(\.name)).count == metrics.families.count)
        for family in metrics.families {
            #expect(family.name.hasPrefix("broadsheet_") || family.name.hasPrefix("process_"))
            #expect(!family.help.isEmpty)
            #expect(["counter", "gauge", "histogram"].contains(family.type))
        }
    }

    @Test("Names of counters end in _total, names of durations in _seconds")
    func names() async throws {
        for family in try await scraped().families {
            #expect((family.type == "counter") == family.name.hasSuffix("_total"), "\(family.name)")
            if family.type == "histogram" { #expect(family.name.hasSuffix("_seconds")) }
            for word in ["milli", "micro", "_ms", "_kb", "percent"] {
                #expect(!family.name.contains(word))
            }
        }
    }

    @Test("Values of labels come from fixed lists that clients cannot extend")
    func labels() async throws {
        let operations = Set(Operation.all.map(\.id) + ["none"])
        let statuses = Set(RequestMetrics.statuses.map { String($0.code) })
        let diagnostics = Diagnostic.Code.all + Diagnostic.Code.ofEvents
        let codes = Set(ProblemCode.allCases.map(\.rawValue) + diagnostics.map(\.rawValue))
        for sample in try await scraped().families.flatMap(\.samples) {
            for (name, value) in sample.labels {
                switch name {
                case "operation": #expect(operations.contains(value))
                case "status": #expect(statuses.contains(value))
                case "code": #expect(codes.contains(value))
                case "version": #expect(value == BroadsheetVersion.current)
                case "le": #expect(value == "+Inf" || Double(value) != nil)
                default: #expect(!value.contains("made"), "\(name)")
                }
            }
        }
    }

    @Test("Histograms' buckets ascend, end in +Inf, and agree with their counts")
    func histograms() async throws {
        for family in try await scraped().families where family.type == "histogram" {
            let series = Dictionary(grouping: family.samples) { sample in
                sample.labels.filter { $0.key != "le" }.map { "\($0)=\($1)" }.sorted().joined()
            }
            for samples in series.values {
                let buckets = samples.filter { $0.name.hasSuffix("_bucket") }
                let bounds = buckets.compactMap { $0.labels["le"] }
                    .map { $0 == "+Inf" ? Double.infinity : Double($0) ?? .nan }
                #expect(bounds == bounds.sorted())
                #expect(bounds.last == .infinity)
                #expect(buckets.map(\.value) == buckets.map(\.value).sorted())
                let count = samples.first { $0.name == family.name + "_count" }
                #expect(count?.value == buckets.last?.value)
                #expect(samples.contains { $0.name == family.name + "_sum" })
            }
        }
    }

    @Test("The metrics of the process have the names and types of Prometheus, and values")
    func process() async throws {
        let families = try await scraped().families.filter { $0.name.hasPrefix("process_") }
        #expect(
            families.map { "\($0.name) \($0.type)" } == [
                "process_cpu_seconds_total counter", "process_open_fds gauge",
                "process_max_fds gauge", "process_virtual_memory_bytes gauge",
                "process_resident_memory_bytes gauge", "process_start_time_seconds gauge",
            ])
        #expect(families.allSatisfy { $0.samples.count == 1 && $0.samples[0].value > 0 })
        let values = families.map { $0.samples[0].value }
        #expect(values[1] < values[2] && values[4] < values[3])
        let age = TimeSource.system.unixMilliseconds / 1000 - Int64(values[5])
        #expect((0..<100_000).contains(age))
    }

    @Test("The metrics have the screens and bytes of the store, the catalog, and limits")
    func contents() async throws {
        let service = try await TestService()
        let bodies = [Pages.list(["a"]), Pages.list(["a", "b"])]
        for (index, body) in bodies.enumerated() {
            try await service.send("PUT", "/v1/screens/s\(index)/pages/0", body)
        }
        let metrics = try ScrapedMetrics(await service.send("GET", "/metrics").text)
        let samples = Dictionary(grouping: metrics.families.flatMap(\.samples), by: \.name)
        #expect(samples["broadsheet_store_screens"]?[0].value == 2)
        #expect(
            samples["broadsheet_store_bytes"]?[0].value
                == Double(bodies.reduce(0) { $0 + $1.utf8.count }))
        let catalog = try #require(samples["broadsheet_catalog_info"]?[0])
        #expect(catalog.labels["catalog"] == "default" && catalog.value == 1)
        #expect(catalog.labels["fingerprint"]?.isEmpty == false)
        #expect(samples["broadsheet_key_earliest_expiry_timestamp_seconds"]?[0].value == .infinity)
        #expect(samples["broadsheet_feed_backlog_events"]?[0].value == 0)
        let limits = metrics.families.enumerated().filter { $0.element.name.contains("_limit") }
        #expect(limits.count >= 6)
        for (index, limit) in limits {
            let name = limit.name.replacing("_limit", with: "")
            let before = metrics.families[index - 1].name
            let names = [name, name + "_open", name + "_in_progress"]
            #expect(names.contains(before), "\(limit.name) after \(before)")
            // There is no origin here.
            #expect((limit.samples[0].value > 0) == !name.contains("origin"))
        }
        _ = try await service.send("DELETE", "/v1/screens/s0")
        let after = try await service.send("GET", "/metrics").text
        #expect(after.contains("\nbroadsheet_store_screens 1.0\n"))
    }

    @Test("Requests and streams are counted by key, for at most 100 names and two values besides")
    func keys() throws {
        let keys = KeyMetrics()
        for number in 0..<150 {
            for _ in 0..<2 { keys.count("key-\(number)") }
            keys.addStreams(1, of: "key-\(number)")
        }
        keys.count(nil)
        keys.addStreams(-1, of: "key-3")
        var text = MetricsText()
        keys.write(to: &text)
        let metrics = try ScrapedMetrics(text.text)
        #expect(metrics.families.map(\.samples.count) == [102, 102])
        func value(_ family: Int, _ key: String) -> Double? {
            metrics.families[family].samples.first { $0.labels == ["key": key] }?.value
        }
        #expect(value(0, "key-3") == 2 && value(1, "key-3") == 0 && value(1, "key-4") == 1)
        #expect(value(0, "(other)") == 100 && value(1, "(other)") == 50)
        #expect(value(0, "(none)") == 1)
    }

    @Test("Requests, problems and sources are counted")
    func counts() async throws {
        let metrics = try await scraped()
        func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
            metrics.families.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?
                .value
        }
        let requests = "broadsheet_http_requests_total"
        #expect(value(requests, ["operation": "putPage", "status": "201"]) == 1)
        #expect(value(requests, ["operation": "putPage", "status": "400"]) == 1)
        #expect(value(requests, ["operation": "getLayout", "status": "200"]) == 1)
        #expect(value(requests, ["operation": "none", "status": "404"]) == 1)
        #expect(value(requests, ["operation": "none", "status": "408"]) == 1)
        #expect(value("broadsheet_problems_total", ["code": "INVALID_JSON"]) == 1)
        #expect(value("broadsheet_problems_total", ["code": "REQUEST_TIMEOUT"]) == 1)
        #expect(value("broadsheet_problems_total", ["code": "INTERNAL"]) == 0)
        #expect(value("broadsheet_connections_open") == 3)
        #expect(value("broadsheet_screens_in_memory") == 1)
        #expect(value("broadsheet_store_commit_duration_seconds_count") == 1)
        #expect(value("broadsheet_http_requests_in_flight") == 1)
    }

    @Test("A duration is counted in the first bucket whose bound is not below it")
    func buckets() {
        let histogram = DurationHistogram("a", "b")
        for bound in DurationHistogram.bounds {
            histogram.observe(nanoseconds: bound.nanoseconds)
            histogram.observe(nanoseconds: bound.nanoseconds + 1)
        }
        let counts = histogram.cumulative.map(\.count)
        let total = UInt64(2 * DurationHistogram.bounds.count)
        #expect(counts == Array(stride(from: 1, to: total, by: 2)) + [total])
        for bound in DurationHistogram.bounds {
            #expect(Double(bound.label) == Double(bound.nanoseconds) / 1e9)
        }
    }

    @Test("Every declared metric is in the exposition")
    func complete() {
        let metrics = ServiceMetrics()
        let declared = Mirror(reflecting: metrics).children.map(\.value)
        #expect(declared.count == metrics.all.count)
        let objects = declared.filter { !($0 is BuildInformation) }.map {
            ObjectIdentifier($0 as AnyObject)
        }
        let exposed = Set(metrics.all.map { ObjectIdentifier($0 as AnyObject) })
        #expect(exposed.isSuperset(of: objects))
    }

    @Test("Label values and help texts are escaped")
    func escaping() {
        var text = MetricsText()
        text.begin("a", .gauge, help: "b\\c\nd")
        text.sample("a", [("l", "x\"y\\z\n")], count: 1)
        #expect(text.text == "# HELP a b\\\\c\\nd\n# TYPE a gauge\na{l=\"x\\\"y\\\\z\\n\"} 1\n")
    }

    @Test("Numbers that are not finite are written as Prometheus reads them")
    func notFinite() {
        var text = MetricsText()
        text.sample("a", value: .infinity)
        text.sample("a", value: -.infinity)
        text.sample("a", value: .nan)
        #expect(text.text == "a +Inf\na -Inf\na NaN\n")
    }
}
