import BroadsheetCollections

/// The places of a screen's items by their ids in the tree.
///
/// It belongs to one merged screen. The items of a bucket are in the order of the tree, so that
/// those of one section are found in it by binary search, however many other sections have the same
/// id. The hash has secrets, so that posted ids cannot be chosen to meet in a bucket.
package struct PlacedItemIndex: Sendable {
    private let bits: Int
    /// The number of the first item of each section, and the number of all items.
    private let starts: [UInt32]
    /// The end of each bucket in the numbers.
    private let ends: [UInt32]
    /// The numbers of the items by buckets, ascending in each.
    private let numbers: [UInt32]

    /// The number of items after which the pass over them gives way.
    private static let itemsOfCheckpoint = 1 << 14

    /// Indexes a screen; without the rest of its items once the work is abandoned (``LongWork``).
    ///
    /// - Complexity: O(sections + items).
    package init(_ screen: MergedScreen) {
        // At most a bucket for each item.
        let bits = Int.bitWidth - 1 - max(1, screen.itemCount).leadingZeroBitCount
        var (starts, buckets): ([UInt32], [UInt32]) = ([0], [])
        starts.reserveCapacity(screen.sections.count + 1)
        buckets.reserveCapacity(screen.itemCount)
        for section in screen.sections where !LongWork.isDropped {
            section.forEachIdHash { hash in
                buckets.append(Self.bucket(of: hash, bits))
                if buckets.count % Self.itemsOfCheckpoint == 0 { _ = LongWork.isAbandoned() }
            }
            starts.append(UInt32(truncatingIfNeeded: buckets.count))
        }
        var ends = [UInt32](repeating: 0, count: (1 << bits) + 1)
        for bucket in buckets { ends[Int(bucket) + 1] += 1 }
        for bucket in 1..<ends.count { ends[bucket] += ends[bucket - 1] }
        var numbers = [UInt32](repeating: 0, count: buckets.count)
        for (number, bucket) in buckets.enumerated() {
            numbers[Int(ends[Int(bucket)])] = UInt32(truncatingIfNeeded: number)
            ends[Int(bucket)] += 1
        }
        (self.bits, self.starts, self.ends, self.numbers) = (bits, starts, ends, numbers)
    }

    package var byteCount: Int {
        (starts.count + ends.count + numbers.count) * MemoryLayout<UInt32>.stride
    }

    /// Returns the largest size of an index while it is made, in bytes.
    package static func maxByteCount(sections: Int, items: Int) -> Int {
        // Numbers, buckets and ends.
        (sections + 3 * items + 4) * MemoryLayout<UInt32>.stride
    }

    /// Returns the places of the items that can have an id, in the order of the tree.
    func places(of id: [UInt8]) -> some Sequence<PlacedItem> {
        bucket(of: id).lazy.map { number in
            let section = starts.partitioningIndex { $0 > number } - 1
            return PlacedItem(section: section, item: Int(number - starts[section]))
        }
    }

    /// Returns the places in a section of the items that can have an id.
    ///
    /// - Complexity: O(log items), and O(1) for each place.
    func places(of id: [UInt8], inSection section: Int) -> some Sequence<PlacedItem> {
        let hasSection = section + 1 < starts.count
        let items = hasSection ? starts[section]..<starts[section + 1] : 0..<0
        let bucket = bucket(of: id)
        let first = bucket.partitioningIndex { $0 >= items.lowerBound }
        return bucket[first...].lazy.prefix { $0 < items.upperBound }.map { number in
            PlacedItem(section: section, item: Int(number - items.lowerBound))
        }
    }

    private func bucket(of id: [UInt8]) -> ArraySlice<UInt32> {
        let bucket = Int(Self.bucket(of: TextHash.ofIdentity(id), bits))
        return numbers[Int(bucket == 0 ? 0 : ends[bucket - 1])..<Int(ends[bucket])]
    }

    private static func bucket(of hash: UInt32, _ bits: Int) -> UInt32 {
        bits == 0 ? 0 : hash >> UInt32(32 - min(bits, 32))
    }
}

extension MergedSection {
    /// Calls `body` with the hash of the id of each item in the tree, in their order.
    ///
    /// - Complexity: O(items).
    fileprivate func forEachIdHash(_ body: (UInt32) -> Void) {
        var suffixes = suffixes.makeIterator()
        var suffix = suffixes.next()
        var item = 0
        for part in parts {
            let page = part.page
            page.bytes.withUnsafeBytes { bytes in
                for cell in part.cells {
                    defer { item += 1 }
                    guard suffix?.item != item else {
                        body(TextHash.ofIdentity(id(of: cell, in: page, at: item)))
                        suffix = suffixes.next()
                        continue
                    }
                    guard case .text(let range, hasEscapes: false) = cell.id else {
                        body(TextHash.ofIdentity(page.text(of: cell.id)))
                        continue
                    }
                    let text = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
                    body(TextHash.ofProcess(UnsafeRawBufferPointer(rebasing: text)))
                }
            }
        }
    }
}
