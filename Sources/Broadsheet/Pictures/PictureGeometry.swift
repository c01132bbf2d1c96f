import BroadsheetClient

/// The geometry of a picture: the screen in the middle, the names of sections in a gutter at its
/// leading side, and the items hidden beyond its edge in a gutter at its trailing side.
///
/// On a screen that scrolls horizontally the names are in a band above it. One point of the screen
/// is one unit of the picture.
struct PictureGeometry {
    /// The frame of the screen's content in the picture.
    let screen: Frame
    /// The size of the picture.
    let size: Size
    /// A Boolean value that indicates whether names are on the left: `false` for a right-to-left
    /// screen.
    let readsFromLeft: Bool
    /// The axis that the screen scrolls along.
    let axis: Axis
    /// The length of the viewport along the main axis.
    let viewportLength: Double
    /// The width of the content left of the drawn part; a right-to-left screen begins at its right
    /// end.
    private let cut: Double

    /// The width of the gutter with sections' names.
    static let nameGutter = 170.0
    /// The width of the gutter with hidden items.
    static let hiddenGutter = 72.0
    /// The margin at the picture's edges.
    static let margin = 16.0
    /// The height of the heading.
    static let heading = 48.0
    /// The height of the band with sections' names above a screen that scrolls horizontally.
    static let nameBand = 48.0
    /// The height of the legend.
    static let legend = 64.0
    /// The minimum width of heading and legend.
    static let minimumWidth = 584.0

    /// Creates the geometry of a screen in a viewport.
    init(_ frames: ScreenFrames, viewport: Viewport) {
        axis = frames.axis
        readsFromLeft = frames.direction == .ltr
        viewportLength = viewport.size[frames.axis]
        // A short screen is drawn to the end of the viewport, so that it has the shape of the
        // device.
        var content = frames.contentSize
        content[frames.axis] = max(Self.drawnLength(frames), viewportLength)
        content[frames.axis.cross] = viewport.size[frames.axis.cross]
        let names = axis == .vertical ? Self.nameGutter : 0
        cut =
            frames.axis == .horizontal && frames.direction == .rtl
            ? max(0, frames.contentSize.width - content.width) : 0
        let beyond = Self.hiddenGutter + Self.margin
        let width = Self.margin + names + content.width + beyond
        let spare = max(0, Self.minimumWidth - width)
        let top = Self.heading + (axis == .horizontal ? Self.nameBand : 0)
        screen = Frame(
            x: readsFromLeft ? Self.margin + names : beyond + spare, y: top,
            width: content.width, height: content.height)
        size = Size(
            width: width + spare, height: top + content.height + Self.margin + Self.legend)
    }

    /// Returns the frame in the picture of a frame in the screen's content.
    func pictureFrame(of frame: Frame) -> Frame {
        Frame(
            x: screen.x + frame.x - cut, y: screen.y + frame.y, width: frame.width,
            height: frame.height)
    }

    /// The frame of the gutter with hidden items, at the trailing side of the screen.
    var hiddenArea: Frame {
        Frame(
            x: readsFromLeft ? screen.maxX : screen.x - Self.hiddenGutter, y: screen.y,
            width: Self.hiddenGutter, height: screen.height)
    }

    /// Returns the length of the drawn content along the main axis; of an infinite carousel only
    /// the first of its copies is drawn.
    private static func drawnLength(_ frames: ScreenFrames) -> Double {
        let length = frames.contentSize[frames.axis]
        guard let pager = frames.sections.first?.paging, pager.copies > 1 else { return length }
        let isMirrored = frames.axis == .horizontal && frames.direction == .rtl
        let ends = frames.sections[0].items.map(frames.sections[0].contentFrame).map {
            isMirrored ? length - $0.start(frames.axis) : $0.end(frames.axis)
        }
        return ends.max() ?? length
    }
}
