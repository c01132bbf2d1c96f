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
            #expect(family.name.hasPrefix("broadsheet_"))
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
