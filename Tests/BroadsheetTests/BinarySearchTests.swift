import Testing

@testable import BroadsheetCollections

@Suite("Binary search")
struct BinarySearchTests {
    @Test("The index is the number of elements in the first part", arguments: 0...33)
    func partitionsEveryRange(count: Int) {
        for first in 0...count {
            #expect((0..<count).partitioningIndex { $0 >= first } == first)
        }
    }

    @Test("An index of a slice is one of the slice's own")
    func partitionsSlices() {
        let slice = [1, 3, 5, 7, 9][1...3]
        #expect(slice.partitioningIndex { $0 > 4 } == 2)
        #expect(slice.partitioningIndex { $0 > 0 } == 1)
        #expect(slice.partitioningIndex { $0 > 9 } == 4)
    }
}
