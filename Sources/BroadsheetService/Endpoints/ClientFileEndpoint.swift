import BroadsheetHTTP

extension Operation {
    static let getClientFile = Operation(
        id: "getClientFile", method: .get, path: "/{clientFile}", pathValues: ClientFileNames.all,
        tag: .daemon,
        summary: "Returns a file of the web client.",
        access: .open,
        parameters: .conditions,
        acceptsAnyQuery: true,
        responses: [
            OpenAPIResponse(
                .ok, "The file.", headers: ["ETag"] + ClientFile.fields.map(\.0.spelling),
                content: [
                    ("text/javascript", OpenAPISchemas.string),
                    ("text/plain", OpenAPISchemas.string),
                ]),
            .notModified(headers: ClientFile.fields.map(\.0.spelling)),
        ],
        problems: [.invalidParameter, .preconditionFailed],
        handler: { call, _ throws(Problem) in
            let path = call.request.target.path
            guard let file = ClientFile.client(String(path.dropFirst())) else {
                throw .notFound(path)
            }
            return try file.response(Preconditions(call.request.headers))
        })
}
