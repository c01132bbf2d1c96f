import Broadsheet

extension ParameterReader {
    /// How far from the content's origin a rectangle may lie, and how long it may be, in points.
    static let maxCoordinate = 1e9

    /// A rectangle as `x,y,width,height`; any of the four may be negative.
    func rectangle(_ name: String) throws(Problem) -> Frame? {
        let expected = "x,y,width,height: four numbers from -1e9 to 1e9"
        return try read(name, expected) { text in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
                .compactMap { DecimalNumber(String($0))?.value }
                .filter { $0.magnitude <= Self.maxCoordinate }
            // One that was dropped is missed here, and so is a fifth.
            guard numbers.count == 4, text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 3
            else { return nil }
            return Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
    }
}
