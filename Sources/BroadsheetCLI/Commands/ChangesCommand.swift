import Broadsheet
import BroadsheetClient

struct ChangesConfiguration: Configurable {
    static let defaults = ChangesConfiguration()

    var layout = LayoutConfiguration()
    /// A Boolean value that indicates whether the changes are printed as lines for people.
    var summary = false
}

extension Command {
    static let changes = Command(
        name: "changes", summary: "Prints the changes from some pages to others",
        usage: ["changes [OPTION ...] OLD.json [OLD.json ...] -- NEW.json [NEW.json ...]"],
        discussion: """
            The pages before '--' form the tree that a client has, and those after it the tree that
            it then has. '-' is standard input. Exit status: 0, or 1 with a line for each violation
            of a page or the catalog on standard error.
            """,
        settings: [
            SettingGroup(
                "Changes", [Setting("summary", .toggle, \.summary, "print lines for people")])
        ]
            + LaidOutPages.settings.map { group in
                SettingGroup(
                    group.title, group.settings.map { $0.within(\ChangesConfiguration.layout) })
            },
        run: { call async throws(CommandError) in
            guard let split = call.separator else {
                throw .usage("'--' between the old pages and the new ones is missing")
            }
            let configuration = try call.configuration()
            let paths = (call.operands[..<split], call.operands[split...])
            guard !(paths.0.contains("-") && paths.1.contains("-")) else {
                throw .usage("standard input ('-') can be read only once")
            }
            let trees = try [paths.0, paths.1].map { (paths) throws(CommandError) in
                try LaidOutPages(Array(paths), configuration.layout, in: call.console).tree
            }
            let output =
                configuration.summary
                ? ChangesSummary(Changes(from: trees[0], to: trees[1])).text
                : Self.document(from: trees[0], to: trees[1])
            try call.console.print(output)
            return .success
        })

    private static func document(from old: TreeWriter, to new: TreeWriter) -> [UInt8] {
        var document = ChangesDocument(from: old, to: new)
        return document.written() + [UInt8(ascii: "\n")]
    }
}

extension LaidOutPages {
    fileprivate var tree: TreeWriter {
        TreeWriter(
            screen, frames, viewport: request.viewport,
            envelope: TreeEnvelope(hasNext: screen.hasNext), options: request.options)
    }
}

private struct ChangesSummary {
    private var lines: [String] = []

    init(_ changes: Changes) {
        switch changes.content {
        case .reset(let tree):
            let items = tree.sections.reduce(0) { $0 + $1.items.count }
            lines.append("reset: the whole tree, \(tree.sections.count) sections, \(items) items")
        case .update(let update):
            for (index, stage) in update.stages.enumerated() { add(stage, number: index + 1) }
            for section in update.sections {
                let names = section.members.keys.sorted().joined(separator: ", ")
                lines.append("section \(section.index): \(names)")
            }
            for run in update.frames {
                let last = run.place.item + run.frames.count - 1
                lines.append(
                    "section \(run.place.section): frames of items \(run.place.item)-\(last)")
            }
        }
        if lines.isEmpty { lines.append("no changes") }
    }

    var text: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    private mutating func add(_ stage: Changes.Stage, number: Int) {
        let start = "stage \(number): "
        for index in stage.deleteSections { lines.append(start + "delete section \(index)") }
        for section in stage.insertSections {
            lines.append(
                start + "insert section \(section.place)\(Self.name(section.value.members))")
        }
        for move in stage.moveSections {
            lines.append(start + "move section \(move.from) to \(move.to)")
        }
        for place in stage.deleteItems { lines.append(start + "delete item \(Self.text(place))") }
        for item in stage.insertItems {
            lines.append(
                start + "insert item \(Self.text(item.place))\(Self.name(item.value.members))")
        }
        for move in stage.moveItems {
            lines.append(start + "move item \(Self.text(move.from)) to \(Self.text(move.to))")
        }
        for item in stage.reloadItems {
            lines.append(
                start + "reload item \(Self.text(item.place))\(Self.name(item.value.members))")
        }
    }

    /// Returns the section and the index of an item, as `section/item`.
    private static func text(_ place: Changes.ItemPlace) -> String {
        "\(place.section)/\(place.item)"
    }

    /// Returns the id in parentheses; nothing without an id.
    private static func name(_ members: [String: TreeValue]) -> String {
        members["id"]?.text.map { " (\($0))" } ?? ""
    }
}
