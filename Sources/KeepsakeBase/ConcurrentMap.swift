import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The results of a closure for each of the numbers from 0, computed by all processors if there are many.
///
/// - Parameters:
///   - count: How many numbers.
///   - transform: Takes some microseconds; for fewer than 64 numbers, threads would cost more than that.
/// - Throws: The error of a number with no other error before it, after which none of its processor's were
///   computed.
package func concurrentMap<Output: Sendable, Failure: Error>(
  _ count: Int, _ transform: @Sendable (Int) throws(Failure) -> Output
) throws(Failure) -> [Output] {
  let parts = count < 64 ? 1 : min(count, ProcessInfo.processInfo.activeProcessorCount)
  if parts == 1 { return try (0..<count).map(transform) }
  let results = Mutex([Result<[Output], Failure>?](repeating: nil, count: parts))
  DispatchQueue.concurrentPerform(iterations: parts) { part in
    let numbers = part * count / parts..<(part + 1) * count / parts
    let result = Result { () throws(Failure) in try numbers.map(transform) }
    results.withLock { $0[part] = result }
  }
  var outputs: [Output] = []
  outputs.reserveCapacity(count)
  for result in results.withLock({ $0 }) { outputs += try result!.get() }
  return outputs
}
