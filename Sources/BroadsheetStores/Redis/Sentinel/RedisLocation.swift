import BroadsheetIO

/// The location of the server of a store: that of its URL, or the one that Sentinels name.
///
/// All connections of a store share it. Used on the thread of its loop only, except for the
/// properties.
final class RedisLocation: @unchecked Sendable {
    // Unchecked: confined to `loop`, which every entry point asserts; the properties are constants.

    private struct WeakLink {
        weak var link: RedisLink?
    }

    let endpoint: RedisEndpoint
    let loop: EventLoop
    private let onSilence: @Sendable (String) -> Void
    private var links: [WeakLink] = []
    /// The Sentinels while there are links; `nil` for a server that the URL names.
    private lazy var watch = endpoint.sentinels.map { sentinels in
        SentinelWatch(
            endpoint, sentinels, on: loop, onMove: { [weak self] in self?.moved(to: $0) },
            onSilence: { [onSilence] in onSilence($0) })
    }

    /// `onSilence` receives the reason why no Sentinel replies while the primary is connected.
    init(
        _ endpoint: RedisEndpoint, on loop: EventLoop,
        onSilence: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.endpoint = endpoint
        self.loop = loop
        self.onSilence = onSilence
    }

    /// A Boolean value that indicates whether Sentinels name the server.
    var isNamed: Bool { endpoint.sentinels != nil }

    /// The number of the Sentinels; 1 for a server that the URL names.
    var sourceCount: Int { endpoint.sentinels?.nodes.count ?? 1 }

    /// Adds a link, which learns of a server that is named in place of its own.
    func add(_ link: RedisLink) {
        assert(loop.isCurrent)
        links.append(WeakLink(link: link))
    }

    /// Removes a link; the last one ends the questions to Sentinels.
    func remove(_ link: RedisLink) {
        assert(loop.isCurrent)
        links.removeAll { $0.link == nil || $0.link === link }
        if links.isEmpty, isNamed { watch?.close() }
    }

    func locate(_ located: @escaping SentinelWatch.Located) {
        assert(loop.isCurrent)
        guard let watch else { return located(.success(RedisNode(endpoint))) }
        watch.locate(located)
    }

    /// Records that the server is connected and is not a replica.
    func confirm(_ node: RedisNode) { watch?.confirm(node) }

    func reject(_ node: RedisNode) { watch?.reject(node) }

    private func moved(to node: RedisNode) {
        for link in links { link.link?.primaryMoved(to: node) }
    }
}
