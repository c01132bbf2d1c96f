import BroadsheetIO

extension Connection: PeerObservable {
    /// Calls `body` when the peer ends its stream, or at once if it has, while the handler runs.
    func whenPeerEnds(_ body: @escaping @Sendable () -> Void) {
        loop.submit { [self] in
            guard activity == .responding else { return }
            if hasPeerEnded { body() } else { peerEndHandler = body }
        }
    }
}
