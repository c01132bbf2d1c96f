extension Frame {
    /// Makes a rectangle from positions and lengths along a screen's main and cross axes.
    @inline(__always)
    init(axis: Axis, main: Double, cross: Double, mainLength: Double, crossLength: Double) {
        self =
            axis == .vertical
            ? Frame(x: cross, y: main, width: crossLength, height: mainLength)
            : Frame(x: main, y: cross, width: mainLength, height: crossLength)
    }

    /// Where it starts along `axis`, in points.
    @inline(__always)
    func start(_ axis: Axis) -> Double { axis == .vertical ? y : x }

    /// Its length along `axis`, in points.
    @inline(__always)
    func length(_ axis: Axis) -> Double { axis == .vertical ? height : width }

    /// Where it ends along `axis`, in points.
    @inline(__always)
    func end(_ axis: Axis) -> Double { start(axis) + length(axis) }
}
