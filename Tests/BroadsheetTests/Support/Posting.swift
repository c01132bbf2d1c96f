import Broadsheet
import Testing

/// The page that a JSON text is.
func posted(
    _ json: String, names: ContractNames = ContractNames(), limits: ScreenLimits = ScreenLimits()
) throws -> ServerStatePage {
    try ServerStatePage(JSONDocument(Array(json.utf8)), names: names, limits: limits)
}

/// What is wrong with a JSON text as a page; nil when it is one.
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

/// Where a JSON text breaks the contract.
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
