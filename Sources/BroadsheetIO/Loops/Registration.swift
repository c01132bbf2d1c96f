/// A descriptor's registration with its loop, distinct from those of later descriptors of the same
/// number.
package struct Registration: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32
    /// The descriptor that the kernel monitors; its owner deregisters before closing it.
    let descriptor: Int32

    /// The 64 bits that the kernel returns with every event.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}

/// The owner of a registered descriptor.
package protocol ReadinessHandler: AnyObject {
    /// Handles a change of the descriptor's readiness; called on the loop's thread only.
    func becameReady(_ readiness: Readiness)
}

/// The handlers that are registered with a loop, by token.
///
/// One batch of events may hold one for a descriptor that an earlier event of the batch closed,
/// and whose number a new descriptor has already. Generations make such an event find no handler.
struct RegistrationTable {
    private struct Slot {
        var handler: (any ReadinessHandler)?
        var generation: UInt32
        /// The readiness to deliver in the next turn.
        var postponed: Readiness = []
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    /// The number of registered handlers.
    var count: Int { slots.count - free.count }

    /// Adds `handler`, which receives the events of `descriptor`.
    mutating func add(_ handler: any ReadinessHandler, for descriptor: Int32) -> Registration {
        let slot = free.popLast() ?? UInt32(slots.count)
        if Int(slot) == slots.count { slots.append(Slot(handler: nil, generation: 0)) }
        slots[Int(slot)].handler = handler
        let generation = slots[Int(slot)].generation
        return Registration(slot: slot, generation: generation, descriptor: descriptor)
    }

    /// Removes `registration`; does nothing when it has been removed already.
    mutating func remove(_ registration: Registration) {
        guard self[registration.token] != nil else { return }
        slots[Int(registration.slot)].handler = nil
        slots[Int(registration.slot)].postponed = []
        slots[Int(registration.slot)].generation &+= 1
        free.append(registration.slot)
    }

    /// Releases every handler.
    mutating func removeAll() {
        slots = []
        free = []
    }

    /// The handler whose ``Registration/token`` this is, unless it has been removed.
    subscript(token: UInt64) -> (any ReadinessHandler)? {
        index(of: token).flatMap { slots[$0].handler }
    }

    /// Stores `readiness` for the handler of `token`.
    ///
    /// - Returns: `true` if nothing was stored for it before, so that it is scheduled once only.
    mutating func postpone(_ readiness: Readiness, for token: UInt64) -> Bool {
        guard let index = index(of: token) else { return false }
        defer { slots[index].postponed.formUnion(readiness) }
        return slots[index].postponed.isEmpty
    }

    /// Removes and returns the readiness that is stored for the handler of `token`.
    mutating func takePostponed(for token: UInt64) -> Readiness {
        guard let index = index(of: token) else { return [] }
        defer { slots[index].postponed = [] }
        return slots[index].postponed
    }

    private func index(of token: UInt64) -> Int? {
        let index = Int(token & 0xFFFF_FFFF)
        guard index < slots.count, slots[index].generation == UInt32(token >> 32) else {
            return nil
        }
        return index
    }
}
