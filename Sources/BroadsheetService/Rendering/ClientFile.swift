import BroadsheetHTTP
import BroadsheetWeb

/// A file of the web client (docs/web.md) or of the inspector (docs/inspector.md), in the forms in
/// which it is sent.
struct ClientFile: Sendable {
    /// The name, with its folder.
    let name: String
    /// The tag of the plain content.
    private let tag: EntityTag
    private let plain: SelectedContent
    /// The compressed content; `nil` if there was no memory for it.
    private let compressed: SelectedContent?

    /// All files, made once: ``BroadsheetService`` does so when it starts.
    static let all = (0..<broadsheet_web_count()).map { ClientFile(broadsheet_web_file($0)) }

    static func client(_ name: String) -> ClientFile? {
        ClientFileNames.all.contains(name) ? all.first { $0.name == name } : nil
    }

    static func inspector(_ name: String) -> ClientFile? {
        all.first { $0.name == InspectorFileNames.folder + name }
    }

    /// The fields of each response besides its tag: any page may import the files.
    static let fields: [(HTTPFieldName, String)] = [
        (.cacheControl, "no-cache"), (.accessControlAllowOrigin, "*"),
        (.crossOriginResourcePolicy, "cross-origin"),
    ]

    private init(_ file: BroadsheetWebFile) {
        name = String(cString: file.name)
        let bytes = file.content
        tag = EntityTag(String(SecretDigest(of: bytes).hexadecimal.prefix(32)))
        plain = SelectedContent(plain: bytes)
        let encoder = GzipEncoder(limit: bytes.count, level: GzipEncoder.highestLevel)
        let isComplete = encoder?.append(bytes.span) == true
        compressed = (isComplete ? encoder?.finish() : nil).map(SelectedContent.init(compressed:))
    }

    private var mediaType: String {
        let type = name.split(separator: ".").last.flatMap { Self.mediaTypes[String($0)] }
        return "\(type ?? "text/plain"); charset=utf-8"
    }

    /// The media types of files other than texts, by the ends of their names.
    private static let mediaTypes = [
        "js": "text/javascript", "html": "text/html", "css": "text/css", "svg": "image/svg+xml",
        "json": "application/json",
    ]

    /// Returns the response to GET, in the coding that the client prefers, or 304 if the client has
    /// the file in that coding.
    ///
    /// - Parameter fields: The fields of the response besides its tag.
    func response(
        _ preconditions: Preconditions, fields: [(HTTPFieldName, String)] = fields
    ) throws(Problem) -> HTTPResponse {
        var response = try content(preconditions)
        for (name, value) in fields { response.headers.append(name, value) }
        return response
    }

    private func content(_ preconditions: Preconditions) throws(Problem) -> HTTPResponse {
        if let known = try preconditions.notModified(tag) { return .notModified(known) }
        let selected = preconditions.coding == .identity ? plain : compressed ?? plain
        let tag = selected.tag(tag)
        if preconditions.isKnown(tag) { return .notModified(tag) }
        let headers: HTTPHeaders = [.contentType: mediaType, .etag: tag.description]
        return HTTPResponse(status: .ok, headers: headers, body: []).with(selected)
    }
}
