import BroadsheetClient
import Foundation
import Testing

/// The cases of the conformance kit (Fixtures/conformance).
private enum Kit {
    /// Returns the cases of a file.
    static func cases<Case: Decodable>(_ file: String) throws -> [Case] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Fixtures/conformance/\(file)"))
        return try JSONDecoder().decode([Case].self, from: data)
    }

    /// Changes of a tree.
    struct ChangesCase: Decodable {
        let name: String
        let tree: Tree
        let changes: Changes
        let expected: Tree?
        let error: Bool?
    }

    /// A carousel with results of its functions.
    struct CarouselCase: Decodable {
        /// The lengths of the carousel.
        struct Lengths: Decodable {
            let isAlignCenter, isLooping: Bool
            let pageCount, copies: Int
            let viewportLength, contentLength, itemLength, lineSpacing: Double
            let contentInset, sectionInset: [Double]

            var carousel: Carousel {
                Carousel(
                    options: PagingOptions(isAlignCenter: isAlignCenter, isLooping: isLooping),
                    pageCount: pageCount, copies: copies, viewportLength: viewportLength,
                    contentLength: contentLength, contentInset: ends(contentInset),
                    sectionInset: ends(sectionInset), itemLength: itemLength,
                    lineSpacing: lineSpacing)
            }

            private func ends(_ lengths: [Double]) -> AxisEnds {
                AxisEnds(leading: lengths.first ?? 0, trailing: lengths.last ?? 0)
            }
        }

        let name: String
        let lengths: Lengths
        let values: [String: Double]
        let pageIndex, release: [[Double]]
        let step, remap: [[Double?]]
    }
}

@Suite("The conformance kit (docs/web.md, Conformance kit)")
struct ConformanceTests {
    @Test("Changes lead to the expected trees, or are an error that leaves the tree as it was")
    func changes() throws {
        let cases: [Kit.ChangesCase] = try Kit.cases("changes.json")
        #expect(cases.count >= 300)
        for one in cases {
            var tree = one.tree
            if one.error == true {
                #expect(throws: ChangesError.self, "\(one.name)") {
                    try one.changes.apply(to: &tree)
                }
                #expect(tree == one.tree, "\(one.name)")
            } else {
                try one.changes.apply(to: &tree)
                #expect(tree == one.expected, "\(one.name)")
            }
        }
    }

    @Test("Carousels have the expected offsets")
    func carousels() throws {
        let cases: [Kit.CarouselCase] = try Kit.cases("carousel.json")
        #expect(cases.count >= 200)
        for one in cases {
            let carousel = one.lengths.carousel
            let values = [
                "pageLength": carousel.pageLength, "sectionLength": carousel.sectionLength,
                "slack": carousel.slack, "lastPage": carousel.lastPage,
                "minOffset": carousel.minOffset, "maxOffset": carousel.maxOffset,
                "initialOffset": carousel.initialOffset, "finalOffset": carousel.finalOffset,
                "copyLength": carousel.copyLength,
            ]
            #expect(values.keys.sorted() == one.values.keys.sorted())
            for (name, value) in one.values {
                #expect(isClose(values[name], value), "\(one.name) \(name)")
            }
            checkMoves(of: carousel, one)
        }
    }

    private func checkMoves(of carousel: Carousel, _ one: Kit.CarouselCase) {
        for row in one.pageIndex {
            #expect(Double(carousel.pageIndex(at: row[0])) == row[1], "\(one.name) \(row)")
        }
        for row in one.release {
            let target = carousel.targetOffset(releasedAt: row[0], velocity: row[1])
            #expect(isClose(target, row[2]), "\(one.name) \(row)")
        }
        for row in one.step {
            let target = carousel.targetOffset(
                steppingBy: Int(row[0] ?? 0), from: row[1] ?? 0)
            #expect(isClose(target, row[2]), "\(one.name) \(row)")
        }
        for row in one.remap {
            #expect(isClose(carousel.remappedOffset(row[0] ?? 0), row[1]), "\(one.name) \(row)")
        }
    }

    private func isClose(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return one == other }
        return abs(one - other) <= 1e-9
    }
}
