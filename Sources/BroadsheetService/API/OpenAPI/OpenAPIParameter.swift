import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// A parameter of the API, as a component of the OpenAPI document.
struct OpenAPIParameter: Sendable {
    /// The location of a parameter in a request.
    enum Location: String {
        case path, query, header
    }

    let component: String
    let name: String
    let location: Location
    let node: OpenAPINode

    /// `name` is by default that of the component; arrays have a parameter for each element.
    init(
        _ component: String, in location: Location, _ description: String,
        _ schema: OpenAPINode = OpenAPISchemas.string, name: String? = nil,
        isRequired: Bool = false
    ) {
        self.component = component
        self.name = name ?? component
        self.location = location
        node = [
            "name": .string(self.name), "in": .string(location.rawValue),
            "required": .bool(isRequired || location == .path), "description": .string(description),
            "schema": schema,
        ]
    }

    var reference: OpenAPINode { ["$ref": .string("#/components/parameters/\(component)")] }

    static var components: [(String, OpenAPINode)] { all.map { ($0.component, $0.node) } }

    /// All parameters, in the order of the document.
    static var all: [Self] {
        let query: [Self] = [
            .pages, .pageToken, .rect, .explain, .since, .changesPage, .streamChanges,
            .streamSince, .streamPage, .listPageToken, .pageSize, .prefix,
            .sectionId, .writes, .validateOnly, .strict, .types, .fontChecksum, .revision,
            .revisionsPageSize, .revisionsPageToken,
        ]
        let header: [Self] = [
            .ifMatch, .ifNoneMatch, .accept, .acceptPicture, .lifetime, .requestID,
            .lastEventID,
        ]
        return path + .layout + .window + query + header
    }
}

extension [OpenAPIParameter] {
    /// The parameters of every layout (docs/api.md).
    static let layout = LayoutParameter.all.map(\.openAPI) + catalog
    static let window: Self = [
        .windowItem, .windowSection, .windowEdge, .windowBefore, .windowAfter,
    ]
    static let catalog = [CatalogParameter.openAPI]
    static let conditions: Self = [.ifMatch, .ifNoneMatch]
}

/// The parameters of paths.
extension OpenAPIParameter {
    /// The parameters of paths, by the names that occur in braces in a path.
    static let path = [
        OpenAPIParameter(
            "screen", in: .path, "The screen's name; not \".\" or \"..\".", .schema("ScreenName")),
        OpenAPIParameter("page", in: .path, "The page's number.", .schema("PageNumber")),
        OpenAPIParameter("font", in: .path, "The font's name.", OpenAPISchemas.string),
        OpenAPIParameter(
            "file", in: .path, "The index of the file in the font.", OpenAPISchemas.count),
        OpenAPIParameter("clientFile", in: .path, "The file's name.", .schema("ClientFileName")),
        OpenAPIParameter(
            "inspectorFile", in: .path, "The file's name.", .schema("InspectorFileName")),
    ]
}

/// The parameters of queries.
extension OpenAPIParameter {
    static let pages = OpenAPIParameter(
        "pages", in: .query, "All stored pages in one tree. Not together with a page token.",
        .schema("PageSelection"))
    static let pageToken = OpenAPIParameter(
        "pageToken", in: .query,
        "The nextPageToken of an earlier response; it replaces every other parameter but "
            + LayoutParameter.all.filter { !$0.isBound }.map(\.name).joined(separator: ", ")
            + ", rect and explain.")
    static let types = OpenAPIParameter(
        "types", in: .query,
        "true adds types: the names of all cell types and kinds of decorations, unless code has "
            + "more.",
        OpenAPISchemas.bool)
    static let fontChecksum = OpenAPIParameter(
        "v", in: .query, "The checksum of the file, as /v1/catalog/cells has it.",
        OpenAPISchemas.string)
    static let rect = OpenAPIParameter(
        "rect", in: .query,
        "x,y,width,height in content coordinates: limits the response to the elements that "
            + "overlap it, without diagnostics.",
        .schema("Rectangle"))
    static let windowItem = OpenAPIParameter(
        "item", in: .query,
        "A window around the first item of this id: the part of the tree of all pages from before "
            + "ahead of its start to after behind its end.", anchorId)
    static let windowSection = OpenAPIParameter(
        "section", in: .query,
        "With item: the id of the section that is searched first. Alone: a window around the first "
            + "item of this section.", anchorId)
    static let windowEdge = OpenAPIParameter(
        "edge", in: .query,
        "A window around the first or the last item of the tree. Not together with item or "
            + "section.", .schema("WindowEdge"))
    static let windowBefore = OpenAPIParameter(
        "before", in: .query,
        "The length of a window before its anchor, in points; by default that of two viewports.",
        windowLength)
    static let windowAfter = OpenAPIParameter(
        "after", in: .query,
        "The length of a window after its anchor, in points; by default that of two viewports.",
        windowLength)

