import Broadsheet

/// The parts of a value that readers use: of members with one name, the last one.
extension JSONValue {
    /// The last member of each name, in the order of the document; empty if the value is not an
    /// object.
    var usedMembers: [(name: JSONText, value: JSONValue)] {
        let all = Array(members)
        let last = Dictionary(all.indices.map { (all[$0].name, $0) }) { $1 }
        guard last.count < all.count else { return all }
        return all.indices.filter { last[all[$0].name] == $0 }.map { all[$0] }
    }

    /// Writes the value as it was posted, without the members that are not used.
    func writeUsed(to writer: inout JSONWriter) {
        var start = byteRange.lowerBound
        for unused in unusedRanges where unused.lowerBound >= start {
            writer.raw(from: document.bytes, start..<unused.lowerBound)
            start = unused.upperBound
        }
        writer.raw(from: document.bytes, start..<byteRange.upperBound)
    }

    /// The ranges of the members that are not used, and of the commas after them, ascending; one
    /// may be within one before it.
    private var unusedRanges: [Range<Int>] {
        var ranges: [Range<Int>] = []
        // A list instead of a recursion: the depth is that of the body.
        var containers = [self]
        while let container = containers.popLast() {
            containers += container.elements.filter { $0.count > 0 }
            let all = Array(container.members)
            containers += all.lazy.map(\.value).filter { $0.count > 0 }
            guard all.count > 1 else { continue }
            let last = Dictionary(all.indices.map { (all[$0].name, $0) }) { $1 }
            guard last.count < all.count else { continue }
            // A member that is not the last one of its name has a next one.
            for index in all.indices.dropLast() where last[all[index].name] != index {
                ranges.append(all[index].name.quoteOffset..<all[index + 1].name.quoteOffset)
            }
        }
        return ranges.sorted { $0.lowerBound < $1.lowerBound }
    }
}

extension JSONText {
    fileprivate var quoteOffset: Int { Int(range.lowerBound) - 1 }
}
