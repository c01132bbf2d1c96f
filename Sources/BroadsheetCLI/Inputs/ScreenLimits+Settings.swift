internal import Broadsheet

extension ScreenLimits {
    /// The limits that a command was told, or their defaults.
    init(_ settings: Settings) {
        self.init(
            maxDepth: settings[LimitSettings.depth], maxSections: settings[LimitSettings.sections],
            maxItems: settings[LimitSettings.items], maxPages: settings[LimitSettings.pages])
    }
}
