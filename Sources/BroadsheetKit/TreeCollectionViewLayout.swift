#if canImport(UIKit) && !os(watchOS)
    public import BroadsheetClient
    public import UIKit

    /// The layout of a collection view by the frames of a tree; ``TreeLayout`` has all arithmetic.
    public final class TreeCollectionViewLayout: UICollectionViewLayout {
        /// The tree; a new one invalidates the layout.
        public var tree: Tree {
            didSet {
                layout = TreeLayout(tree)
                invalidateLayout()
            }
        }
        private var layout: TreeLayout

        /// Creates the layout of a tree.
        public init(tree: Tree) {
            self.tree = tree
            layout = TreeLayout(tree)
            super.init()
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) { nil }

        override public var collectionViewContentSize: CGSize {
            CGSize(width: layout.contentSize.width, height: layout.contentSize.height)
        }

        override public var flipsHorizontallyInOppositeLayoutDirection: Bool { false }

        override public func layoutAttributesForElements(
            in rect: CGRect
        ) -> [UICollectionViewLayoutAttributes]? {
            layout.elements(
                in: TreeFrame(
                    x: rect.minX, y: rect.minY, width: rect.width, height: rect.height)
            ).map(Self.attributes)
        }

        override public func layoutAttributesForItem(
            at indexPath: IndexPath
        ) -> UICollectionViewLayoutAttributes? {
            layout.item(at: .init(section: indexPath.section, item: indexPath.item))
                .map(Self.attributes)
        }

        override public func layoutAttributesForSupplementaryView(
            ofKind elementKind: String, at indexPath: IndexPath
        ) -> UICollectionViewLayoutAttributes? {
            let isHeader = elementKind == UICollectionView.elementKindSectionHeader
            let view =
                isHeader
                ? layout.header(of: indexPath.section) : layout.footer(of: indexPath.section)
            return view.map(Self.attributes)
        }

        private static func attributes(
            of element: TreeElement
        ) -> UICollectionViewLayoutAttributes {
            let place = IndexPath(item: element.item, section: element.section)
            let attributes =
                switch element.kind {
                case .item, .scroller: UICollectionViewLayoutAttributes(forCellWith: place)
                case .header:
                    UICollectionViewLayoutAttributes(
                        forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
                        with: place)
                case .footer:
                    UICollectionViewLayoutAttributes(
                        forSupplementaryViewOfKind: UICollectionView.elementKindSectionFooter,
                        with: place)
                case .decoration:
                    UICollectionViewLayoutAttributes(
                        forDecorationViewOfKind: "decoration", with: place)
                }
            attributes.frame = CGRect(
                x: element.frame.x, y: element.frame.y, width: element.frame.width,
                height: element.frame.height)
            attributes.zIndex = element.zIndex
            return attributes
        }
    }

    extension UICollectionView {
        /// Shows an update: one batch update for each stage, and one more to reload sections whose
        /// header, footer or data has changed; or all again without changes.
        ///
        /// The data source has the sections of the layout's tree, each with as many items as
        /// `TreeLayout.itemCount(in:)` returns.
        public func apply(_ update: TreeUpdate, to layout: TreeCollectionViewLayout) {
            let batches = CollectionViewBatch.batches(
                of: update.changes, from: layout.tree, to: update.tree)
            guard let batches else {
                layout.tree = update.tree
                return reloadData()
            }
            for batch in batches {
                performBatchUpdates {
                    // The data source shows the tree of the layout, between two batches as well.
                    layout.tree = batch.tree
                    self.performOperations(of: batch)
                }
            }
            layout.tree = update.tree
        }

        private func performOperations(of batch: CollectionViewBatch) {
            deleteSections(IndexSet(batch.deleteSections))
            insertSections(IndexSet(batch.insertSections))
            for move in batch.moveSections { moveSection(move.from, toSection: move.to) }
            reloadSections(IndexSet(batch.reloadSections))
            deleteItems(at: batch.deleteItems.map(\.indexPath))
            insertItems(at: batch.insertItems.map(\.indexPath))
            for move in batch.moveItems { moveItem(at: move.from.indexPath, to: move.to.indexPath) }
            reloadItems(at: batch.reloadItems.map(\.indexPath))
        }
    }

    extension Changes.ItemPlace {
        fileprivate var indexPath: IndexPath { IndexPath(item: item, section: section) }
    }
#endif
