import Broadsheet

extension ServiceMetrics {
    /// All metrics as Prometheus reads them.
    ///
    /// - Parameter sources: Metrics whose values others know.
    func text(sources: [MetricSource]) -> String {
        var text = MetricsText()
        writeBuild(into: &text)
        writeRequests(into: &text)
        writeWork(into: &text)
        writeStore(into: &text)
        writeCache(into: &text)
        writeCatalog(into: &text)
        for source in sources {
            text.begin(source.name, source.type, help: source.help)
            text.sample(source.name, value: source.read())
        }
        return text.text
    }

    private func writeBuild(into text: inout MetricsText) {
        let name = "broadsheet_build_info"
        text.begin(name, .gauge, help: "The version that runs; always 1.")
        text.sample(name, [("version", BroadsheetVersion.current)], count: 1)
    }

    private func writeRequests(into text: inout MetricsText) {
        let total = "broadsheet_http_requests_total"
        text.begin(total, .counter, help: "Answered requests by operation and status.")
        for row in requests.rows {
            for (status, count) in row.byStatus.counts where count > 0 {
                text.sample(
                    total, [("operation", row.operation), ("status", status)], count: count)
            }
        }
        let duration = "broadsheet_http_request_duration_seconds"
        text.begin(
            duration, .histogram, help: "From a whole request to its answer, by operation.")
        for row in requests.rows {
            text.samples(duration, [("operation", row.operation)], of: row.duration)
        }
        text.write(
            "broadsheet_http_requests_in_flight", .gauge, "Requests that are being answered.",
            Double(requestsInFlight.value))
        text.write(
            "broadsheet_http_request_body_bytes_total", .counter, "Bytes of bodies that came in.",
            Double(requestBodyBytes.value))
        text.write(
            "broadsheet_http_response_body_bytes_total", .counter,
            "Bytes of bodies that went out.", Double(responseBodyBytes.value))
        let problem = "broadsheet_problems_total"
        text.begin(problem, .counter, help: "Problem documents by code.")
        for (code, count) in problems.counts {
            text.sample(problem, [("code", code)], count: count)
        }
    }

    private func writeWork(into text: inout MetricsText) {
        let layout = "broadsheet_layout_duration_seconds"
        text.begin(layout, .histogram, help: "From resolved pages to a tree's bytes.")
        text.samples(layout, of: layoutDuration)
        let parse = "broadsheet_parse_duration_seconds"
        text.begin(parse, .histogram, help: "From a page's bytes to its sections and units.")
        text.samples(parse, of: parseDuration)
        let resolve = "broadsheet_resolve_duration_seconds"
        text.begin(resolve, .histogram, help: "From units to their cells.")
        text.samples(resolve, of: resolveDuration)
    }

    private func writeStore(into text: inout MetricsText) {
        let commit = "broadsheet_store_commit_duration_seconds"
        text.begin(commit, .histogram, help: "Commits to the store.")
        text.samples(commit, of: commitDuration)
        text.write(
            "broadsheet_store_conflicts_total", .counter,
            "Commits that another writer got in between of.", Double(storeConflicts.value))
        text.write(
            "broadsheet_store_failures_total", .counter, "Calls that the store failed.",
            Double(storeFailures.value))
    }

    private func writeCache(into text: inout MetricsText) {
        let tables = [
            ("broadsheet_layout_cache_hits_total", "that were kept", layoutCacheHits),
            ("broadsheet_layout_cache_misses_total", "that had to be made", layoutCacheMisses),
        ]
        for (name, fate, table) in tables {
            text.begin(name, .counter, help: "Layouts and answers \(fate), by what they are.")
            for (kind, count) in table.counts {
                text.sample(name, [("kind", kind)], count: count)
            }
        }
        text.write(
            "broadsheet_layout_cache_evictions_total", .counter,
            "Layouts and answers that made room for others.", Double(layoutCacheEvictions.value))
        text.write(
            "broadsheet_layout_cache_bytes", .gauge,
            "What layouts and answers that are kept take.", Double(layoutCacheBytes.value))
    }

    private func writeCatalog(into text: inout MetricsText) {
        let name = "broadsheet_catalog_reloads_total"
        text.begin(name, .counter, help: "Reloads of the catalog by how they ended.")
        text.sample(name, [("result", "replaced")], count: catalogReloads.value)
        text.sample(name, [("result", "refused")], count: failedCatalogReloads.value)
    }
}

extension MetricsText {
    /// Writes a metric of one sample.
    fileprivate mutating func write(
        _ name: String, _ type: MetricType, _ help: String, _ value: Double
    ) {
        begin(name, type, help: help)
        sample(name, value: value)
    }
}
