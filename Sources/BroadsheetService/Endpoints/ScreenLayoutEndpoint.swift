import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// `/v1/screens/{screen}/layout` and `…/layout.svg`: a screen's stored pages, laid out.
struct ScreenLayoutEndpoint: Sendable {
    let screens: Screens
    let rendering: TreeRendering
    let limits: ParameterLimits

    /// The tree up to the page that the query asks for, or the part of it that lies in its `rect`;
    /// 304 when the client has it.
    func get(_ call: Call) async throws(Problem) -> HTTPResponse {
        let rectangle = try ParameterReader(call.query).rectangle("rect")
        let form = rectangle.map(LayoutForm.part) ?? .tree
        return try await answer(call, as: form) { layout, tag in
            let tree =
                rectangle.map { rendering.tree(of: layout, in: $0) } ?? rendering.tree(of: layout)
            return .json(tree, tag: tag)
        }
    }

    /// A picture of the same; 304 when the client has it.
    func getPicture(_ call: Call) async throws(Problem) -> HTTPResponse {
        try await answer(call, as: .picture) { layout, tag in
            .picture(rendering.picture(of: layout), tag: tag)
        }
    }

    private func answer(
        _ call: Call, as form: LayoutForm, _ make: (StoredLayout, EntityTag) -> HTTPResponse
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let request = try LayoutRequest(
            call.query, of: screen, seal: rendering.seal, limits: limits)
        let preconditions = try Preconditions(call.request.headers)
        let snapshot = try await screens.existing(screen, by: call.catalog)
        let layout = StoredLayout(
            snapshot: snapshot, page: try request.extent.highestPage(in: snapshot.model),
            parameters: request.parameters)
        let tag = EntityTags.layout(layout.identity(as: form), seal: rendering.seal)
        return try preconditions.isNotModified(tag) ? .notModified(tag) : make(layout, tag)
    }
}

/// What a layout's query asks for.
struct LayoutRequest: Sendable {
    /// How far the tree is to reach.
    let extent: LayoutExtent
    /// What it is laid out by.
    let parameters: LayoutParameters

    /// Reads a query; throws what is wrong with its parameters or its page token.
    init(
        _ query: Query, of screen: ScreenName, seal: TokenSeal, limits: ParameterLimits
    ) throws(Problem) {
        let reader = ParameterReader(query)
        let asked = try LayoutQuery(query, limits: limits)
        let all = try reader.read("pages", "all, if it is given") { $0 == "all" ? true : nil }
        guard let text = try reader.text("pageToken") else {
            extent = all == nil ? .lowestPage : .allPages
            parameters = asked.applied()
            return
        }
        guard all == nil else {
            throw .invalidParameter("pages", "cannot be given together with pageToken")
        }
        let token = try Self.token(text, of: screen, seal: seal)
        if let other = asked.contradiction(to: token.parameters) {
            throw Problem(
                .pageTokenMismatch,
                "\(other.rawValue) is not what the page token stands for; leave it out.")
        }
        extent = .after(page: token.page)
        parameters = asked.applied(to: token.parameters)
    }

    private static func token(
        _ text: String, of screen: ScreenName, seal: TokenSeal
    ) throws(Problem) -> PageToken {
        guard let token = PageToken(text, sealedBy: seal, for: screen.text) else {
            throw Problem(
                .invalidPageToken, "The page token is damaged, or not of this screen and store.")
        }
        return token
    }
}

/// How far a stored screen's tree reaches.
enum LayoutExtent: Sendable, Hashable {
    /// Up to the lowest page that is stored.
    case lowestPage
    /// Up to the lowest page that is stored above this one.
    case after(page: Int)
    /// Up to the highest page that is stored.
    case allPages

    /// The highest page of the tree; nil when the screen has none at all.
    ///
    /// Throws `PAGE_NOT_LOADED` when the page after another is not stored yet.
    func highestPage(in model: PaginatedViewModel) throws(Problem) -> Int? {
        switch self {
        case .lowestPage: return model.lowestPage
        case .allPages: return model.highestPage
        case .after(let page):
            guard let next = model.page(after: page) else { throw .pageNotLoaded(after: page) }
            return next
        }
    }
}
