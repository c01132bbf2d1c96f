import BroadsheetClient

extension StructuredJSONWriter {
    /// Writes a member that is a rectangle, in points.
    mutating func member(_ name: StaticString, _ frame: Frame) {
        inlineObject(name) { output in
            output.member("x", frame.x)
            output.member("y", frame.y)
            output.member("width", frame.width)
            output.member("height", frame.height)
        }
    }

    /// Writes a member that is a size, in points.
    mutating func member(_ name: StaticString, _ size: Size) {
        inlineObject(name) { output in
            output.member("width", size.width)
            output.member("height", size.height)
        }
    }

    /// Writes the member that specifies how a section scrolls (docs/layout.md, J and C10).
    mutating func scroll(_ scroll: OrthogonalScroll) {
        object("scroll") { output in
            output.member("axis", scroll.axis == .vertical ? "vertical" : "horizontal")
            output.member("behavior", scroll.behavior.rawValue)
            output.member("contentSize", scroll.contentSize)
            output.member("snapOffsets", scroll.snapOffsets)
            output.member("initialOffset", scroll.initialOffset)
            if let properties = scroll.properties { output.scrollProperties(properties) }
        }
    }

    /// Writes the scrolling properties under the name by which they were posted.
    private mutating func scrollProperties(_ properties: CompositionalOptions.ScrollProperties) {
        object("orthogonalScrollingProperties") { output in
            if let rate = properties.decelerationRate {
                output.member("decelerationRate")
                output.raw(Array(rate.utf8))
            }
            if let bounce = properties.bounce { output.member("bounce", bounce) }
        }
    }

    /// Writes the member that specifies the paging of a section (docs/layout.md, J and P1-P7).
    mutating func paging(_ carousel: Carousel) {
        object("paging") { output in
            output.member("isEnabled", carousel.options.isEnabled)
            output.member("isAlignCenter", carousel.options.isAlignCenter)
            output.member("isLooping", carousel.options.isLooping)
            output.member("isInfinitePage", carousel.options.isInfinitePage)
            output.member("isAutoRolling", carousel.options.isAutoRolling)
            output.member("autoRollingTimeInterval", carousel.options.autoRollingTimeInterval)
            output.member("pageLength", carousel.pageLength)
            output.member("pageCount", carousel.pageCount)
            output.member("minOffset", carousel.minOffset)
            output.member("maxOffset", carousel.maxOffset)
            output.member("initialOffset", carousel.initialOffset)
            output.member("finalOffset", carousel.finalOffset)
            output.member("copies", carousel.copies)
        }
    }
}
