import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// A PUT or POST of a page, read and checked as far as that is possible without the stored screen.
struct PostedPage: Sendable {
    /// The request apart from the page.
    let options: WriteOptions
    /// The page.
    let content: ReadPage

    /// Reads a request.
    ///
    /// - Throws: The first problem of its path, query, headers and body, in this order.
    init(_ call: Call, _ service: BroadsheetService) async throws(Problem) {
        options = try WriteOptions(call, service.configuration)
        let memory = MemoryReservation(in: service.memory, for: .work)
        content = try await service.pages.page(
            of: call.request, by: call.catalog.registry, isStrict: options.isStrict, call.work,
            memory)
    }
}
