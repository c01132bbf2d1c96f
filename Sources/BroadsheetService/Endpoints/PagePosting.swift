import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// What a PUT or POST of a page says, read and checked, before it meets the screen.
struct PagePosting: Sendable {
    /// The screen that it is for.
    let screen: ScreenName
    /// The page.
    let page: ServerStatePage
    /// What the answer's tree is laid out by.
    let parameters: LayoutParameters
    /// What has to hold for the page to be stored.
    let preconditions: Preconditions
    /// How long the screen is to live from then on; nil when the request does not say.
    let lifetime: ScreenLifetime?
    /// Whether the answer is to be without the tree (RFC 7240 §4.2).
    let wantsNoTree: Bool

    /// Reads a request; throws what is wrong with its path, query, headers or body, in this order.
    init(_ call: Call, reading: PageReading, limits: ParameterLimits) throws(Problem) {
        screen = try call.screen()
        parameters = try LayoutQuery(call.query, limits: limits).applied()
        preconditions = try Preconditions(call.request.headers)
        lifetime = try ScreenLifetime(in: call.request.headers)
        wantsNoTree = Preferences(in: call.request.headers).return == .minimal
        page = try reading.page(of: call.request, names: call.catalog.registry.names)
    }
}
