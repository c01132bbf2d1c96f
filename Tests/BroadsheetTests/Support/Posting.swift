import Broadsheet
import Testing

/// Reads a page from a JSON text.
func posted(
    _ json: String, names: ContractNames = ContractNames(), limits: ScreenLimits = ScreenLimits()
) throws -> ServerStatePage {
    try ServerStatePage(JSONDocument(Array(json.utf8)), names: names, limits: limits)
}

/// Returns the error of reading a page from a JSON text, or `nil`.
func contractError(
    _ json: String, names: ContractNames = ContractNames(), limits: ScreenLimits = ScreenLimits()
) throws -> ContractError? {
    let document = try JSONDocument(Array(json.utf8))
    do throws(ContractError) {
        _ = try ServerStatePage(document, names: names, limits: limits)
        return nil
    } catch {
        return error
    }
}

/// Returns the pointers of a JSON text's contract violations.
func violations(
    _ json: String, names: ContractNames = ContractNames(), limits: ScreenLimits = ScreenLimits()
) throws -> [String] {
    try contractError(json, names: names, limits: limits)?.violations.map(\.pointer) ?? []
}

/// One JSON value of each kind.
enum SampleValue: String, CaseIterable {
    case object = "{}"
    case array = "[]"
    case string = "\"x\""
    case number = "1.5"
    case bool = "true"
    case null = "null"
}
