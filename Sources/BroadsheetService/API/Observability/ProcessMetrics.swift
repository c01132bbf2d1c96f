import BroadsheetIO

extension MetricSource {
    /// The metrics of the process, named as the client libraries of Prometheus name them; 0 where
    /// the system does not say.
    static let process = [
        MetricSource(
            name: "process_cpu_seconds_total", type: .counter,
            help: "Total user and system CPU time spent in seconds.",
            read: { ProcessUse.cpuSeconds }),
        MetricSource(
            name: "process_open_fds", help: "Number of open file descriptors.",
            read: { Double(ProcessUse.openDescriptors) }),
        MetricSource(
            name: "process_max_fds", help: "Maximum number of open file descriptors.",
            read: { Double(OpenFileLimit.current) }),
        MetricSource(
            name: "process_virtual_memory_bytes", help: "Virtual memory size in bytes.",
            read: { Double(ProcessUse.virtualBytes()) }),
        MetricSource(
            name: "process_resident_memory_bytes", help: "Resident memory size in bytes.",
            read: { Double(SystemMemory.residentBytes()) }),
        MetricSource(
            name: "process_start_time_seconds",
            help: "Start time of the process since unix epoch in seconds.",
            read: { ProcessUse.startSeconds }),
    ]
}
