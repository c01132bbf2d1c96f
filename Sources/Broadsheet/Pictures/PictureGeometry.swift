import BroadsheetClient

/// The geometry of a picture: the screen in the middle, the names of sections in a gutter at its
/// leading side, and the items hidden beyond its edge in a gutter at its trailing side.
///
/// On a screen that scrolls horizontally the names are in a band above it. One point of the screen
/// is one unit of the picture.
struct PictureGeometry {
    /// The frame of the screen's content in the picture.
    let screen: Frame
    let size: Size
    /// A Boolean value that indicates whether names are on the left: `false` for a right-to-left
    /// screen.
    let readsFromLeft: Bool
    let axis: ScreenAxis
    /// The length of the viewport along the main axis.
    let viewportLength: Double
    /// The length of the content that is not drawn, along the main axis.
    let omittedLength: Double
    /// The width of the content left of the drawn part; a right-to-left screen begins at its right
    /// end.
    private let cut: Double

    static let nameGutter = 170.0
    static let hiddenGutter = 72.0
    static let margin = 16.0
    static let heading = 48.0
    /// The height of the band with sections' names above a screen that scrolls horizontally.
    static let nameBand = 48.0
    static let legend = 64.0
    static let minimumWidth = 584.0
    /// The margin around a screen that is drawn as an app shows it.
    static let appMargin = 8.0
    /// The height of a note below such a screen.
    static let appNote = 12.0

    init(_ frames: ScreenFrames, viewport: Viewport, options: PictureOptions) {
        axis = frames.axis
        readsFromLeft = frames.direction == .ltr
        viewportLength = viewport.size[frames.axis]
        // A short screen is drawn to the end of the viewport, so that it has the shape of the
        // device.
        let length = max(Self.drawnLength(frames), viewportLength)
        var content = viewport.size
        content[frames.axis] = min(length, max(1, options.maxLength))
        omittedLength = length - content[frames.axis]
        cut =
            frames.axis == .horizontal && frames.direction == .rtl
            ? max(0, frames.contentSize.width - content.width) : 0
        if options.style == .app {
            let margin = Self.appMargin
            let note = omittedLength > 0 ? Self.appNote : 0
            screen = Frame(x: margin, y: margin, width: content.width, height: content.height)
            size = Size(
                width: content.width + 2 * margin, height: content.height + 2 * margin + note)
        } else {
            (screen, size) = Self.wireframe(of: content, axis, readsFromLeft: readsFromLeft)
        }
    }

    private static func wireframe(
        of content: Size, _ axis: ScreenAxis, readsFromLeft: Bool
    ) -> (screen: Frame, size: Size) {
        let names = axis == .vertical ? nameGutter : 0
        let beyond = hiddenGutter + margin
        let width = margin + names + content.width + beyond
        let spare = max(0, minimumWidth - width)
        let top = heading + (axis == .horizontal ? nameBand : 0)
        let screen = Frame(
            x: readsFromLeft ? margin + names : beyond + spare, y: top,
            width: content.width, height: content.height)
        return (
            screen, Size(width: width + spare, height: top + content.height + margin + legend)
        )
    }

    /// The anchor of texts at the leading edge of their space.
    var anchor: SVGWriter.Anchor { readsFromLeft ? .start : .end }

    /// Returns whether an element of the picture is in the drawn part of the content.
    func isDrawn(_ frame: Frame) -> Bool {
        frame.end(axis) >= screen.start(axis) && frame.start(axis) <= screen.end(axis)
    }

    /// Returns whether a part of an element of the picture is on the screen.
    func isVisible(_ frame: Frame) -> Bool {
        frame.maxX > screen.x && frame.x < screen.maxX && frame.maxY > screen.y
            && frame.y < screen.maxY
    }

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
    /// the first of its copies is drawn, and cards have their copies in a scroller of their own.
    private static func drawnLength(_ frames: ScreenFrames) -> Double {
        let length = frames.contentSize[frames.axis]
        guard let section = frames.sections.first, section.scroll == nil,
            let pager = section.paging, pager.copies > 1
        else { return length }
        let isMirrored = frames.axis == .horizontal && frames.direction == .rtl
        let ends = section.items.map(section.contentFrame).map {
            isMirrored ? length - $0.start(frames.axis) : $0.end(frames.axis)
        }
        return ends.max() ?? length
    }
}
