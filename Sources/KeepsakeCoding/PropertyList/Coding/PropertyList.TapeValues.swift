extension PropertyList {
  /// The values of a tape: valid as long as somebody holds the storage.
  struct TapeValues {
    let state: UnsafeMutablePointer<State>

    /// What changes while values are decoded is where the tape goes on: a decoder is not `Sendable`,
    /// so one thread at a time does it.
    struct State {
      var tape: Tape
      let userInfo: [CodingUserInfoKey: any Sendable]
      /// The storage itself, which owns this.
      var storage: Unmanaged<TapeStorage>?
      /// Containers to be used again, until the decoding ends.
      var containers: KeyedContainerCache<TapeCell>?
    }

    @inline(__always)
    var storage: TapeStorage {
      state.pointee.storage.unsafelyUnwrapped.takeUnretainedValue()
    }

    @inline(__always)
    func decoder(at index: Int) -> TapeDecoder { TapeDecoder(storage: storage, index: index) }
  }

  /// The dictionary that a keyed container is for.
  struct TapeCell: ContainerCell {
    /// Kept, so that the values are.
    var storage: TapeStorage?
    var values: TapeValues
    var index: Int
    /// The number of the container's type of keys.
    let keyType: UInt32
  }
}

extension PropertyList.TapeValues {
  /// A container for the values of a dictionary.
  @inline(__always)
  func container<Key: CodingKey>(
    at index: Int, keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard state.pointee.tape.kind(index) == .dictionary else {
      throw mismatch([String: Any].self, at: index)
    }
    guard let entry = state.pointee.containers?.idleEntry(for: type),
      let cell = entry.pointee.cell
    else { return newContainer(at: index, keyedBy: type) }
    cell.pointee.index = index
    state.pointee.tape.noteKeyType(cell.pointee.keyType, of: index)
    // What it was for last may have been another decoding's: one that ended, or one that a kept
    // container has held until now.
    if cell.pointee.storage == nil || cell.pointee.values.state != state {
      cell.pointee.storage = storage
      cell.pointee.values = self
    }
    return entry.pointee.container(KeyedDecodingContainer<Key>.self)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    at index: Int, keyedBy type: Key.Type
  ) -> KeyedDecodingContainer<Key> {
    let cell = UnsafeMutablePointer<PropertyList.TapeCell>.allocate(capacity: 1)
    let keyType = KeyTypes.number(of: type)
    cell.initialize(
      to: PropertyList.TapeCell(storage: storage, values: self, index: index, keyType: keyType))
    state.pointee.tape.noteKeyType(keyType, of: index)
    let container = KeyedDecodingContainer(PropertyList.TapeKeyedContainer<Key>(cell: cell))
    if let cache = state.pointee.containers {
      cache.insert(container, for: type, cell: cell)
    } else {
      // Of a decoder that somebody has kept beyond the decoding.
      let cache = PropertyList.TapeStorage.containers.take()
      cache.insert(container, for: type, cell: cell)
      PropertyList.TapeStorage.containers.giveBack(cache) { $0.storage = nil }
    }
    return container
  }
}
