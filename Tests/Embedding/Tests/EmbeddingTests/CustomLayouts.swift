import Broadsheet

// The layouts of docs/custom-layouts.md, word for word.

// [masonry]
/// Columns of one width: each item is placed below the shortest column.
struct Masonry: CustomLayout {
    func place(_ items: inout CustomLayoutItems, in space: CustomLayoutSpace) {
        let columns = space.columns ?? 2
        let gaps = space.interitemSpacing * Double(columns - 1)
        let width = max(0, (space.crossLength - gaps) / Double(columns))
        var ends = [Double](repeating: 0, count: columns)
        for (item, size) in items.sizes(across: width).enumerated() {
            let column = ends.indices.min { ends[$0] < ends[$1] } ?? 0
            let length = size[space.axis]
            items.place(
                item,
                at: Frame(
                    axis: space.axis, main: ends[column],
                    cross: Double(column) * (width + space.interitemSpacing),
                    mainLength: length, crossLength: width))
            ends[column] += length + space.lineSpacing
        }
    }
}
// [/masonry]

// [mosaic]
/// The first item across the screen, the others in two columns; lines are as long as they need.
struct Mosaic: CustomLayout {
    var leadCount = 1

    func place(_ items: inout CustomLayoutItems, in space: CustomLayoutSpace) {
        let half = max(0, (space.crossLength - space.interitemSpacing) / 2)
        var (start, next) = (0.0, 0.0)
        for item in items.indices {
            let isLead = item < leadCount
            let isSecond = !isLead && !(item - leadCount).isMultiple(of: 2)
            if !isSecond { start = next }
            let width = isLead ? space.crossLength : half
            let length = items.size(of: item, across: width)[space.axis]
            items.place(
                item,
                at: Frame(
                    axis: space.axis, main: start,
                    cross: isSecond ? half + space.interitemSpacing : 0, mainLength: length,
                    crossLength: width))
            next = max(isSecond ? next : start, start + length + space.lineSpacing)
        }
    }
}
// [/mosaic]
