import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

extension Operation {
    static let getCatalogCells = Operation(
        id: "getCatalogCells", method: .get, path: "/v1/catalog/cells", tag: .daemon,
        summary: "Returns the contents of cell types and their fonts, to draw parts by.",
        access: .daemon(.read),
        permitsReaders: true,
        parameters: [.types] + .catalog + .conditions,
        responses: [
            .json(
                "CatalogCells", "The contents and the fonts.", headers: ["ETag", "Cache-Control"]),
            .notModified(headers: ["Cache-Control"]),
        ],
        problems: [.invalidParameter] + .condition,
        handler: CellsEndpoint.get)

    static let getFont = Operation(
        id: "getFont", method: .get, path: "/v1/fonts/{font}/{file}", tag: .daemon,
        summary: "Returns a file of a font that contents use, if the daemon serves fonts.",
        access: .daemon(.read),
        permitsReaders: true,
        parameters: [.fontChecksum] + .catalog,
        responses: [
            OpenAPIResponse(
                .ok, "The file.", headers: ["ETag", "Cache-Control"],
                content: (TextFontFile.Format.allCases.map(\.mediaType) + [CellsEndpoint.bytes])
                    .map { ($0, ["type": "string", "format": "binary"]) })
        ],
        problems: [.invalidParameter, .notFound, .overloaded],
        handler: CellsEndpoint.font)
}

extension TextFontFile.Format {
    /// The media type of files (RFC 8081).
    fileprivate var mediaType: String { "font/\(rawValue)" }
}

extension TextFontFile {
    /// The checksum, as paths have it.
    fileprivate var version: String {
        let digits = String(checksum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The handlers of `/v1/catalog/cells` and `/v1/fonts/{font}/{file}`.
private enum CellsEndpoint {
    /// The media type of files for programs without support for fonts, such as generated clients.
    static let bytes = "application/octet-stream"

    static func get(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let preconditions = try Preconditions(call.request.headers)
        let servesFonts = service.configuration.servesFonts
        let listsTypes = try ParameterReader(call.query).truth(OpenAPIParameter.types.name) ?? false
        let catalog = call.catalog
        let cells = try await call.work.perform(cost: catalog.catalog.bytes.count) {
            catalog.cells(servesFonts, listsTypes: listsTypes) {
                content(of: catalog, servesFonts, listsTypes)
            }
        }
        var response: HTTPResponse
        if let tag = try preconditions.notModified(cells.tag) {
            response = .notModified(tag)
        } else {
            let selected = try await cells.content.selected(
                for: preconditions.coding, call.work)
            let tag = selected.tag(cells.tag)
            response =
                preconditions.isKnown(tag)
                ? .notModified(tag) : HTTPResponse.json([], tag: tag).with(selected)
        }
        response.headers.append(.cacheControl, "no-cache")
        return response
    }

    /// Returns the contents and the fonts of a catalog as JSON.
    ///
    /// A file of several fonts has one path, so that clients load it once.
    private static func content(
        of catalog: ActiveCatalog, _ servesFonts: Bool, _ listsTypes: Bool
    ) -> [UInt8] {
        let suffix = catalog.name.map { "&\(CatalogParameter.name)=\($0.text)" } ?? ""
        var paths: [String: String] = [:]
        return catalog.catalog.cells(listsTypes: listsTypes) { font, index, file in
            guard servesFonts, !file.isCollection else { return nil }
            let path = "/v1/fonts/\(font.inPath)/\(index)?v=\(file.version)\(suffix)"
            let first = paths[file.version, default: path]
            paths[file.version] = first
            return first
        }
    }

    /// Returns the bytes of a file, which never change under its checksum.
    static func font(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        guard service.configuration.servesFonts, let name = call.path["font"],
            let index = call.path["file"].flatMap(WholeNumber.init)?.value,
            let files = call.catalog.catalog.files(ofFont: name), files.indices ~= index,
            !files[index].isCollection,
            try ParameterReader(call.query).text(OpenAPIParameter.fontChecksum.name)
                == files[index].version
        else { throw .notFound(call.request.target.path) }
        let file = files[index]
        try await call.work.memory.need(file.byteCount)
        let accepted = AcceptedMedia(in: call.request.headers)
        let (media, plain) = (MediaType(file.format.mediaType), MediaType(bytes))
        let isPlain =
            plain.map(accepted.quality) ?? 0 > media.map(accepted.quality) ?? 0
        let selected = try await service.renderer.selected(
            nil, CodingPreference(in: call.request.headers), call.work
        ) { .bytes(file.bytes) }
        var response = HTTPResponse(
            status: .ok,
            headers: [
                .contentType: isPlain ? bytes : file.format.mediaType,
                .vary: HTTPFieldName.accept.spelling,
                .etag: selected.tag(EntityTag(file.version)).description,
                .cacheControl: "max-age=31536000, immutable",
            ], body: []
        ).with(selected)
        response.owner = call.work.memory
        return response
    }
}

extension String {
    /// The text as a segment of a path, with all but unreserved characters as bytes in percent
    /// notation (RFC 3986 §2.3).
    fileprivate var inPath: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
