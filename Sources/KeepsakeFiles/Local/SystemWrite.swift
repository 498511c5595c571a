#if os(Linux) || os(Android)
import CSystemCalls
#elseif canImport(Darwin)
import Darwin
#endif

/// write(2), for types whose own `write` method hides it.
func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if os(Linux) || os(Android)
  keepsake_write(descriptor, bytes, UInt(count))
  #else
  write(descriptor, bytes, count)
  #endif
}
