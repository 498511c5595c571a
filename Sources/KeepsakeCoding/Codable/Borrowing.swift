// Generic code copies what it takes out of memory, and counts every reference in it up and down.
// A type that might not be copyable can only be borrowed, even if it is copyable in the end.

/// Calls a function with an element, which is not copied for it.
@inlinable @inline(__always)
func borrow<Element: ~Copyable, Failure>(
  _ element: Int, of elements: UnsafePointer<Element>,
  _ body: (borrowing Element) throws(Failure) -> Void
) throws(Failure) {
  try body(elements[element])
}

/// Calls a function with what an optional value holds, if anything, which is not copied for it.
@inline(__always)
func borrow<Wrapped: ~Copyable>(
  _ value: borrowing Wrapped?, _ body: (borrowing Wrapped) throws -> Void
) rethrows {
  switch value {
  case .some(let wrapped): try body(wrapped)
  case .none: break
  }
}
