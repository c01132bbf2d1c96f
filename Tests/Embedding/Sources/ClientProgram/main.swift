import BroadsheetClient

// A program of the client library alone: the tests build and link it, and run it.

let carousel = Carousel(
    options: PagingOptions(isLooping: true), pageCount: 5, viewportLength: 375,
    contentLength: 1615, sectionInset: AxisEnds(leading: 37.5, trailing: 37.5), itemLength: 300,
    lineSpacing: 10)
let number: TreeNumber = 9_007_199_254_740_993
let tree = try Tree(
    json: #"{"revision": 18446744073709551615, "sections": []}"#.utf8)
print(carousel.targetOffset(releasedAt: 500, velocity: 0), number.text, tree.revision ?? 0)
