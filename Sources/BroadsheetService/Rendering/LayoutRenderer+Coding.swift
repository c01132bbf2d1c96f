import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

extension LayoutRenderer {
    /// Returns the response to GET with JSON in the coding that the client prefers, or 304 if the
    /// client has it in that coding.
    ///
    /// - Parameter owner: The owner of its memory, if it has one.
    func json(
        _ bytes: [UInt8], of owner: (any AnyObject & Sendable)? = nil, tag: EntityTag,
        _ preconditions: Preconditions, _ work: Work
    ) async throws(Problem) -> HTTPResponse {
        let selected = try await selected(
            nil, preconditions.coding, work.withOwnMemory()
        ) { .bytes(bytes) }
        let tag = selected.tag(tag)
        if preconditions.isKnown(tag) { return .notModified(tag) }
        var response = HTTPResponse.json([], tag: tag).with(selected)
        if !selected.isCompressed { response.owner = owner }
        return response
    }

    /// Returns a content in the coding that the client prefers: from the layout cache, or
    /// compressed on a worker thread.
    ///
    /// - Parameter key: The key of the compressed content; `nil` for one that the cache does not
    ///   keep.
    func selected(
        _ key: LayoutKey?, _ preference: CodingPreference, _ work: Work,
        plain: () async throws(Problem) -> LayoutContent
    ) async throws(Problem) -> SelectedContent {
        let known = preference == .identity ? nil : key.flatMap(cache.cachedCompression(for:))
        if case .bytes(let bytes)? = known { return SelectedContent(compressed: bytes) }
        let plain = try await plain()
        guard preference != .identity, plain.byteCount >= Compression.minBytes,
            known == nil || preference == .gzipOnly
        else { return SelectedContent(plain: plain, work.memory) }
        let compressed = try await Compression.compress(
            plain, for: preference, work)
        if let key { cache.insert(compressed, for: key, work.memory) }
        guard case .bytes(let bytes) = compressed else {
            return SelectedContent(plain: plain, work.memory)
        }
        return SelectedContent(compressed: bytes)
    }
}
