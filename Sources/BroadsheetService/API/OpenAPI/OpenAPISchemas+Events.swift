import Broadsheet

extension OpenAPISchemas {
    /// The schemas of the events that clients report, and of journeys.
    static var events: [(String, OpenAPINode)] {
        [
            (
                "ClientReport",
                posted(
                    "Events in their order, all of which are taken, or none.",
                    required: ["events"],
                    [
                        "events": array(of: "ClientEvent").merging([
                            "minItems": 1, "maxItems": .integer(ClientEvent.maxEvents),
                        ])
                    ])
            ),
            ("ClientEvent", clientEvent),
            ("ClientEventType", choice(ClientEvent.Kind.self)),
            ("SectionView", choice(SectionView.self)),
            (
                "AcceptedEvents",
                object(
                    "The number of events, the revision of the screen after their actions, and the "
                        + "first diagnostics if there are any.",
                    required: ["accepted", "revision"],
                    [
                        "accepted": count, "revision": count,
                        "diagnostics": array(of: "EventDiagnostic").merging([
                            "minItems": 1, "maxItems": .integer(EventDiagnostics.maxListed),
                        ]),
                    ])
            ),
            (
                "EventDiagnostic",
                object(
                    "A part of an event that means nothing, with a JSON Pointer into the request.",
                    required: ["code", "pointer", "detail"],
                    [
                        "code": .schema("EventDiagnosticCode"), "pointer": string,
                        "detail": string,
                    ])
            ),
            ("EventDiagnosticCode", choice(Diagnostic.Code.ofEvents.map(\.rawValue))),
            (
                "Journey",
                object(
                    "The pages and items that clients have seen, in the order of the last reports.",
                    required: ["pages", "items"],
                    ["pages": array(of: "JourneyPage"), "items": array(of: "JourneyItem")])
            ),
            (
                "JourneyPage",
                object(
                    "A page; first and last are seconds since 1970.",
                    required: ["page", "count", "first", "last"],
                    [
                        "page": .schema("PageNumber"), "count": count, "first": number,
                        "last": number,
                    ])
            ),
            (
                "JourneyItem",
                object(
                    "An item; first and last are seconds since 1970.",
                    required: ["section", "item", "count", "first", "last"],
                    [
                        "section": .schema("ReportedName"), "item": .schema("ReportedName"),
                        "count": count, "first": number, "last": number,
                    ])
            ),
            (
                "ReportedName",
                alternatives("An id (a string), or an index (a number).", [string, count])
            ),
        ]
    }

    private static var clientEvent: OpenAPINode {
        posted(
            "An event; docs/api.md lists the members that each type requires.",
            required: ["type"],
            [
                "type": .schema("ClientEventType"),
                "section": .schema("UpdateTarget"), "item": .schema("UpdateTarget"),
                "view": .schema("SectionView"),
                "page": [
                    "type": "integer", "minimum": 0, "maximum": .integer(ServerStatePage.maxNumber),
                ],
                "name": string, "input": [:], "revision": count,
                "at": ["type": "number", "minimum": 0, "maximum": .number(ClientEvent.maxTime)],
            ])
    }

    /// The schema of a list of gestures.
    ///
    /// Their names are not an enumeration: `delete` is a reserved word of the languages of clients.
    static var gestures: OpenAPINode {
        let names = CellCapability.allCases.map(\.rawValue).joined(separator: ", ")
        return [
            "type": "array", "items": string,
            "description": .string("The gestures that clients offer, of \(names)."),
        ]
    }

    /// The schemas of the actions of cell types.
    static var actions: [(String, OpenAPINode)] {
        [
            ("CellActions", orNull(table(of: "CellAction"))),
            (
                "CellAction",
                nullable(
                    "The operations of an action, whether a backend receives its events, and the "
                        + "JSON Schema of their input.",
                    [
                        "operations": array(of: "ActionOperation"), "forward": bool,
                        "input": [:],
                    ])
            ),
            (
                "ActionOperation",
                [
                    "type": "object", "additionalProperties": [:],
                    "description":
                        "An operation of an update; {\"$input\": pointer} stands for a value.",
                ]
            ),
        ]
    }
}
