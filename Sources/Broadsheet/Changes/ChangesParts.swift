/// Changes, written in parts (docs/changes.md).
package struct ChangesParts: SteppedParts {
    private let comparison: ScreenComparison
    private let tree: TreeWriter
    private let envelope: ChangesEnvelope
    /// The JSON between the items that are values of members.
    private let valuePieces: ItemPieces
    /// The JSON between the items of inserted sections.
    private let sectionPieces: ItemPieces
    var output: StructuredJSONWriter
    var extraCost = 0
    private var step = Step.head
    /// The index of the stage that is being written, or is next.
    private var stage = 0
    private var position = 0
    /// The number of items of the range at the position that are written.
    private var offset = 0

    /// The next thing to write.
    private enum Step {
        /// The members before the stages.
        case head
        case stage
        /// The rest of a list of the stage.
        case list(StageList)
        case insertedItems(SectionWriter)
        case sections
        /// A run of frames, or the end of the runs.
        case run
        case frames
        case separators
        case end
    }

    init(_ comparison: ScreenComparison, to tree: TreeWriter, _ envelope: ChangesEnvelope) {
        self.comparison = comparison
        self.tree = tree
        self.envelope = envelope
        // A value is in its entry, its list, its stage, the stages and the document; an item of a
        // section in the array of items and in the section, too.
        valuePieces = ItemPieces.shared(tree.options, depth: 5, isMember: true)
        sectionPieces = ItemPieces.shared(tree.options, depth: 7)
        output = StructuredJSONWriter(style: tree.options.style)
    }

    package var isFinished: Bool {
        if case .end = step { true } else { false }
    }

    var expectedByteCount: Int { 0 }

    mutating func advance(upTo byteCount: Int) {
        switch step {
        case .head: writeHead()
        case .stage: beginStage()
        case .list(let list): write(list, upTo: byteCount)
        case .insertedItems(let section): writeItems(of: section, upTo: byteCount)
        case .sections: writeSections(upTo: byteCount)
        case .run: beginRun()
        case .frames: writeRectangles(upTo: byteCount, areSeparators: false)
        case .separators: writeRectangles(upTo: byteCount, areSeparators: true)
        case .end: break
        }
    }

    private func hasSpace(_ byteCount: Int) -> Bool { output.writer.bytes.count < byteCount }

    private mutating func writeHead() {
        output.beginObject()
        envelope.write(to: tree, isReset: false, &output)
        output.object("tree") { output in
            tree.writeMembers(to: &output)
            if comparison.hasOtherDiagnostics { tree.writeDiagnostics(to: &output) }
        }
        output.member("stages")
        output.beginArray()
        step = .stage
    }
}

extension ChangesParts {
    private mutating func beginStage() {
        guard stage < comparison.stages.count else {
            output.endArray()
            output.member("sections")
            output.beginArray()
            position = 0
            return step = .sections
        }
        output.element()
        output.beginObject()
        beginList(after: nil)
    }

    private mutating func beginList(after list: StageList?) {
        guard let next = StageList.next(after: list, in: comparison.stages[stage]) else {
            output.endObject()
            stage += 1
            return step = .stage
        }
        output.member(next.name)
        output.beginArray()
        (position, offset) = (0, 0)
        step = .list(next)
    }

    private mutating func write(_ list: StageList, upTo byteCount: Int) {
        let stage = comparison.stages[stage]
        switch list {
        case .deleteSections:
            for index in stage.deleteSections {
                output.element()
                output.integer(index)
            }
            position = stage.deleteSections.count
        case .insertSections:
            if position < stage.insertSections.count {
                return beginSection(stage.insertSections[position])
            }
        case .moveSections:
            for move in stage.moveSections {
                output.element()
                output.inlineMembers { output in
                    output.member("from", move.from)
                    output.member("to", move.to)
                }
            }
            position = stage.moveSections.count
        case .deleteItems: writePlaces(stage.deleteItems, upTo: byteCount)
        case .insertItems:
            let items = stage.insertItems.lazy.map {
                ChangeStage.Moves(from: $0, section: $0.section, first: $0.first)
            }
            writeValues(items, upTo: byteCount)
        case .moveItems: writeMoves(stage.moveItems, upTo: byteCount)
        case .reloadItems: writeValues(stage.reloadItems, upTo: byteCount)
        }
        guard position >= list.count(in: stage) else { return }
        output.endArray()
        beginList(after: list)
    }

    private mutating func beginSection(_ index: Int) {
        output.element()
        output.beginObject()
        output.member("index", index)
        output.member("value")
        let (_, section) = tree.section(at: index, pieces: sectionPieces)
        section.writeHead(at: index, to: &output)
        offset = 0
        step = .insertedItems(section)
    }

    private mutating func writeItems(of section: SectionWriter, upTo byteCount: Int) {
        let items = ItemsWriter(section)
        let rest = offset..<section.frames.items.count
        let space = max(1, byteCount == .max ? .max : byteCount - output.writer.bytes.count)
        let now = items.beginning(of: rest, byteCount: space).items
        _ = items.write([now][...], isFirst: offset == 0, to: &output)
        offset = now.isEmpty ? rest.upperBound : now.upperBound
        guard offset >= rest.upperBound else { return }
        if !rest.isEmpty || offset > 0 { items.writeEnd(to: &output) }
        section.writeTail(to: &output)
        output.endObject()
        position += 1
        offset = 0
        step = .list(.insertSections)
    }

