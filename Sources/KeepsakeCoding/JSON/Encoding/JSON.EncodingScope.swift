extension JSON {
  /// The encoder that a value gets.
  struct EncodingScope: Swift.Encoder {
    let handle: JSON.EncodingHandle

    var codingPath: [any CodingKey] { handle.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { handle.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      handle.opened(.object).container(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
      JSON.UnkeyedContainer(handle: handle.opened(.array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
      JSON.SingleContainer(handle: handle)
    }
  }
}

extension JSON.EncodingHandle {
  /// A handle for the object or array that this handle's value is.
  @inline(__always)
  func opened(_ shape: JSON.EncodingFrame.Shape) -> JSON.EncodingHandle {
    if isActive, state.pointee.frames.last.pointee.shape == .empty, state.pointee.canOpen() {
      state.pointee.open(shape)
      return self
    }
    return reopened(shape)
  }

  @inline(never)
  private func reopened(_ shape: JSON.EncodingFrame.Shape) -> JSON.EncodingHandle {
    if activate() {
      switch state.pointee.frames.last.pointee.shape {
      case .empty:
        guard state.pointee.canOpen() else {
          failTooDeep()
          return void
        }
        state.pointee.open(shape)
        return self
      case shape: return self
      default: break
      }
    }
    if let node = state.pointee.node(ticket), node.take(shape) { return self }
    guard ticket >= state.pointee.firstTicket else { return void }
    fail("Another kind of container or a value was already encoded here.")
    return void
  }

  /// Notes an error that the encoding will end with.
  func fail(_ description: String) {
    if state.pointee.failure == nil {
      state.pointee.failure = EncodingError.misused(at: codingPath, description)
    }
  }
}
