import BroadsheetClient

extension PagingOptions {
    /// Reads a carousel's configuration; what it leaves out has its default.
    init(_ members: Members, _ collector: inout ViolationCollector) {
        self.init()
        isEnabled = members.bool("isEnabled", &collector) ?? isEnabled
        isAlignCenter = members.bool("isAlignCenter", &collector) ?? isAlignCenter
        isLooping = members.bool("isLooping", &collector) ?? isLooping
        isInfinitePage = members.bool("isInfinitePage", &collector) ?? isInfinitePage
        isAutoRolling = members.bool("isAutoRolling", &collector) ?? isAutoRolling
        autoRollingTimeInterval =
            members.length("autoRollingTimeInterval", &collector) ?? autoRollingTimeInterval
    }
}
