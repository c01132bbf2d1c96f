/// The place of a descriptor in its loop, which no later descriptor of the same number inherits.
package struct Registration: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32
    /// What the kernel watches; its owner deregisters before closing it.
    let descriptor: Int32

    /// The 64 bits that the kernel hands back with every event.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}

/// Who is told about which event.
///
/// One batch of events may hold one for a descriptor that an earlier event of the batch closed,
/// and whose number is another's by now. Generations make such an event find nobody.
struct RegistrationTable {
    private struct Slot {
        var handler: (any ReadinessHandler)?
        var generation: UInt32
        /// What the handler asked to be told in the next turn.
        var postponed: Readiness = []
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    /// How many handlers are registered.
    var count: Int { slots.count - free.count }

    /// Gives `handler` a place, where it hears of `descriptor`.
    mutating func add(_ handler: any ReadinessHandler, for descriptor: Int32) -> Registration {
        let slot = free.popLast() ?? UInt32(slots.count)
        if Int(slot) == slots.count { slots.append(Slot(handler: nil, generation: 0)) }
        slots[Int(slot)].handler = handler
        let generation = slots[Int(slot)].generation
        return Registration(slot: slot, generation: generation, descriptor: descriptor)
    }

    /// Frees the place of `registration`; one that is gone already is left alone.
    mutating func remove(_ registration: Registration) {
        guard self[registration.token] != nil else { return }
        slots[Int(registration.slot)].handler = nil
        slots[Int(registration.slot)].postponed = []
        slots[Int(registration.slot)].generation &+= 1
        free.append(registration.slot)
    }

    /// Lets go of every handler.
    mutating func removeAll() {
        slots = []
        free = []
    }

    /// The handler whose ``Registration/token`` this is, unless it has left.
    subscript(token: UInt64) -> (any ReadinessHandler)? {
        place(of: token).flatMap { slots[$0].handler }
    }

    /// Keeps `readiness` for the handler of `token`.
    ///
    /// - Returns: Whether it is the first to be kept there, so that it is announced once only.
    mutating func postpone(_ readiness: Readiness, for token: UInt64) -> Bool {
        guard let place = place(of: token) else { return false }
        defer { slots[place].postponed.formUnion(readiness) }
        return slots[place].postponed.isEmpty
    }

    /// Takes out what was kept for the handler of `token`.
    mutating func takePostponed(for token: UInt64) -> Readiness {
        guard let place = place(of: token) else { return [] }
        defer { slots[place].postponed = [] }
        return slots[place].postponed
    }

    private func place(of token: UInt64) -> Int? {
        let place = Int(token & 0xFFFF_FFFF)
        guard place < slots.count, slots[place].generation == UInt32(token >> 32) else {
            return nil
        }
        return place
    }
}
