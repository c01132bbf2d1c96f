import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// The layout that a query selects.
enum LayoutQuery: Sendable {
    case tree(ScreenPart.End)
    /// A window of the tree of all pages, and the pages that have to be stored for it.
    case window(WindowRequest, needing: WindowToken.Need)
}

/// The parameters that select a layout, as far as they are given.
private struct SelectedLayout {
    let window: WindowQuery?
    let token: String?
    let pageToken: PageToken?
    let windowToken: WindowToken?
    let isAll: Bool

    init(_ reader: ParameterReader, _ seal: TokenSeal, _ screen: ScreenName) throws(Problem) {
        window = try WindowQuery(reader)
        token = try reader.text("pageToken")
        pageToken = token.flatMap { PageToken($0, sealedBy: seal, for: screen.text) }
        windowToken =
            pageToken == nil
            ? token.flatMap { WindowToken($0, sealedBy: seal, for: screen.text) } : nil
        isAll =
            try reader.read("pages", "all, if it is given") { $0 == "all" ? true : nil } ?? false
    }

    /// Checks the parameters that exclude each other.
    func check(isOfWindow: Bool) throws(Problem) {
        if isAll, token != nil {
            throw .invalidParameter("pages", "cannot be given together with pageToken")
        }
        if isAll, isOfWindow {
            throw .invalidParameter("pages", "cannot be given for a window, which is of all pages")
        }
        guard let window, token != nil else { return }
        let lengths = windowToken?.lengths
        let other =
            if window.anchor != nil {
                WindowQuery.anchorNames.listed
            } else if let before = window.before, before != lengths?.before {
                "before"
            } else if let after = window.after, after != lengths?.after {
                "after"
            } else {
                String?.none
            }
        if let other { throw .pageTokenMismatch(other) }
    }
}

extension BroadsheetService {
    /// Reads the selection, the parameters and the revision of a layout from the query, and checks
    /// that the client may name its catalog and flags; the catalog of the request is then that of
    /// its page token.
    ///
    /// - Parameter tag: The tag of the window that the client has; `nil` if it has none.
    /// - Throws: The problem of a parameter or of the page token.
    func layoutQuery(
        of screen: ScreenName, from tag: WindowTag? = nil, _ call: inout Call
    ) throws(Problem) -> ReadLayoutQuery {
        let query = try uncheckedLayoutQuery(of: screen, from: tag, &call)
        try call.caller.check(catalog: call.catalog.name)
        try call.caller.check(flags: query.parameters.flags)
        return query
    }

    /// A selection, the parameters and the revision of a layout.
    typealias ReadLayoutQuery = (
        query: LayoutQuery?, window: WindowQuery?, parameters: LayoutParameters, revision: UInt64?
    )

    private func uncheckedLayoutQuery(
        of screen: ScreenName, from tag: WindowTag?, _ call: inout Call
    ) throws(Problem) -> ReadLayoutQuery {
        let reader = ParameterReader(call.query)
        let revision = try call.revision()
        let selected = try SelectedLayout(reader, renderer.seal, screen)
        let isOfWindow = selected.window != nil || selected.windowToken != nil || tag != nil
        let requested = try LayoutParameters.Partial(
            call.query, limits: configuration.parameters, isOfWindow: isOfWindow)
        try selected.check(isOfWindow: isOfWindow)
        if let token = selected.windowToken {
            return (
                .window(WindowRequest(token), needing: token.need), nil,
                try parameters(requested, revision, of: token.page, &call).ofWindow,
                token.page.revision
            )
        }
        if let text = selected.token {
            guard let token = selected.pageToken else {
                throw invalidToken(text, of: call.caller)
            }
            let parameters = try parameters(requested, revision, of: token, &call)
            return (.tree(.after(token.page)), nil, parameters, token.revision)
        }
        guard isOfWindow else {
            let end: ScreenPart.End = selected.isAll ? .highest : .lowest
            return (.tree(end), nil, requested.applied(), revision)
        }
        var standard = LayoutParameters()
        standard.options.coordinates = .window
        let parameters = requested.applied(to: standard).ofWindow
        let request = selected.window.flatMap(WindowRequest.init)
        if request == nil, tag == nil {
            throw .invalidParameter(
                WindowQuery.anchorNames.listed, "is required beside before and after")
        }
        return (
            request.map { .window($0, needing: .none) }, selected.window, parameters, revision
        )
    }