    private static let anchorId = OpenAPISchemas.string.merging([
        "maxLength": .integer(ItemIdentity.maxByteCount)
    ])
    private static let windowLength: OpenAPINode = [
        "type": "number", "minimum": 0, "maximum": .number(WindowQuery.maxLength),
    ]
    static let explain = OpenAPIParameter(
        "explain", in: .query,
        "Adds the member from to sections, items, headers and footers: the places in the posted "
            + "pages and in the catalog that made them.",
        OpenAPISchemas.bool)
    static let since = OpenAPIParameter(
        "since", in: .query,
        "The revision of the tree that the client has, or its revision, a dot and its entity tag "
            + "without quotes.",
        OpenAPISchemas.string.merging(["pattern": #"^(0|[1-9][0-9]*)(\..+)?$"#]),
        isRequired: true)
    static let changesPage = OpenAPIParameter(
        "changesPage", in: .query, "The highest page of the tree that the client has.",
        .schema("PageNumber"), name: "page")
    static let streamChanges = OpenAPIParameter(
        "streamChanges", in: .query,
        "A tree and then its changes, by the other parameters; otherwise revisions, for which they "
            + "have no effect.",
        OpenAPISchemas.bool, name: "changes")
    static let streamSince = OpenAPIParameter(
        "streamSince", in: .query,
        "The tree that the client has, as for changes; Last-Event-ID takes precedence. Of one that "
            + "is not known, the whole tree is sent.",
        name: "since")
    static let streamPage = OpenAPIParameter(
        "streamPage", in: .query,
        "The highest page of the tree. Not together with pages.", .schema("PageNumber"),
        name: "page")
    static let listPageToken = OpenAPIParameter(
        "listPageToken", in: .query, "The nextPageToken of an earlier response.",
        name: "pageToken")
    static let pageSize = OpenAPIParameter(
        "pageSize", in: .query, "The number of screens in a response.",
        [
            "type": "integer", "minimum": 1,
            "maximum": .integer(ParameterLimits().maxPageSize),
            "default": .integer(ParameterLimits().defaultPageSize),
        ])
    static let prefix = OpenAPIParameter(
        "prefix", in: .query,
        "Limits the list to screens whose names begin with it. A page token contains it.",
        [
            "type": "string", "maxLength": .integer(ScreenName.maxLength),
            "pattern": "^[A-Za-z0-9._~-]*$",
        ])
    static let writes = OpenAPIParameter(
        "writes", in: .query, "Whether 503 is returned also while writes cannot succeed.",
        ["type": "boolean", "default": false])
    static let validateOnly = OpenAPIParameter(
        "validateOnly", in: .query,
        "Whether the write does everything but store. The response is that of the write, with the "
            + "revision as it is.",
        ["type": "boolean", "default": false])
    static let strict = OpenAPIParameter(
        "strict", in: .query,
        "Whether unknown unit types, data that does not keep its schema, missing data and units "
            + "that make nothing are errors; by default as the daemon was started (--strict). "
            + "With false an update or a patch may break a unit that was not broken, too.",
        ["type": "boolean"])
    static let revision = OpenAPIParameter(
        "revision", in: .query,
        "The revision of the screen, as it was then; it requires the right to write as well. A page "
            + "token of such a response has it.",
        ["type": "integer", "minimum": 1, "maximum": 999_999_999_999_999])
    static let revisionsPageSize = OpenAPIParameter(
        "revisionsPageSize", in: .query, "The number of revisions in a response.",
        [
            "type": "integer", "minimum": 1,
            "maximum": .integer(ParameterLimits().maxPageSize),
            "default": .integer(ParameterLimits().defaultPageSize),
        ], name: "pageSize")
    static let revisionsPageToken = OpenAPIParameter(
        "revisionsPageToken", in: .query, "The nextPageToken of an earlier response.",
        name: "pageToken")
    static let sectionId = OpenAPIParameter(
        "sectionId", in: .query,
        "Limits the pages to those that have a section with this id, highest first.")
}

/// The parameters in headers.
///
/// `Prefer` is not among them: the response that it requests has no body and the same status, so
/// that clients generated from the document cannot read it.
extension OpenAPIParameter {
    static let ifMatch = OpenAPIParameter(
        "ifMatch", in: .header,
        "Entity tags of the screen's revision, such as \"r3\", of its page state, or of the page "
            + "that is written; or *, which holds if the screen exists. On reads: of the "
            + "representation itself.",
        .schema("EntityTags"), name: "If-Match")
    static let ifNoneMatch = OpenAPIParameter(
        "ifNoneMatch", in: .header,
        "On reads: entity tags that the client has; 304 if one is current. On writes: * allows "
            + "creating a page but not replacing it.",
        .schema("EntityTags"), name: "If-None-Match")
    static let accept = OpenAPIParameter(
        "accept", in: .header,
        "image/svg+xml, if preferred to application/json, requests a picture instead of the tree "
            + "of one viewport.",
        name: "Accept")
    static let acceptPicture = OpenAPIParameter(
        "acceptPicture", in: .header,
        "text/xml, if preferred to image/svg+xml, requests the picture as plain XML.",
        name: "Accept")
    static let lastEventID = OpenAPIParameter(
        "lastEventID", in: .header,
        "The id of the last event that the client has, in place of since; browsers send it when "
            + "they connect again.",
        name: "Last-Event-ID")
    static let lifetime = OpenAPIParameter(
        "lifetime", in: .header,
        "The screen's lifetime from this write on, in seconds, up to ten years, or none for an "
            + "unlimited one. Without the header: as --screen-ttl specifies, otherwise unchanged.",
        ["type": "string", "pattern": "^(none|[1-9][0-9]{0,8})$"],
        name: HTTPFieldName.screenLifetime.spelling)
    static let requestID = OpenAPIParameter(
        "requestId", in: .header,
        "The id of the request for the response and the log, in the form of RequestId. A value in "
            + "another form is allowed, and replaced.",
        .schema("SentRequestId"), name: "X-Request-Id")
}
