import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// A PUT or POST of a page, read and checked as far as that is possible without the stored screen.
struct PostedPage: Sendable {
    /// The screen.
    let screen: ScreenName
    /// The page.
    let page: ServerStatePage
    /// The parameters of the tree in the response.
    let parameters: LayoutParameters
    /// The conditions under which the page is stored.
    let preconditions: Preconditions
    /// The lifetime of the screen from this write on; `nil` if the request does not set it.
    let lifetime: ScreenLifetime?
    /// A Boolean value that indicates whether the response omits the tree (RFC 7240 §4.2).
    let prefersMinimal: Bool

    /// Reads a request.
    ///
    /// - Throws: The first problem of its path, query, headers and body, in this order.
    init(_ call: Call) throws(Problem) {
        screen = try call.screen()
        parameters = try LayoutParameters.Partial(
            call.query, limits: call.service.configuration.parameters
        ).applied()
        preconditions = try Preconditions(call.request.headers)
        lifetime = try ScreenLifetime(in: call.request.headers)
        prefersMinimal = Preferences(in: call.request.headers).return == .minimal
        page = try call.service.pages.page(
            of: call.request, names: call.catalog.registry.names)
    }
}

extension ScreenLifetime {
    /// The value of the header for an indefinite lifetime.
    static let indefiniteWord = "none"

    /// Reads the header `Broadsheet-TTL`: whole seconds, or `none` for an indefinite lifetime;
    /// returns `nil` without the header.
    ///
    /// - Throws: `INVALID_PARAMETER` for another value, and for a repeated header.
    init?(in headers: HTTPHeaders) throws(Problem) {
        let name = HTTPFieldName.screenLifetime
        let values = headers.values(of: name)
        guard let text = values.first else { return nil }
        if values.count == 1 {
            if text == Self.indefiniteWord {
                self = .indefinite
                return
            }
            if let seconds = WholeNumber(text)?.value, let lifetime = Self(seconds: seconds) {
                self = lifetime
                return
            }
        }
        let range = Self.secondsRange
        throw .invalidParameter(
            name.spelling,
            "must be a whole number of seconds from \(range.lowerBound) to \(range.upperBound), "
                + "or \(Self.indefiniteWord)")
    }
}