    /// Returns the parameters of a request with a page token.
    ///
    /// - Parameter revision: The revision that the query names; `nil` for none.
    /// - Throws: `PAGE_TOKEN_MISMATCH`; `FORBIDDEN` for a token that names a revision, of a client
    ///   that may not read it; the problem of a catalog that is gone.
    private func parameters(
        _ requested: LayoutParameters.Partial, _ revision: UInt64?, of token: PageToken,
        _ call: inout Call
    ) throws(Problem) -> LayoutParameters {
        var other = requested.contradiction(to: token.parameters)
        if call.catalog.name != nil, call.catalog.name != token.catalog {
            other = CatalogParameter.name
        }
        if revision != nil, revision != token.revision { other = "revision" }
        if token.revision != nil { try call.checkHistory() }
        try call.caller.check(catalog: token.catalog)
        if let other { throw .pageTokenMismatch(other) }
        if call.catalog.name != token.catalog {
            call.catalog = try catalogs.current.catalog(named: token.catalog)
        }
        return requested.applied(to: token.parameters)
    }

    /// Returns the problem of a page token that is not one of the screen of the request: that it is
    /// one of another screen, if that screen is in memory and the client may know of it.
    private func invalidToken(_ text: String, of caller: Caller) -> Problem {
        let other = screen(ofPageToken: text).flatMap { name in
            caller.listedScreens?.contains(name.text) == false ? nil : name
        }
        return Problem(
            .invalidPageToken,
            other.map { "The page token is one of the screen \"\($0.text)\", not of this one." }
                ?? "The page token is damaged, or belongs to another screen or store.")
    }

    /// The work that the search for the screen of a page token may take, in bytes that are hashed;
    /// fixed.
    private static let maxSearchedBytes = 1 << 20
    /// The work on each screen beside hashing the token, in the same unit.
    private static let bytesPerScreen = 1 << 10

    /// Returns the screen in memory that a page token is sealed for, or `nil`.
    ///
    /// A token does not have the name of its screen, so the names are tried: as many as the limit
    /// permits.
    private func screen(ofPageToken text: String) -> ScreenName? {
        let count = Self.maxSearchedBytes / (text.utf8.count + Self.bytesPerScreen)
        return screens.cache.first(count).lazy.map(\.name).first {
            [seal = renderer.seal] name in
            PageToken(text, sealedBy: seal, for: name.text) != nil
        }
    }
}

extension LayoutParameters {
    /// The parameters for a window, which has no diagnostics.
    fileprivate var ofWindow: LayoutParameters {
        var parameters = self
        parameters.lint = false
        return parameters
    }
}

extension WindowRequest {
    fileprivate init?(_ query: WindowQuery) {
        guard let anchor = query.anchor else { return nil }
        self.init(target: .named(anchor), before: query.before, after: query.after)
    }

    fileprivate init(_ token: WindowToken) {
        self.init(
            target: .known(token.anchor, at: token.revision), before: token.lengths.before,
            after: token.lengths.after)
    }
}

extension WindowToken.Need {
    /// The last page that has to be there, or is fetched.
    var end: ScreenPart.End {
        if case .above(let page) = self { .after(page) } else { .lowest }
    }

    /// Throws `PAGE_NOT_LOADED` unless the pages are stored.
    func check(_ snapshot: ScreenSnapshot) throws(Problem) {
        let model = snapshot.model
        switch self {
        case .none: break
        case .above(let page):
            guard model.page(after: page) != nil else { throw .pageNotLoaded(after: page) }
        case .below(let page):
            guard let lowest = model.lowestPage, lowest < page else {
                throw .pageNotLoaded(before: page)
            }
        }
    }
}

extension Problem {
    fileprivate static func pageTokenMismatch(_ name: String) -> Problem {
        Problem(.pageTokenMismatch, "\(name) contradicts the page token; omit it.")
    }
}
