import Broadsheet
import FoundationEssentials
import Testing

// The Swift code in docs/custom-layouts.md, as in `GuideExamples.swift`.

/// A section of the example, as a backend's model.
private struct PhotoSection: ServerStateSectionRepresentable {
    var sectionId: String?
    var header: (any ServerStateUnitRepresentable)?
    var units: [any ServerStateUnitRepresentable]
}

private struct PhotoUnit: ServerStateUnitRepresentable {
    var unitType: String
    var unitData: (any Encodable & Sendable)?
}

private struct Photo: Encodable, Sendable {
    var id: String
    var width: Double
    var height: Double
}

@Suite("Swift in docs/custom-layouts.md")
struct CustomLayoutExamples {
    private static let catalog = #"""
        {"units": {"PHOTOS": {"cells": {"type": "Photo"}}, "TITLE": {"header": {"type": "Title"}}},
         "cellTypes": {
           "Title": {"size": {"height": 44}, "picture": {"title": ""}},
           "Photo": {"id": "/id", "size": {
             "height": {"ratio": {"width": "/width", "height": "/height"}}}}}}
        """#

    /// The sizes of the photos.
    private static let photos = [
        (3, 4), (4, 3), (1, 1), (2, 3), (16, 9), (3, 4), (1, 1), (4, 3), (2, 3), (1, 2), (3, 2),
    ].enumerated().map { Photo(id: "\($0 + 1)", width: $1.0, height: $1.1) }

    private func page() throws -> ServerStatePage {
        try ServerStatePage(
            hasNext: false,
            sections: [
                PhotoSection(
                    sectionId: "Photos", header: PhotoUnit(unitType: "TITLE", unitData: "Photos"),
                    units: [PhotoUnit(unitType: "PHOTOS", unitData: Self.photos)])
            ])
    }

    @Test("A masonry is set on a section and drawn, as docs/pictures/masonry.svg shows it")
    func masonry() throws {
        let (catalog, page) = (Array(Self.catalog.utf8), try page())
        // [register]
        var registry = try Catalog(catalog).registry
        registry.setLayout(
            SectionLayout(
                .custom(
                    Masonry(), columns: 3, lineSpacing: 8, interitemSpacing: 8,
                    inset: Insets(top: 8, left: 16, bottom: 16, right: 16)),
                pinHeader: true),
            forSection: "Photos")
        // [/register]
        // [draw]
        let composer = Composer(registry: registry)
        let parameters = LayoutParameters(viewport: Viewport(width: 320, height: 300, scale: 2))
        let screen = composer.screen(of: try composer.viewModel(of: [page]), parameters)
        let picture = PictureWriter.write(
            screen, composer.frames(of: screen, parameters), viewport: parameters.viewport,
            title: "masonry")
        // [/draw]
        try expectPicture(picture, "masonry")
        let laidOut = LaidOutScreen(screen, parameters)
        #expect(laidOut.sections[0].header?.frame == Frame(x: 0, y: 0, width: 320, height: 44))
        #expect(laidOut.sections[0].items.first?.frame.y == 52)
        #expect(laidOut.frames.diagnostics.isEmpty)
    }

    @Test("A mosaic gives items of different widths")
    func mosaic() throws {
        var registry = try Catalog(Array(Self.catalog.utf8)).registry
        registry.setLayout(
            .custom(Mosaic(), lineSpacing: 10, interitemSpacing: 10), forSection: "Photos")
        let composer = Composer(registry: registry)
        let screen = composer.screen(of: try composer.viewModel(of: [page()]))
        let parameters = LayoutParameters(viewport: Viewport(width: 310, height: 300, scale: 1))
        let items = LaidOutScreen(screen, parameters).sections[0].frames.items.prefix(4)
        #expect(
            Array(items) == [
                Frame(x: 0, y: 44, width: 310, height: 413),
                Frame(x: 0, y: 467, width: 150, height: 113),
                Frame(x: 160, y: 467, width: 150, height: 150),
                Frame(x: 0, y: 627, width: 150, height: 225),
            ])
    }

    @Test("A catalog uses a size rule of the program")
    func sizeRule() throws {
        // [size-rule]
        let largest = CustomSizeRule("largest") { parts, _ in parts.max() ?? 0 }
        let catalog = try Catalog(
            Array(
                #"""
                {"units": {"CARDS": {"cells": {"type": "Card"}}},
                 "cellTypes": {"Card": {"size": {
                   "width": 120,
                   "height": {"largest": [48, {"ratio": 0.75}, {"value": "/height"}]}}}}}
                """#.utf8),
            sizeRules: [largest])
        // [/size-rule]
        let page = #"{"sections": [[{"unitType": "CARDS", "unitData": [{"height": 200}, {}]}]]}"#
        let composer = Composer(registry: catalog.registry)
        let model = try composer.viewModel(of: [
            composer.page(in: composer.document(of: Array(page.utf8)))
        ])
        let items = LaidOutScreen(composer.screen(of: model)).sections[0].items
        #expect(items.map(\.frame.height) == [200, 90])
    }

    /// Compares a picture with that of the documents; with `BROADSHEET_DRAW` it replaces that.
    private func expectPicture(_ picture: [UInt8], _ name: String) throws {
        let package = URL(filePath: "\(#filePath)/../../..").standardized
        let file = package.appending(path: "../../docs/pictures/\(name).svg").standardized
        if ProcessInfo.processInfo.environment["BROADSHEET_DRAW"] != nil {
            try Data(picture).write(to: file)
        }
        #expect(
            try Data(contentsOf: file) == Data(picture),
            "\(file.path) differs; BROADSHEET_DRAW=1 redraws it")
    }
}
