import Foundation

/// Pages and the catalog of transcripts, and of the tests beside them.
package enum TranscriptPages {
    /// The catalog of transcripts that name none: `Tests/Transcripts/shop.json`.
    package static let shop: String = {
        let url = Transcript.folder.appending(path: "shop.json")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }()

    /// Returns a page of one section whose rows have these ids.
    package static func list(
        _ ids: [String], section: String? = "List", page: Int? = nil, hasNext: Bool? = nil
    ) -> String {
        let rows = ids.map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
        let name = section.map { "\"\($0)\"" } ?? "null"
        let number = page.map { "\"page\":\($0)," } ?? ""
        let next = hasNext.map { "\"hasNext\":\($0)," } ?? ""
        return """
            {\(number)\(next)"sections":[{"sectionId":\(name),"units":[{"unitType":"LIST","unitData":[\(rows)]}]}]}
            """
    }

    /// Returns a page of one section whose rows have these ids, with a text each that makes changes
    /// short in proportion to the tree.
    package static func rows(_ ids: [Int], text: String = "a", hasNext: Bool = false) -> String {
        let filler = String(repeating: "text ", count: 30)
        let items = ids.map { #"{"id":\#($0),"t":"\#(text)","f":"\#(filler)"}"# }
        return """
            {"hasNext":\(hasNext),"sections":[{"sectionId":"S","units":
            [{"unitType":"LIST","unitData":[\(items.joined(separator: ","))]}]}]}
            """
    }
}
