import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

/// A content in the coding that was selected for the client (RFC 9110 §8.4).
struct SelectedContent: Sendable {
    /// The bytes, or the tree that is written while it is sent.
    let content: LayoutContent
    /// A Boolean value that indicates whether the content is compressed with gzip.
    let isCompressed: Bool

    /// Creates a plain content.
    ///
    /// - Parameter memory: The reservation for the content, from which a large tree takes what it
    ///   needs while it is sent.
    init(plain content: LayoutContent, _ memory: MemoryReservation) {
        content.takeMemory(from: memory)
        self.content = content
        isCompressed = false
    }

    /// Creates a plain content whose bytes are all in memory.
    init(plain bytes: [UInt8]) {
        content = .bytes(bytes)
        isCompressed = false
    }

    /// Creates a compressed content.
    init(compressed bytes: [UInt8]) {
        content = .bytes(bytes)
        isCompressed = true
    }

    /// Selects the coding of a constant content that a client prefers.
    init(
        _ constant: ConstantContent, for preference: CodingPreference, _ work: Work,
        _ memory: MemoryBudget
    ) async throws(Problem) {
        let (bytes, isCompressed) = try await constant.selected(for: preference, work, memory)
        content = .bytes(bytes)
        self.isCompressed = isCompressed
    }

    /// Returns the tag of the content, given that of the plain representation.
    func tag(_ plain: EntityTag) -> EntityTag { isCompressed ? plain.compressed : plain }
}

extension HTTPResponse {
    /// Returns this response with a content in its coding; the bytes have no owner.
    func with(_ selected: SelectedContent) -> HTTPResponse {
        var response = self
        switch selected.content {
        case .bytes(let bytes): (response.body, response.source) = (bytes, nil)
        case .source(let source): (response.body, response.source) = ([], source)
        }
        response.owner = response.source
        if selected.isCompressed { response.headers.append(.contentEncoding, "gzip") }
        return response
    }
}

extension LayoutRenderer {
    /// Returns the response to GET with JSON in the coding that the client prefers, or 304 if the
    /// client has it in that coding.
    ///
    /// - Parameters:
    ///   - bytes: The plain content.
    ///   - owner: The owner of its memory, if it has one.
    ///   - tag: Its tag.
    ///   - preconditions: The preconditions of the request.
    ///   - work: The access to the worker threads.
    func json(
        _ bytes: [UInt8], of owner: (any AnyObject & Sendable)? = nil, tag: EntityTag,
        _ preconditions: Preconditions, _ work: Work
    ) async throws(Problem) -> HTTPResponse {
        let selected = try await selected(
            nil, preconditions.coding, work, MemoryReservation(in: memory, for: .work)
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
    /// - Parameters:
    ///   - key: The key of the compressed content; `nil` for one that the cache does not keep.
    ///   - preference: The preference of the client.
    ///   - work: The access to the worker threads.
    ///   - memory: The reservation for the work of the request.
    ///   - plain: Returns the plain content.
    func selected(
        _ key: LayoutKey?, _ preference: CodingPreference, _ work: Work,
        _ memory: MemoryReservation, plain: () async throws(Problem) -> LayoutContent
    ) async throws(Problem) -> SelectedContent {
        let known = preference == .identity ? nil : key.flatMap(cache.cachedCompression(for:))
        if case .bytes(let bytes)? = known { return SelectedContent(compressed: bytes) }
        let plain = try await plain()
        guard preference != .identity, plain.byteCount >= Compression.minBytes,
            known == nil || preference == .gzipOnly
        else { return SelectedContent(plain: plain, memory) }
        let compressed = try await Compression.compress(
            plain.uncompressed, for: preference, work, memory)
        if let key { cache.insert(compressed, for: key, memory) }
        guard case .bytes(let bytes) = compressed else {
            return SelectedContent(plain: plain, memory)
        }
        return SelectedContent(compressed: bytes)
    }
}

extension Call {
    /// Returns the response to GET with JSON without a tag, in the coding that the client prefers.
    func json(
        _ content: ConstantContent, as mediaType: String = "application/json",
        in memory: MemoryBudget
    ) async throws(Problem) -> HTTPResponse {
        let selected = try await SelectedContent(
            content, for: CodingPreference(in: request.headers), work, memory)
        return HTTPResponse(status: .ok, headers: [.contentType: mediaType], body: [])
            .with(selected)
    }
}
