import Broadsheet
import CHarfBuzz

struct FontAxes {
    private let axes: [hb_ot_var_axis_info_t]

    private static let maxAxes = 64

    /// The axis that follows the size of the text if no position is set (CSS Fonts 4,
    /// `font-optical-sizing: auto`).
    private static let opticalSize = SFNTTables.tag("opsz")

    init(of face: OpaquePointer, _ libraries: TextLibraries) {
        var count = UInt32(Self.maxAxes)
        axes = [hb_ot_var_axis_info_t](unsafeUninitializedCapacity: Self.maxAxes) { buffer, used in
            _ = libraries.harfBuzz.pointee.hb_ot_var_get_axis_infos(
                face, 0, &count, buffer.baseAddress)
            used = min(Int(count), Self.maxAxes)
        }
    }

    /// Throws for an axis that the font does not have, and for a position outside.
    func variations(
        _ positions: [FontDeclaration.AxisValue], size: Double
    ) throws(FontFileError) -> [hb_variation_t] {
        var result: [hb_variation_t] = []
        for value in positions {
            let (tag, position) = (value.tag, value.value)
            guard tag.utf8.count == 4,
                let axis = axes.first(where: { $0.tag == SFNTTables.tag(tag) })
            else { throw .missingAxis(tag, axes: axes.map(Self.name)) }
            guard position >= Double(axis.min_value), position <= Double(axis.max_value) else {
                throw .axisRange(
                    tag, lower: Double(axis.min_value), upper: Double(axis.max_value))
            }
            result.append(hb_variation_t(tag: axis.tag, value: Float(position)))
        }
        if let axis = axes.first(where: { $0.tag == Self.opticalSize }),
            !positions.contains(where: { $0.tag == "opsz" })
        {
            let value = min(max(Float(size), axis.min_value), axis.max_value)
            result.append(hb_variation_t(tag: axis.tag, value: value))
        }
        return result
    }

    private static func name(of axis: hb_ot_var_axis_info_t) -> String {
        String(
            decoding: (0..<4).map { UInt8(truncatingIfNeeded: axis.tag >> (24 - 8 * $0)) },
            as: UTF8.self)
    }
}
