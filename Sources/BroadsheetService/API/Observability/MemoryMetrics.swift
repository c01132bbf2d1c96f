import BroadsheetIO

extension MetricSource {
    static func memory(_ budget: MemoryBudget) -> [MetricSource] {
        // Without an issuer there is nothing about tokens.
        let kinds = MemoryKind.allCases
        return [
            MetricSource(
                name: "broadsheet_memory_budget_bytes",
                help: "The memory for requests, responses and caches (--memory).",
                read: { Double(budget.limit) }),
            MetricSource(
                name: "broadsheet_memory_used_bytes", label: "kind",
                help: "The memory that is reserved, by kind.",
                read: {
                    let statistics = budget.statistics
                    return kinds.filter { $0 != .tokens || statistics.used(by: $0) > 0 }.map {
                        ($0.label, Double(statistics.used(by: $0)))
                    }
                }),
            MetricSource(
                name: "broadsheet_memory_refused_total", type: .counter, label: "kind",
                help: "Reservations of memory that were refused, by kind.",
                read: {
                    let statistics = budget.statistics
                    return kinds.filter { $0 != .tokens || statistics.refused($0) > 0 }.map {
                        ($0.label, Double(statistics.refused($0)))
                    }
                }),
            MetricSource(
                name: "broadsheet_memory_waiting", help: "Reservations of memory that wait.",
                read: { Double(budget.statistics.waiting) }),
        ]
    }
}
