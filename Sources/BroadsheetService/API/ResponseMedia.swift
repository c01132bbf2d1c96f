import BroadsheetHTTP

/// The media types of a picture.
///
/// `text/xml` is for programs without support for images: generated clients have text, JSON and
/// bytes only.
enum PictureMedia: String, Sendable, Hashable, CaseIterable {
    case svg = "image/svg+xml"
    /// The same document as plain XML.
    case xml = "text/xml"

    /// The rules for a browser that opens a picture as a document: it loads nothing, runs no
    /// script, has no origin, and only its own styles apply.
    ///
    /// This is a second barrier, because the writer escapes all posted texts.
    static let securityPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"

    /// Chooses the type that a request prefers; an image if it prefers neither.
    init(acceptedBy headers: HTTPHeaders) {
        let accepted = AcceptedMedia(in: headers)
        func quality(_ media: Self) -> Int {
            MediaType(media.rawValue).map(accepted.quality) ?? 0
        }
        self = quality(.xml) > quality(.svg) ? .xml : .svg
    }
}

/// The media type of a stream of events.
enum EventStreamMedia {
    /// The type (WHATWG HTML, "Server-sent events").
    static let type = "text/event-stream"
}
