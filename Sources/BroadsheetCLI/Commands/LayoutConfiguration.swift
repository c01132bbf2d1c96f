import Broadsheet

/// The configuration of the commands that lay out pages from files.
struct LayoutConfiguration: Configurable {
    static let defaults = LayoutConfiguration()

    /// The file of the catalog, or `nil` for the built-in one.
    var catalog: String?
    /// The folder of the catalog's fonts, or `nil` for that of the catalog.
    var fonts: String?
    var request = LayoutParameters()
    var limits = ScreenLimits()
}

extension SettingGroup<LayoutConfiguration> {
    static let input = SettingGroup(
        "Input",
        [
            Setting(
                "catalog", .file, \.catalog, default: "the built-in storefront catalog",
                "the catalog of cell types"),
            fontsSetting,
        ])

    /// The settings of the fonts, for a command whose operand is the catalog.
    static let fonts = SettingGroup("Fonts", [fontsSetting])

    private static let fontsSetting = Setting<LayoutConfiguration>(
        "fonts", .folder, \.fonts, default: "the folder of the catalog",
        "the folder of the files of the catalog's fonts")

    /// The settings of the viewport, named as in a query of the HTTP API.
    static let viewport = SettingGroup(
        "Viewport",
        [
            Setting("width", .length, \.request.viewport.size.width, "the width of the viewport"),
            Setting(
                "height", .length, \.request.viewport.size.height, "the height of the viewport"),
            Setting(
                "scale", .scale, \.request.viewport.scale,
                "the scale of the device, in device pixels a point"),
            Setting(
                "direction", .choice("DIRECTION"), \.request.viewport.direction,
                "the reading direction: ltr or rtl"),
            Setting(
                "text-scale", .textScale, \.request.viewport.textScale,
                "the text size of the reader, the factor of fonts that scale"),
            Setting(
                "safe-area", .safeArea, \.request.viewport.safeArea, default: "unknown",
                "the parts at the sides that the device covers, such as 59,0,34,0"),
        ])

    /// The settings of the client, named as in a query of the HTTP API.
    static let client = SettingGroup(
        "Client",
        [
            Setting(
                "client", .client, \.request.client, default: "the newest there could be",
                "the platform and the version of the app, such as ios/5.2"),
            Setting(
                "flags", .flags, \.request.flags,
                "names of features, experiments and capabilities, separated by commas"),
        ])

    /// The settings of the tree, named as in a query of the HTTP API.
    static let tree = SettingGroup(
        "Tree",
        [
            Setting(
                "coordinates", .choice("SYSTEM"), \.request.options.coordinates,
                "the origin of frames: section or content"),
            Setting(
                "rounding", .choice("MODE"), \.request.rounding,
                "the rounding of frames: pixel or none"),
            Setting(
                "fields", .choice("FIELDS"), \.request.options.fields,
                "the members of elements: all, or frames (without data)"),
            Setting(
                "collapsed", .identifiers, \.request.collapsed,
                "ids of sections to collapse, separated by commas (%2C in an id)"),
            Setting(
                "expanded", .identifiers, \.request.expanded,
                "ids of sections to show in full although a page collapses them"),
            Setting("pretty", .toggle, \.request.options.pretty, "indent the tree"),
        ])

    static let limits = SettingGroup(
        "Limits", SettingGroup<ScreenLimits>.screens.settings.map { $0.within(\.limits) })
}

extension SettingGroup<ScreenLimits> {
    static let screens = SettingGroup(
        "Limits of pages and screens",
        [
            Setting(
                "max-depth", .count(1...1_024), \.maxDepth,
                "the maximum nesting of JSON; the document itself counts as 1"),
            Setting(
                "max-sections", .count(1...1_000_000), \.maxSections,
                "the maximum number of sections of a screen"),
            Setting(
                "max-items", .count(1...100_000_000), \.maxItems,
                "the maximum number of items of a screen"),
            Setting(
                "max-pages", .count(1...1_000_000), \.maxPages,
                "the maximum number of pages of a screen"),
        ])
}

extension ScreenLimits: Configurable {
    static let defaults = ScreenLimits()
}

extension SettingValues<Client?> {
    fileprivate static var client: SettingValues {
        SettingValues<String>.text("APP", Client.form).map { Client($0).map(Optional.some) }
    }
}

extension SettingValues<Insets?> {
    fileprivate static var safeArea: SettingValues {
        SettingValues<String>.text("SIDES", Insets.safeAreaForm).map {
            Insets(safeArea: $0).map(Optional.some)
        }
    }
}

extension SettingValues<IdentifierList> {
    fileprivate static var flags: SettingValues {
        SettingValues(
            form: .text, placeholder: "NAMES", unit: nil, expectation: ClientFlags.form,
            read: ClientFlags.list, describe: { _ in nil })
    }
}

extension SettingValues<Double> {
    fileprivate static var length: SettingValues {
        .number("POINTS", unit: "points", "a number above 0 and at most 100000") {
            $0 > 0 && $0 <= 100_000
        }
    }

    fileprivate static var scale: SettingValues {
        .number("FACTOR", unit: "pixels per point", "a number from 0.5 to 8") {
            LayoutParameters.scales.contains($0)
        }
    }

    static var textScale: SettingValues {
        .number("FACTOR", unit: nil, "a number from 0.5 to 4") {
            LayoutParameters.textScales.contains($0)
        }
    }
}
