import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// The subject that a request needs memory for, which decides on the problem if the daemon can
/// never have that much.
enum MemorySubject: Sendable {
    /// The index of the request's body: 413.
    case body
    /// Posted pages, their layouts, or a screen as a write would leave it: 422.
    case pages
    /// A stored screen: 503 without `Retry-After`.
    case storedScreen

    func problem(needing count: Int, limit: Int) -> Problem {
        switch self {
        case .body: .bodyNeedsMemory(count, limit: limit)
        case .pages: .pagesNeedMemory(count, limit: limit)
        case .storedScreen: .storedScreenTooLarge(ReadExcess(of: .memory, count, limit: limit))
        }
    }
}

/// Reservations of requests, which end with a problem if the memory is not there.
///
/// Memory that others use may be free later: 503 `OVERLOADED` with `Retry-After`. A need for more
/// than the budget has when nothing else uses it is the problem of its subject
/// (``MemorySubject``).
extension MemoryReservation {
    /// Throws `OVERLOADED` if the bytes are not free, or the problem of posted pages.
    func add(_ count: Int) throws(Problem) {
        guard resize(to: self.count + count) else {
            throw refusal(of: self.count + count, for: .pages)
        }
    }

    /// Makes the reservation `count` bytes large; waits for the bytes if necessary.
    func adjust(
        to count: Int, beside others: @autoclosure () -> Int = 0,
        for subject: MemorySubject = .pages
    ) async throws(Problem) {
        shrink(to: count)
        try await need(count, beside: others(), for: subject)
    }

    /// Makes the reservation at least `count` bytes large; waits for the bytes if necessary.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - others: The number of bytes that the request has in other reservations meanwhile, which
    ///     may be a sum over all pages; it is needed only if the bytes are not free.
    ///   - subject: The subject that the bytes are for.
    /// - Throws: `OVERLOADED` if they were not free in time; the problem of the subject if they
    ///   never can be; the error of a lost connection.
    func need(
        _ count: Int, beside others: @autoclosure () -> Int = 0,
        for subject: MemorySubject = .pages
    ) async throws(Problem) {
        guard !resize(to: max(count, self.count)) else { return }
        try Work.checkConnection()
        if let problem = excess(of: count, beside: others(), for: subject) { throw problem }
        guard await !grow(to: count) else { return }
        try Work.checkConnection()
        throw .tooLittleMemory
    }

    /// Returns whether the reservation could have `count` bytes if nothing else was in use.
    func canHave(_ count: Int, beside others: Int = 0) -> Bool {
        count <= available - others - self.others
    }

    func refusal(
        of count: Int, beside others: Int = 0, for subject: MemorySubject
    ) -> Problem {
        if let problem = excess(of: count, beside: others, for: subject) { return problem }
        countRefusal()
        return .tooLittleMemory
    }

    /// Returns the problem of bytes that can never be free, and counts their refusal; `nil` if they
    /// may be.
    private func excess(
        of count: Int, beside others: Int, for subject: MemorySubject
    ) -> Problem? {
        guard !canHave(count, beside: others) else { return nil }
        countRefusal()
        return subject.problem(needing: count + others + self.others, limit: available)
    }
}

extension Problem {
    /// The problem of a request for which no memory was free in time.
    static var tooLittleMemory: Problem {
        .overloaded("The memory for requests is in use at the moment")
    }

    fileprivate static func bodyNeedsMemory(_ count: Int, limit: Int) -> Problem {
        Problem(
            .bodyTooLarge,
            "To read the body takes up to \(count) bytes of memory, the daemon has \(limit) for "
                + "requests (--memory); send less at a time.")
    }

    static func pagesNeedMemory(_ count: Int, limit: Int) -> Problem {
        Problem(
            .screenTooLarge,
            "To lay out the pages takes \(count) bytes of memory, the daemon has \(limit) for "
                + "requests (--memory); divide the screen, or send fewer pages or viewports.")
    }
}
