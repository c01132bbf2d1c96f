import Broadsheet
import BroadsheetIO
import CCurl
import Synchronization

/// The requests in progress, which one thread performs by libcurl (``run()``).
///
/// The thread waits in the kernel while there is nothing to do. A request that waits holds none.
final class CurlLoop: @unchecked Sendable {
    // Unchecked: only the thread uses the list, except to wake it, which libcurl permits.

    struct Ending: Sendable {
        let outcome: CCurlOutcome
        /// The absolute URL that the response redirects to, if it does.
        let redirect: String?
        /// The reason of a failure in libcurl's words.
        let reason: String
    }

    private struct State: Sendable {
        var added: [CurlJob] = []
        var isStopped = false
    }

    /// The time after which the thread looks for work although nothing woke it, in milliseconds.
    private static let maxWait: Int32 = 600_000

    private let list: OpaquePointer
    private let state = Mutex(State())

    /// Keeps up to `maxConnections` for later; `nil` if the system has no resources left.
    init?(maxConnections: Int) {
        guard let list = ccurl_list_create(maxConnections) else { return nil }
        self.list = list
    }

    deinit { ccurl_list_destroy(list) }

    /// Performs a request, and returns its end; `nil` if the loop was stopped before.
    func perform(_ request: CurlRequest, into transfer: PageTransfer) async -> Ending? {
        await Waiter.wait(orElse: nil) { waiter in
            let job = CurlJob(request, transfer: transfer, waiter: waiter)
            let isAdded = state.withLock { state in
                guard !state.isStopped else { return false }
                state.added.append(job)
                return true
            }
            if isAdded { ccurl_list_wake(list) }
        }
    }

    /// Ends all requests, also later ones, and ``run()``.
    func stop() {
        state.withLock { $0.isStopped = true }
        ccurl_list_wake(list)
    }

    func run() {
        var jobs: [ObjectIdentifier: CurlJob] = [:]
        while true {
            let (added, isStopped) = state.withLock { state in
                defer { state.added = [] }
                return (state.added, state.isStopped)
            }
            for job in added where begin(job) { jobs[ObjectIdentifier(job)] = job }
            guard !isStopped else { break }
            ccurl_list_perform(list)
            var outcome = CCURL_COMPLETE
            while let context = ccurl_list_ended(list, &outcome) {
                let job = Unmanaged<CurlJob>.fromOpaque(context).takeUnretainedValue()
                jobs[ObjectIdentifier(job)] = nil
                end(job, outcome)
            }
            ccurl_list_wait(list, Self.maxWait)
        }
        for job in jobs.values { end(job, nil) }
    }

    private func begin(_ job: CurlJob) -> Bool {
        guard job.prepare(), let handle = job.handle, ccurl_list_add(list, handle) else {
            job.end(nil)
            return false
        }
        return true
    }

    private func end(_ job: CurlJob, _ outcome: CCurlOutcome?) {
        if let handle = job.handle { ccurl_list_remove(list, handle) }
        job.end(outcome)
    }
}

/// A request as libcurl takes it.
struct CurlRequest: Sendable {
    let url: String
    let requestID: String
    /// The file of the certificates to trust; `nil` for those of the system.
    let certificates: String?
    /// The maximum time for everything.
    let timeout: Duration
}

/// A request in a loop, and the task that waits for it.
private final class CurlJob: @unchecked Sendable {
    // Unchecked: after its creation only the thread of the loop uses a job.

    private(set) var handle: OpaquePointer?
    private let request: CurlRequest
    private let transfer: PageTransfer
    private let waiter: Waiter<CurlLoop.Ending?>

    init(
        _ request: CurlRequest, transfer: PageTransfer,
        waiter: Waiter<CurlLoop.Ending?>
    ) {
        self.request = request
        self.transfer = transfer
        self.waiter = waiter
    }

    /// Makes libcurl's transfer, which refers to this job without keeping it.
    func prepare() -> Bool {
        let milliseconds = max(1, Int(request.timeout / .milliseconds(1)))
        let userAgent = "broadsheet/\(BroadsheetVersion.current)"
        handle = request.url.withCString { url in
            "X-Request-Id: \(request.requestID)".withCString { id in
                userAgent.withCString { agent in
                    (request.certificates ?? "").withCString { file in
                        var options = CCurlRequest(
                            url: url, request_id: id,
                            user_agent: agent, ca_file: request.certificates == nil ? nil : file,
                            timeout: milliseconds, connect_timeout: max(1, milliseconds / 2),
                            context: Unmanaged.passUnretained(self).toOpaque(),
                            on_line: { context, bytes, count in
                                CurlJob.transfer(context)
                                    .receive(
                                        line: UnsafeRawBufferPointer(start: bytes, count: count))
                            },
                            on_coded: { context, count in
                                CurlJob.transfer(context).receive(codedCount: count)
                            },
                            on_body: { context, bytes, count in
                                CurlJob.transfer(context)
                                    .receive(
                                        part: UnsafeRawBufferPointer(start: bytes, count: count))
                            })
                        return ccurl_transfer_create(&options)
                    }
                }
            }
        }
        return handle != nil
    }

    private static func transfer(_ context: UnsafeMutableRawPointer) -> PageTransfer {
        Unmanaged<CurlJob>.fromOpaque(context).takeUnretainedValue().transfer
    }

    /// Destroys the transfer, which is in no list, and continues the task.
    ///
    /// - Parameter outcome: The outcome; `nil` for a transfer that did not end by itself.
    func end(_ outcome: CCurlOutcome?) {
        var ending: CurlLoop.Ending?
        if let handle {
            if let outcome {
                ending = CurlLoop.Ending(
                    outcome: outcome,
                    redirect: ccurl_transfer_redirect(handle).map { String(cString: $0) },
                    reason: String(cString: ccurl_transfer_reason(handle)))
            }
            ccurl_transfer_destroy(handle)
        }
        handle = nil
        waiter.resume(ending)
    }
}
