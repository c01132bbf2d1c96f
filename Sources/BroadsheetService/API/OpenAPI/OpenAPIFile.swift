import Broadsheet
import BroadsheetStores
import BroadsheetWeb

/// The part of the OpenAPI document that is written as JSON: `Sources/BroadsheetWeb/openapi.json`.
///
/// A string in it that begins with `$` stands for the value of a declaration.
enum OpenAPIFile {
    /// Returns the members of an object of the file.
    ///
    /// The file is a constant of the program, and tests read all of it; there is no other error.
    static func members(of name: String) -> [(String, OpenAPINode)] {
        let root = (try? JSONDocument(broadsheet_web_openapi().content))?.root
        return root?[name]?.members.map { ($0.name.string, node(of: $0.value)) } ?? []
    }

    private static func node(of value: JSONValue) -> OpenAPINode {
        switch value.kind {
        case .object: .object(value.members.map { ($0.name.string, node(of: $0.value)) })
        case .array: .array(value.elements.map(node))
        case .string: node(of: value.string ?? "")
        case .number: value.int.map(OpenAPINode.integer) ?? .number(value.double ?? 0)
        case .bool: .bool(value.bool ?? false)
        case .null: .null
        }
    }

    private static func node(of text: String) -> OpenAPINode {
        guard text.hasPrefix("$") else { return .string(text) }
        return declarations[String(text.dropFirst())] ?? .string(text)
    }

    /// The values of the declarations that the file names.
    private static let declarations: [String: OpenAPINode] = [
        "CatalogLimits.contentWeights.lowerBound": .number(CatalogLimits.contentWeights.lowerBound),
        "CatalogLimits.contentWeights.upperBound": .number(CatalogLimits.contentWeights.upperBound),
        "ContentLabel.maxConstantBytes": .integer(ContentLabel.maxConstantBytes),
        "ContentLabel.maxParts": .integer(ContentLabel.maxParts),
        "CatalogLimits.maxCases": .integer(CatalogLimits().maxCases),
        "CatalogLimits.maxContentPointers": .integer(CatalogLimits().maxContentPointers),
        "CatalogLimits.maxFontAxes": .integer(CatalogLimits().maxFontAxes),
        "CatalogLimits.maxFontFeatures": .integer(CatalogLimits().maxFontFeatures),
        "CatalogLimits.maxFontFiles": .integer(CatalogLimits().maxFontFiles),
        "CatalogLimits.maxFontIndex": .integer(CatalogLimits.maxFontIndex),
        "CatalogLimits.maxFontLength": .number(CatalogLimits.maxFontLength),
        "CatalogLimits.maxInputs": .integer(CatalogLimits().maxInputs),
        "CellCapability": .string(
            "The gestures that clients offer, of "
                + CellCapability.allCases.map(\.rawValue).joined(separator: ", ") + "."),
        "ClientEvent.maxEvents": .integer(ClientEvent.maxEvents),
        "ClientEvent.maxTime": .number(ClientEvent.maxTime),
        "ClientFlags.maxCount": .integer(ClientFlags.maxCount),
        "ContractError.maxViolations": .integer(ContractError.maxViolations),
        "EditLimits.maxPatchOperations": .integer(EditLimits.maxPatchOperations),
        "EditLimits.maxUpdateOperations": .integer(EditLimits.maxUpdateOperations),
        "EventDiagnostics.maxListed": .integer(EventDiagnostics.maxListed),
        "LayoutParameter.maxLength": .number(LayoutParameter.maxLength),
        "LayoutParameters.safeAreaSides.upperBound": .number(
            LayoutParameters.safeAreaSides.upperBound),
        "LayoutParameters.scales.lowerBound": .number(LayoutParameters.scales.lowerBound),
        "LayoutParameters.scales.upperBound": .number(LayoutParameters.scales.upperBound),
        "LayoutParameters.textScales.lowerBound": .number(LayoutParameters.textScales.lowerBound),
        "LayoutParameters.textScales.upperBound": .number(LayoutParameters.textScales.upperBound),
        "ParameterLimits.maxViewports": .integer(ParameterLimits.maxViewports),
        "RequestID.maxLength": .integer(RequestID.maxLength),
        "RevisionEntry.maxPages": .integer(RevisionEntry.maxPages),
        "ScreenName.maxLength": .integer(ScreenName.maxLength),
        "SectionLayout.maxDecorations": .integer(SectionLayout.maxDecorations),
        "ServerStatePage.maxNumber": .integer(ServerStatePage.maxNumber),
    ]
}
