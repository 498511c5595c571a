#if os(Linux) && !KEEPSAKE_PORTABLE_CONTAINERS
/// Makes containers of a box.
///
/// The standard library's keyed containers have no size that is known here, so that to return one
/// takes the metadata of its type. A function that is generic over the keys would have the runtime
/// look for it each time; this object has it at hand.
final class KeyedContainerMaker<Container> {
  /// A container, whose reference to the box is not counted: the cache keeps the box as long as
  /// this object.
  private let container: UnsafeMutablePointer<Container>

  /// - Parameter box: The only thing that a container has, which is a reference to it.
  init(box: AnyObject) {
    precondition(MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size)
    container = .allocate(capacity: 1)
    UnsafeMutableRawPointer(container).storeBytes(
      of: Unmanaged.passUnretained(box).toOpaque(), as: UnsafeMutableRawPointer.self)
  }

  deinit { container.deallocate() }

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func make() -> Container { container.pointee }
}
#endif
