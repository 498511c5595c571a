/// What a keyed container refers to.
protocol ContainerCell {
  /// Frees what only the cell refers to; the cell is not used again.
  func free()
}

/// The cell of a keyed container.
///
/// Where a cache of containers owns the cells, a reference to be counted would take longer than what
/// the container does.
struct CellReference<Cell: ContainerCell> {
  let pointer: UnsafeMutablePointer<Cell>

  #if !os(Linux) || KEEPSAKE_PORTABLE_CONTAINERS
  private final class Owner {
    let pointer: UnsafeMutablePointer<Cell>

    init(_ pointer: UnsafeMutablePointer<Cell>) { self.pointer = pointer }

    deinit {
      pointer.pointee.free()
      pointer.deinitialize(count: 1)
      pointer.deallocate()
    }
  }

  private let owner: Owner
  #endif

  init(_ cell: consuming Cell) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: cell)
    #if !os(Linux) || KEEPSAKE_PORTABLE_CONTAINERS
    owner = Owner(pointer)
    #endif
  }
}
