import Broadsheet
import BroadsheetIO

/// The memory of edits, by the sizes of the values that they make.
extension MemoryCost {
    /// The bytes for a node of a request that edits pages.
    ///
    /// An element that is inserted becomes an element of an array under edit (100 bytes) and an
    /// item (48). A member of a merge patch, of two nodes, becomes an entry of a table (300).
    static let requestNode = 192
    /// The bytes for a step of a path of a patch: the container that it leads to is divided into
    /// runs of elements, or gets a table of its changes.
    static let patchedStep = 512
    /// The bytes for a node of a page that is opened for an update: the contract (``node``), the
    /// height (2), and the item of an element (48).
    static let openedNode = 56
    /// The bytes for an item of a page that is opened for an update, in the lists and sets of the
    /// items that an operation names.
    static let openedItem = 192
    /// The bytes for each placement of each unit of a page that is opened for an update, of which
    /// each has lists of its own.
    static let openedPlacement = 448
    /// The bytes for an item in the directory of a screen, which is copied when it grows.
    static let directoryItem = 64
    /// The bytes for a page or a section in the directory of the sections of an update.
    static let directorySection = 256

    /// Returns the memory to patch the bytes of a page: its index and the heights of its values,
    /// the divided containers, and the outcome.
    ///
    /// - Parameter count: The number of bytes of the patch. Only an operation that copies values
    ///   of the page can make the page grow by more.
    static func patching(
        _ page: [UInt8], by patch: PagePatch, bodyOf count: Int, _ limits: EditLimits
    ) -> Int {
        let outcome =
            patch.copiesValues ? max(page.count, limits.maxPageBytes) : page.count + count
        return indexing(bytes: page.count) + 2 * page.count + patch.stepCount * patchedStep
            + outcome
    }

    /// Returns the memory to search a screen for the items of an update, and to read a unit with
    /// values of the request again; pages are reserved when they are opened.
    static func updating(_ model: PaginatedViewModel, bodyOf count: Int) -> Int {
        model.itemCount * directoryItem + (model.pageCount + model.sectionCount) * directorySection
            + indexing(bytes: count)
    }
}

extension ItemDirectory {
    /// Takes the memory of the directory from the reservation of an update, for as long as a copy
    /// of the screen uses it.
    func takeMemory(from reservation: MemoryReservation) {
        keep(reservation.split(byteCount, for: .screens))
    }
}

extension MemoryCost {
    static func editing(_ stage: EditStage, maxItems: Int, by registry: CellRegistry) -> Int {
        switch stage {
        case .opening(let count): indexing(bytes: count)
        // The memory for the first index remains, for units that are read again.
        case .reading(let document, let items):
            document.indexByteCount + document.nodeCount * openedNode + items * openedItem
        case .listing(let units): units * registry.maxPlacements * openedPlacement
        case .writing(let count): count + indexing(bytes: count)
        case .resolving(let document):
            reading(document, maxItems: maxItems, by: registry)
                - indexing(bytes: document.bytes.count)
        }
    }
}
