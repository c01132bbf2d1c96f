import Testing

@testable import Broadsheet

@Suite("The searches of actions") struct ActionSearchTests {
    @Test("An action whose searches take too many steps is refused at its event")
    func limit() throws {
        let registry = try Catalog(
            Array(
                #"{"units": {"LIST": {"cells": {"type": "C"}}}, "cellTypes": {"C": {"id": "/id"}}}"#
                    .utf8)
        ).registry
        let items = (0..<40).map { $0 % 2 == 0 ? #"{"id":"a"}"# : #"{"id":"a#\#($0)"}"# }
        let page =
            #"{"sections":[{"sectionId":"A","units":[{"unitType":"LIST","unitData":["#
            + items.joined(separator: ",") + "]}]}]}"
        var model = PaginatedViewModel()
        try model.load(
            ResolvedPage(
                page: ServerStatePage(JSONDocument(Array(page.utf8))), number: 0,
                registry: registry))
        var limits = EditLimits()
        limits.maxSteps = 50_000
        var updater = ScreenUpdater(
            ScreenEditor(
                model, LayoutParameters(), nil, registry, limits: limits, reserving: { _ in true }))
        var pointer: String?
        for event in 0..<20 where pointer == nil {
            let item = UpdateTarget.id("a#\(2 + event * 2)")
            let action = PreparedAction(
                event: event, target: ActionTarget(section: "A", part: .item(item)),
                operations: [.moveItems(section: "A", items: [item], toSection: nil, .end)])
            do throws(EditError) { _ = try updater.apply(action) } catch {
                guard case .tooLarge(let place, _) = error else { throw error }
                pointer = place
                #expect(place == "/events/\(event)")
            }
        }
        #expect(pointer != nil)
        #expect(pointer != "/events/0")
    }
}
