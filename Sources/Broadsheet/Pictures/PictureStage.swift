/// Where things stand in a picture: the screen in the middle, sections' names in a gutter where
/// reading starts, and what lies beyond the screen's edge in a gutter where reading ends.
///
/// On a screen that scrolls sideways the names stand in a band above it. One point of the screen is
/// one unit of the picture.
struct PictureStage {
    /// The screen's content, at its place in the picture.
    let screen: Frame
    /// The whole picture.
    let size: Size
    /// Whether names stand on the left: not in a right-to-left screen.
    let readsFromLeft: Bool
    /// The axis that the screen scrolls along.
    let axis: Axis
    /// What the viewport shows along the main axis: where the fold is.
    let fold: Double
    /// How much of the content lies left of what is drawn: a right-to-left screen begins at its end.
    private let cut: Double

    /// The width of the gutter with sections' names.
    static let nameGutter = 170.0
    /// How far beyond the screen's edge hidden items are hinted at.
    static let hint = 72.0
    /// Room at the picture's edges.
    static let margin = 16.0
    /// The height of the heading.
    static let heading = 48.0
    /// The height of the band with sections' names above a sideways screen.
    static let nameBand = 48.0
    /// The height of the legend.
    static let legend = 64.0
    /// The least width that heading and legend need.
    static let leastWidth = 584.0

    init(_ frames: ScreenFrames, viewport: Viewport) {
        axis = frames.axis
        readsFromLeft = frames.direction == .ltr
        fold = viewport.size[frames.axis]
        // A short screen is drawn down to its fold, so that it looks like the device it is for.
        var content = frames.contentSize
        content[frames.axis] = max(Self.drawnLength(frames), fold)
        content[frames.axis.cross] = viewport.size[frames.axis.cross]
        let names = axis == .vertical ? Self.nameGutter : 0
        cut =
            frames.axis == .horizontal && frames.direction == .rtl
            ? max(0, frames.contentSize.width - content.width) : 0
        let beyond = Self.hint + Self.margin
        let width = Self.margin + names + content.width + beyond
        let spare = max(0, Self.leastWidth - width)
        let top = Self.heading + (axis == .horizontal ? Self.nameBand : 0)
        screen = Frame(
            x: readsFromLeft ? Self.margin + names : beyond + spare, y: top,
            width: content.width, height: content.height)
        size = Size(
            width: width + spare, height: top + content.height + Self.margin + Self.legend)
    }

    /// A frame of the screen's content as a frame of the picture.
    func place(_ frame: Frame) -> Frame {
        Frame(
            x: screen.x + frame.x - cut, y: screen.y + frame.y, width: frame.width,
            height: frame.height)
    }

    /// Where what lies beyond the screen's edge is hinted at: behind it, as one reads.
    var hintArea: Frame {
        Frame(
            x: readsFromLeft ? screen.maxX : screen.x - Self.hint, y: screen.y,
            width: Self.hint, height: screen.height)
    }

    /// How far the content reaches along the main axis.
    ///
    /// Of a carousel without an end that is one round: the copies say nothing new.
    private static func drawnLength(_ frames: ScreenFrames) -> Double {
        let length = frames.contentSize[frames.axis]
        guard let pager = frames.sections.first?.paging, pager.copies > 1 else { return length }
        let isMirrored = frames.axis == .horizontal && frames.direction == .rtl
        let ends = frames.sections[0].items.map {
            isMirrored ? length - $0.start(frames.axis) : $0.end(frames.axis)
        }
        return ends.max() ?? length
    }
}
