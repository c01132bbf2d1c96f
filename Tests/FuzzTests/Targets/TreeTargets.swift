import Broadsheet
import BroadsheetClient
import TestSupport

extension FuzzTarget {
    /// The client's reader of JSON: it takes what the daemon's takes, and what is written reads the
    /// same.
    static let tree = FuzzTarget("tree", treeSeeds) { input, _ in
        let isShared = (try? JSONDocument(input, maxDepth: 512)) != nil
        let value: TreeValue
        do throws(TreeError) { value = try TreeValue(json: input) } catch {
            guard case .syntax(let offset, _) = error else {
                throw FuzzFailure("another error: \(error)")
            }
            try require((0...input.count).contains(offset), "an offset outside of the text")
            let hasMark = input.starts(with: [0xEF, 0xBB, 0xBF])
            try require(!isShared || hasMark, "only the daemon reads it: \(error)")
            return
        }
        try require(isShared, "only the client reads it")
        try require(try TreeValue(json: value.json) == value, "written and read again, differs")
        try require(try value.decode(TreeValue.self) == value, "decodes as another value")
        _ = try? value.decode([String: [Int64]].self)
        guard let tree = try? Tree(json: input) else { return }
        let layout = TreeLayout(tree)
        let everything = TreeFrame(x: -1e300, y: -1e300, width: 2e300, height: 2e300)
        let count = tree.sections.indices.reduce(0) { $0 + layout.itemCount(in: $1) }
        let found = layout.elements(in: everything).filter { $0.kind == .item }
        try require(found.count <= count, "more items than there are")
    }

    /// The client's contents: the elements of any content have names that are in parts.
    static let cells = FuzzTarget(
        "cells",
        [
            #"""
            {"column":[{"image":"/i","name":"a","role":"image","label":{"join":["/t",
            {"constant":"of"}],"by":" "}},{"text":"/t","font":"f","name":"b","role":"heading",
            "level":2},{"row":[{"text":"/t","font":"f","name":"c"}],"name":"d","action":"x",
            "input":{"on":[1]}}],"label":"/no"}
            """#,
            #"""
            {"switch":"/k","cases":{"1":{"overlay":[{"box":"","name":"a","hidden":true},
            {"text":"/t","font":"f","name":"b","link":"/t"}],"name":"c","label":"/t"}},
            "default":{"text":{"join":["/t","/t"]},"font":"f","name":"d","label":"/a~1b/0"}}
            """#,
        ]
    ) { input, _ in
        guard let content = try? TreeValue(json: input),
            let library = CellLibrary(["cellTypes": ["C": ["content": content]]])
        else { return }
        let frame: TreeValue = ["x": 0, "y": 0, "width": 1, "height": 1]
        let names: Set<String> = ["a", "b", "c"]
        let parts = TreeValue.object(
            Dictionary(uniqueKeysWithValues: names.map { ($0, ["frame": frame]) }))
        let item = TreeItem([
            "id": "i", "type": "C", "frame": frame, "parts": parts,
            "data": ["t": "one", "k": 1, "i": "x", "a/b": [2]],
        ])
        let elements = item.map { library.elements(of: $0) } ?? []
        for (index, element) in elements.enumerated() {
            let isCell = element.role == .cell
            try require(isCell == (element.name == nil), "a name of the cell, or a part without")
            try require(!isCell || index == 0, "the cell is not the first element")
            try require(element.name.map(names.contains) ?? true, "a part that is not there")
            let isControl = element.role == .button || element.role == .link
            try require(isControl || !element.label.isEmpty, "an element with nothing to say")
            try require(
                isControl == (element.action != nil || element.link != nil), "no control")
        }
    }

    /// The decoder of streams: events do not depend on where the stream is cut.
    static let eventStream = FuzzTarget(
        "event-stream",
        [
            "event: tree\nid: 12.q7\ndata: {\"a\":1}\nretry: 2500\n\n",
            "\u{FEFF}data:a\r\ndata: b\rdata\n\r\n:comment\n\nid\nretry: x\ndata: \u{0}\n\n",
            "data: 1\n\n\ndata: 2\r\n\r\nid: \u{0}\nevent\nunknown: y\ndata",
        ]
    ) { input, random in
        var (whole, parts) = (EventDecoder(maxEventBytes: 64), EventDecoder(maxEventBytes: 64))
        let expected = Result { () throws(ClientError) in try whole.decode(input) }
        var events: [ServerSentEvent] = []
        var failure: ClientError?
        var rest = input[...]
        while !rest.isEmpty, failure == nil {
            let part = rest.prefix(Int.random(in: 1...8, using: &random))
            rest = rest.dropFirst(part.count)
            do throws(ClientError) { events += try parts.decode(part) } catch { failure = error }
        }
        switch expected {
        case .success(let expected):
            try require(failure == nil && events == expected, "other events in parts")
            try require(parts.lastEventID == whole.lastEventID, "another id in parts")
            try require(parts.retry == whole.retry, "another time in parts")
            try require(events.allSatisfy { $0.data.count <= 192 }, "an event is too large")
        case .failure: try require(failure != nil, "too large only as a whole")
        }
    }

    private static let treeSeeds = [
        #"{"a":[1,-2.5e3,true,false,null],"b":{"c":"x\"\\\u00e9\ud83d\ude00"},"":0}"#,
        "[1e308,1E-5,0.0,-0,9007199254740993,18446744073709551615,1e400]",
        #"{"same":1,"same":2,"\u0073ame":3}"#, "\"\\u0000\\n\\t\"", "[[[[[[[[]]]]]]]]",
        #"{"revision":3,"contentSize":{"width":390,"height":80},"sections":[{"index":0,"#
            + #""frame":{"x":0,"y":0,"width":390,"height":80},"items":[{"id":"a","type":"A","#
            + #""frame":{"x":0,"y":0,"width":390,"height":40},"data":{}}],"#
            + #""paging":{"copies":3,"pageLength":390}}]}"#,
    ]
}
