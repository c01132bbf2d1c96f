import BroadsheetIO

/// The memory of what a connection has received, and of what its client has not read.
extension Connection {
    /// The number of bytes for which nothing is reserved: a usual head, or a short response.
    ///
    /// So most requests do without a reservation, and 10,000 connections have 40 MB at most.
    static var unreservedBytes: Int { 4 << 10 }

    /// Reserves the memory to read `count` more bytes of a body, or begins to wait for it.
    ///
    /// - Returns: A Boolean value that indicates whether the memory is reserved.
    func reserveBody(reading count: Int) -> Bool {
        let needed = parser.bufferedByteCount(reading: count)
        if reserveInput(needed) { return true }
        let waiter = MemoryWaiter(for: needed - (inputMemory?.count ?? 0), .requests)
        waiter.onEnd { [self] isGranted in
            loop.submit { [self] in memoryWaitEnded(waiter, isGranted: isGranted) }
        }
        // The window of the transfer continues: what the client sends meanwhile waits in the
        // socket, and counts when it is read. Otherwise each wait would begin a new window, and
        // slow clients would stay as long as there is little memory.
        memoryWaiter = waiter
        setDeadline(MemoryBudget.maxWait)
        shard.memory.enqueue(waiter)
        return false
    }

    /// Continues to read the body, or refuses it.
    private func memoryWaitEnded(_ waiter: MemoryWaiter, isGranted: Bool) {
        guard memoryWaiter === waiter else {
            // The connection was closed meanwhile.
            if isGranted { shard.memory.giveBack(waiter) }
            return
        }
        memoryWaiter = nil
        guard isGranted else { return refuseForMemory() }
        inputMemory?.adopt(waiter)
        waitForInput()
        receive()
    }

    private func refuseForMemory() {
        shard.memory.countRefusal(of: .requests)
        fail(.outOfMemory)
    }

    /// Reserves the memory of the bytes that the parser keeps after it was fed, and passes it on
    /// with a request.
    ///
    /// - Returns: `action`, or the failure if there is no memory for bytes that were read already:
    ///   those of the next head, or of the beginning of a body.
    func settled(_ action: HTTPParserAction) -> HTTPParserAction {
        var action = action
        if case .request(let request) = action, request.byteCount > Self.unreservedBytes {
            guard let owned = passMemory(to: request) else { return memoryFailure() }
            action = .request(owned)
        }
        let kept = parser.bufferedByteCount
        if kept <= Self.unreservedBytes {
            inputMemory = nil
        } else if reserveInput(kept) {
            inputMemory?.shrink(to: kept)
        } else {
            return memoryFailure()
        }
        return action
    }

    private func passMemory(to request: HTTPRequest) -> HTTPRequest? {
        let count = request.byteCount
        guard reserveInput(count) else { return nil }
        var request = request
        inputMemory?.shrink(to: count)
        request.memory = inputMemory
        inputMemory = nil
        return request
    }

    private func memoryFailure() -> HTTPParserAction {
        shard.memory.countRefusal(of: .requests)
        return .failure(.outOfMemory)
    }

    /// Makes the reservation of what was received at least `count` bytes large.
    private func reserveInput(_ count: Int) -> Bool {
        guard count > Self.unreservedBytes else { return true }
        let memory = inputMemory ?? MemoryReservation(in: shard.memory, for: .requests)
        inputMemory = memory
        return count <= memory.count || memory.resize(to: count)
    }

    /// Frees what was received and returns what was reserved for it, when the connection ends.
    ///
    /// A handler that still runs may keep the connection, but only its request's memory counts.
    func releaseInput() {
        parser.discard()
        inputMemory = nil
        guard let waiter = memoryWaiter else { return }
        memoryWaiter = nil
        shard.memory.cancel(waiter)
    }

    /// Reserves the memory of the part of a response that the kernel has not accepted, unless that
    /// has an owner.
    ///
    /// A response has begun, so its client cannot receive a problem instead: without memory the
    /// connection is reset.
    func reserveOutput(for outbox: inout Outbox) -> Bool {
        if outbox.owner == nil { outbox.owner = exchange?.contentOwner }
        let count = outbox.unownedByteCount
        guard count > Self.unreservedBytes || outbox.memory != nil else { return true }
        let memory = outbox.memory ?? MemoryReservation(in: shard.memory, for: .responses)
        outbox.memory = memory
        if memory.resize(to: count) { return true }
        shard.memory.countRefusal(of: .responses)
        return false
    }
}

extension HTTPRequest {
    fileprivate var byteCount: Int { headers.bytes.count + body.capacity }
}
