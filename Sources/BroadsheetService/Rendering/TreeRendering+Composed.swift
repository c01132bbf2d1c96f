import Broadsheet

/// Answers of pages that are not stored, for nobody to ask for again.
extension TreeRendering {
    /// The tree of all pages.
    func tree(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) -> [UInt8] {
        measured {
            let screen = Self.laidOut(model, by: registry, parameters)
            return TreeWriter.write(
                screen.merged, screen.frames, viewport: parameters.viewport,
                envelope: TreeEnvelope(hasNext: screen.merged.hasNext),
                options: parameters.treeOptions)
        }
    }

    /// The trees of all pages in many viewports, which `parameters` differ in only.
    ///
    /// The pages are merged once.
    func trees(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: [LayoutParameters]
    ) -> [UInt8] {
        measured {
            let first = parameters.first ?? LayoutParameters()
            let merged = model.merged(collapsed: first.collapsed.texts, registry: registry)
            let layouts = parameters.map {
                (viewport: $0.viewport, frames: LaidOutScreen(merged, $0).frames)
            }
            return TreeWriter.write(
                merged, layouts: layouts, envelope: TreeEnvelope(hasNext: merged.hasNext),
                options: first.treeOptions)
        }
    }

    /// A picture of all pages.
    func picture(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) -> [UInt8] {
        measured {
            var parameters = parameters
            parameters.lint = false
            let screen = Self.laidOut(model, by: registry, parameters)
            return PictureWriter.write(
                screen.merged, screen.frames, viewport: parameters.viewport,
                title: "composed, up to page \(screen.merged.page)")
        }
    }

    private static func laidOut(
        _ model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) -> LaidOutScreen {
        LaidOutScreen(
            model.merged(collapsed: parameters.collapsed.texts, registry: registry), parameters)
    }
}
