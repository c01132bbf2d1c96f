import BroadsheetHTTP

extension Operation {
    static let getInspector = Operation(
        id: "getInspector", method: .get, path: "/inspector", tag: .daemon,
        summary: "Returns the inspector, a page for developers, if the daemon serves it.",
        access: .open,
        parameters: .conditions,
        acceptsAnyQuery: true,
        responses: [
            OpenAPIResponse(
                .ok, "The page.", headers: names(of: InspectorEndpoint.pageFields),
                content: [("text/html", OpenAPISchemas.string)]),
            .notModified(headers: names(of: InspectorEndpoint.pageFields, without: ["ETag"])),
        ],
        problems: [.invalidParameter, .preconditionFailed],
        handler: InspectorEndpoint.page)

    static let getInspectorFile = Operation(
        id: "getInspectorFile", method: .get, path: "/inspector/{inspectorFile}",
        // A page at this address would have other relative addresses.
        pathValues: InspectorFileNames.all + [""],
        tag: .daemon,
        summary: "Returns a file of the inspector.",
        access: .open,
        parameters: .conditions,
        acceptsAnyQuery: true,
        responses: [
            OpenAPIResponse(
                .ok, "The file.", headers: names(of: InspectorEndpoint.fields),
                content: [
                    ("text/javascript", OpenAPISchemas.string),
                    ("text/css", OpenAPISchemas.string),
                    ("image/svg+xml", OpenAPISchemas.string),
                    ("application/json", .schema("InspectorSamples")),
                ]),
            .notModified(headers: names(of: InspectorEndpoint.fields, without: ["ETag"])),
        ],
        problems: [.invalidParameter, .preconditionFailed],
        handler: InspectorEndpoint.file)

    private static func names(
        of fields: [(HTTPFieldName, String)], without others: Set<String> = []
    ) -> [String] {
        (["ETag"] + fields.map(\.0.spelling)).filter { !others.contains($0) }
    }

    /// A Boolean value that indicates whether the operation is one of the inspector, which not
    /// every daemon has.
    var isOfInspector: Bool { id == Self.getInspector.id || id == Self.getInspectorFile.id }
}

/// The handlers of `/inspector` and its files, which need no key: they have nothing that the public
/// sources do not have.
private enum InspectorEndpoint {
    /// The fields of each response besides its tag: no other site may use the files.
    static let fields: [(HTTPFieldName, String)] = [
        (.cacheControl, "no-cache"), (.crossOriginResourcePolicy, "same-origin"),
        (.referrerPolicy, "no-referrer"),
    ]

    /// The fields of the page: it runs its own modules only, and no text becomes markup.
    static let pageFields: [(HTTPFieldName, String)] =
        fields + [
            (.contentSecurityPolicy, policy), (.crossOriginOpenerPolicy, "same-origin"),
        ]

    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "font-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    static func page(_ call: Call, _ service: BroadsheetService) throws(Problem) -> HTTPResponse {
        try response(to: call, with: InspectorFileNames.page, pageFields)
    }

    static func file(_ call: Call, _ service: BroadsheetService) throws(Problem) -> HTTPResponse {
        let name = call.request.target.path.split(separator: "/").dropFirst().last ?? ""
        guard !name.isEmpty else {
            return HTTPResponse(
                status: .permanentRedirect, headers: [.location: "../inspector"])
        }
        return try response(to: call, with: String(name), fields)
    }

    private static func response(
        to call: Call, with name: String, _ fields: [(HTTPFieldName, String)]
    ) throws(Problem) -> HTTPResponse {
        guard let file = ClientFile.inspector(name) else {
            throw .notFound(call.request.target.path)
        }
        return try file.response(Preconditions(call.request.headers), fields: fields)
    }
}

extension HTTPHeaders {
    var areForwarded: Bool {
        [HTTPFieldName.forwarded, .forwardedFor, .forwardedHost, .via].contains { contains($0) }
    }
}
