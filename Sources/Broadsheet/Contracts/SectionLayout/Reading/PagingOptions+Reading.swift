import BroadsheetClient

extension PagingOptions {
    /// Reads a carousel's configuration; what it leaves out has its default.
    init(_ members: Members, _ findings: inout Findings) {
        self.init()
        isEnabled = members.bool("isEnabled", &findings) ?? isEnabled
        isAlignCenter = members.bool("isAlignCenter", &findings) ?? isAlignCenter
        isLooping = members.bool("isLooping", &findings) ?? isLooping
        isInfinitePage = members.bool("isInfinitePage", &findings) ?? isInfinitePage
        isAutoRolling = members.bool("isAutoRolling", &findings) ?? isAutoRolling
        autoRollingTimeInterval =
            members.length("autoRollingTimeInterval", &findings) ?? autoRollingTimeInterval
    }
}