    private mutating func writePlaces(_ ranges: [ChangeStage.Items], upTo byteCount: Int) {
        while position < ranges.count, hasSpace(byteCount) {
            output.element()
            writePlace(ranges[position].section, ranges[position].first + offset)
            advance(inRangeOf: ranges[position].count)
        }
    }

    private mutating func writeMoves(_ moves: [ChangeStage.Moves], upTo byteCount: Int) {
        while position < moves.count, hasSpace(byteCount) {
            let move = moves[position]
            output.element()
            output.beginObject()
            output.member("from")
            writePlace(move.from.section, move.from.first + offset)
            output.member("to")
            writePlace(move.section, move.first + offset)
            output.endObject()
            advance(inRangeOf: move.from.count)
        }
    }

    private mutating func writePlace(_ section: Int, _ item: Int) {
        output.inlineMembers { output in
            output.member("section", section)
            output.member("item", item)
        }
    }

    private mutating func advance(inRangeOf count: Int) {
        offset += 1
        guard offset >= count else { return }
        offset = 0
        position += 1
    }

    private mutating func writeValues<Ranges: RandomAccessCollection<ChangeStage.Moves>>(
        _ ranges: Ranges, upTo byteCount: Int
    ) where Ranges.Index == Int {
        while position < ranges.count, hasSpace(byteCount) {
            let section = ranges[position].section
            let items = ItemsWriter(tree.section(at: section, pieces: valuePieces).writer)
            var values = items.beginValues()
            while position < ranges.count, ranges[position].section == section,
                hasSpace(byteCount)
            {
                let range = ranges[position]
                output.element()
                output.beginObject()
                output.member("section", range.from.section)
                output.member("item", range.from.first + offset)
                output.member("value")
                items.writeValue(ofItem: range.first + offset, &values, to: &output)
                output.endObject()
                advance(inRangeOf: range.from.count)
            }
        }
    }
}

/// The differences after the stages.
extension ChangesParts {
    private mutating func writeSections(upTo byteCount: Int) {
        while position < comparison.sections.count, hasSpace(byteCount) {
            let difference = comparison.sections[position]
            let (_, section) = tree.section(at: difference.index, pieces: valuePieces)
            output.element()
            output.object { output in
                output.member("index", difference.index)
                for member in difference.members {
                    if section.has(member) {
                        section.write(member, to: &output)
                    } else {
                        output.member(member.name)
                        output.null()
                    }
                }
            }
            position += 1
        }
        guard position >= comparison.sections.count else { return }
        output.endArray()
        output.member("frames")
        output.beginArray()
        position = 0
        step = .run
    }

    private mutating func beginRun() {
        guard position < comparison.frames.count else {
            output.endArray()
            output.endObject()
            return step = .end
        }
        let run = comparison.frames[position]
        output.element()
        output.beginObject()
        output.member("section", run.section)
        output.member("item", run.items.lowerBound)
        output.member("frames")
        output.beginArray()
        offset = 0
        step = .frames
    }

    /// Writes the rectangles of the run's items, null for an item without a separator.
    private mutating func writeRectangles(upTo byteCount: Int, areSeparators: Bool) {
        let run = comparison.frames[position]
        let section = tree.frames.sections[run.section]
        let origin = tree.options.origin(of: section)
        while offset < run.items.count, hasSpace(byteCount) {
            let item = run.items.lowerBound + offset
            output.element()
            if let frame = areSeparators ? section.separator(of: item) : section.items[item] {
                output.writer.list(frame.moved(by: origin), output.style)
            } else {
                output.null()
            }
            offset += 1
        }
        guard offset >= run.items.count else { return }
        output.endArray()
        guard !areSeparators, run.hasSeparators else { return endRun() }
        output.member("separators")
        output.beginArray()
        offset = 0
        step = .separators
    }

    private mutating func endRun() {
        output.endObject()
        position += 1
        step = .run
    }
}

extension JSONWriter {
    /// Writes a rectangle as `[x, y, width, height]`.
    fileprivate mutating func list(_ frame: Frame, _ style: StructuredJSONWriter.Style) {
        withCapacity(4 * JSONCursor.longestNumber + 8) { cursor in
            let isPretty = style == .pretty
            cursor.byte(UInt8(ascii: "["))
            cursor.number(frame.x)
            cursor.comma(isPretty)
            cursor.number(frame.y)
            cursor.comma(isPretty)
            cursor.number(frame.width)
            cursor.comma(isPretty)
            cursor.number(frame.height)
            cursor.byte(UInt8(ascii: "]"))
        }
    }
}

extension JSONCursor {
    @inline(__always)
    fileprivate mutating func comma(_ isPretty: Bool) {
        byte(UInt8(ascii: ","))
        if isPretty { byte(UInt8(ascii: " ")) }
    }
}
