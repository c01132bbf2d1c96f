import Broadsheet

extension OpenAPISchemas {
    /// The schemas of conditions, and of the versions that can draw a cell type.
    static var clients: [(String, OpenAPINode)] {
        [
            (
                "Condition",
                nullable(
                    "The clients that a part of a page is for; all members have to hold.",
                    [
                        "client": .schema("ClientVersions"), "flags": .schema("Flags"),
                        "without": .schema("Flags"),
                        "width": comparisons(of: #"[0-9]{1,15}(\.[0-9]{1,15})?"#),
                    ]
                ).merging(["additionalProperties": false])
            ),
            ("ClientVersions", orNull(table(of: "VersionComparisons"))),
            ("VersionComparisons", orNull(comparisons(of: version))),
            (
                "Flags",
                orNull([
                    "type": "array", "maxItems": .integer(ClientFlags.maxCount),
                    "items": string.merging(["pattern": "^[A-Za-z0-9._-]{1,64}$"]),
                ])
            ),
            ("FirstVersions", orNull(table(of: "FirstVersion"))),
            (
                "FirstVersion",
                orNull(string.merging(["pattern": .string("^\(version)$")]))
            ),
        ]
    }

    /// The schema of the versions of platforms that refuses names that no platform can have.
    ///
    /// It is not in the OpenAPI document, because generators of clients do not know its keywords.
    static var platformVersions: OpenAPINode {
        orNull([
            "type": "object", "maxProperties": .integer(ConditionLimits.maxPlatforms),
            "patternProperties": ["^[a-z0-9-]{1,32}$": .schema("VersionComparisons")],
            "additionalProperties": ["type": "null"],
        ])
    }

    private static let version = #"[0-9]{1,15}(\.[0-9]{1,15}){0,3}"#

    private static func comparisons(of number: String) -> OpenAPINode {
        let one = "(>=|>|<=|<|=)\(number)"
        return string.merging(["pattern": .string("^\(one)( +\(one)){0,15}$")])
    }
}
