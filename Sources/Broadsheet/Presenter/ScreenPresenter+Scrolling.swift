import BroadsheetClient

/// The handlers of the events of pages, and the order in which a carousel's movements call them.
struct PageHandlers: Sendable {
    var willAppear: ScreenPresenter.PageHandler?
    var didAppear: ScreenPresenter.PageHandler?
    var willDisappear: ScreenPresenter.PageHandler?
    var didDisappear: ScreenPresenter.PageHandler?

    func call(_ events: [PageEvents.Event]) {
        for event in events {
            switch event {
            case .willAppear(let page): willAppear?(page)
            case .didAppear(let page): didAppear?(page)
            case .willDisappear(let page): willDisappear?(page)
            case .didDisappear(let page): didDisappear?(page)
            }
        }
    }
}

// MARK: - The next page

extension ScreenPresenter {
    /// Sets the function that requests the next page, which is then loaded with
    /// ``loadPage(_:hasNext:sections:)`` or ``extendViewModel(page:hasNext:sections:)``.
    ///
    /// It is called by ``scrolled(to:contentLength:)``, once until a page is loaded or
    /// ``isLoading`` is set to `false`, and receives the pages. The presenter is being changed
    /// during the call, so that the function cannot use it; it begins a task that does.
    public mutating func onNextRequest(_ request: @escaping @Sendable (PaginatedViewModel) -> Void)
    {
        nextRequest = request
    }

    /// Requests the next page if it is due (rule P12).
    ///
    /// - Parameters:
    ///   - offset: The scroll offset along the main axis, in points.
    ///   - contentLength: The content's length along the main axis, in points.
    /// - Returns: A Boolean value that indicates whether the page was requested.
    @discardableResult
    public mutating func scrolled(to offset: Double, contentLength: Double) -> Bool {
        let size = parameters.viewport.size
        let isDue = NextPageRule.isNextPageDue(
            hasNext: hasNext, isLoading: isLoading, hasSections: !screen.sections.isEmpty,
            offset: offset, contentLength: contentLength,
            viewportLength: registry.screen.direction == .horizontal ? size.width : size.height)
        guard isDue, let nextRequest else { return false }
        isLoading = true
        nextRequest(viewModel)
        return true
    }
}

// MARK: - The pages of a carousel

extension ScreenPresenter {
    /// A function that receives the index of a page of the carousel; during the call it cannot use
    /// the presenter, which is being changed.
    public typealias PageHandler = @Sendable (Int) -> Void

    /// The index of the current page of the carousel.
    public var currentPage: Int { pageEvents.current }

    /// Sets the function that is called when a page is about to become the current one.
    public mutating func onPageWillAppear(_ handler: @escaping PageHandler) {
        pageHandlers.willAppear = handler
    }

    /// Sets the function that is called when a page is the current one, and at rest.
    public mutating func onPageDidAppear(_ handler: @escaping PageHandler) {
        pageHandlers.didAppear = handler
    }

    /// Sets the function that is called when a page may be left.
    public mutating func onPageWillDisappear(_ handler: @escaping PageHandler) {
        pageHandlers.willDisappear = handler
    }

    /// Sets the function that is called when a page is no longer the current one.
    public mutating func onPageDidDisappear(_ handler: @escaping PageHandler) {
        pageHandlers.didDisappear = handler
    }

    /// Records that a drag of the carousel begins (rule P11).
    public func pageDragBegan() { pageHandlers.call(pageEvents.dragBegan()) }

    /// Records that scrolling shows the carousel's page at an index (rule P11).
    public mutating func pageScrolled(to index: Int) {
        pageHandlers.call(pageEvents.scrolled(to: index))
    }

    /// Records that the carousel comes to rest (rule P11).
    public func pageCameToRest() { pageHandlers.call(pageEvents.cameToRest()) }
}
