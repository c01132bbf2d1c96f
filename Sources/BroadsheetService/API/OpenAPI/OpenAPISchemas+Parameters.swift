import Broadsheet
import BroadsheetHTTP

extension OpenAPISchemas {
    /// The schemas of parameters, and of viewports.
    static var parameters: [(String, OpenAPINode)] {
        [
            ("LayoutDirection", choice(LayoutDirection.self)),
            (
                "Coordinates",
                choice((TreeOptions.Coordinates.allCases + [.window]).map(\.rawValue))
            ),
            ("WindowEdge", choice(WindowQuery.Edge.self)),
            ("Fields", choice(TreeOptions.Fields.self)),
            ("Rounding", choice(Rounding.self)),
            ("PageSelection", choice(["all"])),
            ("ClientFileName", choice(ClientFileNames.all)),
            ("InspectorFileName", choice(InspectorFileNames.all)),
            ("InspectorSamples", array(of: "InspectorSample")),
            (
                "InspectorSample",
                object(
                    "A page of the inspector's playground, and its catalog or null.",
                    required: ["name", "page", "catalog"],
                    ["name": string, "page": [:], "catalog": [:]])
            ),
            ("Rectangle", rectangle),
            ("EntityTags", entityTags),
            ("RequestId", requestID),
            (
                "SentRequestId",
                [
                    "description": "An id that the daemon keeps, or any text, which it replaces.",
                    "anyOf": [.schema("RequestId"), string],
                ]
            ),
            (
                "Viewport",
                nullable(
                    "The viewport; the query takes precedence over it.",
                    .object(
                        LayoutParameter.all.compactMap { parameter in
                            parameter.viewportMember.map { (parameter.name, $0.schema) }
                        }))
            ),
            ("ViewportDirection", optionalChoice(LayoutDirection.self)),
            ("SafeArea", safeArea),
            (
                "ViewportSafeArea",
                alternatives(
                    "Points at all sides, or at each side.",
                    [orNull(safeAreaSide), .schema("SafeAreaSides")])
            ),
            (
                "SafeAreaSides",
                posted(
                    "Points at each side; omitted sides are 0.",
                    [
                        "top": safeAreaSide, "left": safeAreaSide, "bottom": safeAreaSide,
                        "right": safeAreaSide,
                    ])
            ),
        ]
    }

    /// The schema of a viewport's length.
    static var length: OpenAPINode {
        [
            "type": "number", "exclusiveMinimum": 0,
            "maximum": .number(LayoutParameter.maxLength),
        ]
    }

    /// Returns the schema of a number in a range.
    static func number(in range: ClosedRange<Double>) -> OpenAPINode {
        [
            "type": "number", "minimum": .number(range.lowerBound),
            "maximum": .number(range.upperBound),
        ]
    }

    /// The schema of an app's platform and version.
    static var client: OpenAPINode {
        string.merging([
            "pattern": #"^[a-z0-9-]{1,32}/[0-9]{1,15}(\.[0-9]{1,15}){0,3}$"#
        ])
    }

    /// The schema of flags; a string, as that of a rectangle.
    static var flags: OpenAPINode {
        let flag = "[A-Za-z0-9._-]{1,64}"
        return string.merging(["pattern": .string("^(\(flag)(,\(flag))*)?$")])
    }

    /// The schema of a side of a safe area.
    static var safeAreaSide: OpenAPINode { number(in: LayoutParameters.safeAreaSides) }

    private static var safeArea: OpenAPINode {
        let side = #"((0|[1-9][0-9]{0,4})(\.[0-9]+)?|100000)"#
        return string.merging([
            "description": "top,left,bottom,right: four numbers from 0 to 100000.",
            "pattern": .string("^\(side)(,\(side)){3}$"),
        ])
    }

    /// A string, because not every generator can separate the elements of an array by commas.
    private static var rectangle: OpenAPINode {
        let number = #"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"#
        return string.merging([
            "description": "x,y,width,height: four numbers from -1e9 to 1e9.",
            "pattern": .string("^\(number)(,\(number)){3}$"),
        ])
    }

    /// `*` or a list of entity tags (RFC 9110 §8.8.3, §13.1.1), whose elements may be empty
    /// (§5.6.1.2).
    private static var entityTags: OpenAPINode {
        let tag = #"(W/)?"[!#-~\u0080-\u00ff]*""#
        return string.merging([
            "description": "*, or entity tags in quotes, separated by commas.",
            "pattern": .string(#"^(\*|[\t ,]*\#(tag)([\t ]*,[\t ,]*\#(tag))*[\t ,]*)$"#),
        ])
    }

    private static var requestID: OpenAPINode {
        string.merging([
            "minLength": 1, "maxLength": .integer(RequestID.maxLength),
            "pattern": "^[A-Za-z0-9._~+/=:-]+$",
        ])
    }
}
