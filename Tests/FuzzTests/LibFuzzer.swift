import Glibc
import TestSupport

// The functions that libFuzzer calls (https://llvm.org/docs/LibFuzzer.html). `make fuzz` compiles
// this file where the toolchain has libFuzzer, and links it by hand: SwiftPM cannot link a program
// whose `main` is libFuzzer's.

/// The target of this process, which the environment names.
private let target: FuzzTarget = {
    let name = getenv("BROADSHEET_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let found = FuzzTarget.all.first(where: { $0.name == name }) else {
        printError("no target \(name)")
        exit(1)
    }
    return found
}()

private let check: FuzzTarget.Check = {
    do { return try target.makeCheck() } catch {
        printError("\(error)")
        exit(1)
    }
}()

/// Prints the names of all targets, and ends, unless the environment names one.
@_cdecl("LLVMFuzzerInitialize")
public func prepareForLibFuzzer(
    _: UnsafeMutablePointer<Int32>?,
    _: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
    guard getenv("BROADSHEET_FUZZ_TARGET") == nil else { return 0 }
    for target in FuzzTarget.all { print(target.name) }
    exit(0)
}

/// Checks one input, and aborts if a property does not hold: libFuzzer then writes it to a file.
@_cdecl("LLVMFuzzerTestOneInput")
public func checkInputOfLibFuzzer(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    var random = FuzzTarget.random(for: input)
    do { try check(input, &random) } catch {
        printError("\(target.name): \(error)")
        abort()
    }
    return 0
}

/// Mutates an input: half of the time like libFuzzer, otherwise with the mutators of this project,
/// which know the grammars; one time in eight these begin with a well-formed input.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateForLibFuzzer(
    _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: UInt32
) -> Int {
    var random = SeededGenerator(seed: UInt64(seed))
    let choice = random.next() % 8
    guard choice < 4 else { return mutateAsLibFuzzer(bytes, count, capacity) }
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let variant = Mutator.input(from: choice == 0 ? target.seeds : [input], &random)
    let kept = variant.prefix(capacity)
    _ = UnsafeMutableBufferPointer(start: bytes, count: capacity).update(fromContentsOf: kept)
    return kept.count
}

/// Mutates an input as libFuzzer does without mutators of a project.
///
/// The calling convention of C is that of Swift for such parameters.
@_silgen_name("LLVMFuzzerMutate")
private func mutateAsLibFuzzer(
    _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int
) -> Int
