extension PropertyList {
  /// What an encoding has to keep while it lasts.
  ///
  /// Encoders and containers point to it without counting references. That is safe for two reasons.
  /// The memory of a state is never given back: states are used again. And whoever writes shows the
  /// number of its encoding, which no other one of the state ever had or will have: what is kept
  /// beyond its encoding shows one that is past, and writes nothing.
  ///
  /// No method here calls what users wrote, so none is called while another one runs.
  struct RecordState: ~Copyable {
    /// The number of the encoding.
    private(set) var encoding: UInt64 = 1
    var records = Records()
    /// Whether there was a date that XML has no text for.
    var hadDateWithoutText = false
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    let containers = KeyedContainerCache<RecordHandle>()

    private init() {}

    /// Forgets an encoding, however it ended.
    private mutating func end() {
      encoding &+= 1
      records.removeAll()
      hadDateWithoutText = false
      if !userInfo.isEmpty { userInfo = [:] }
      containers.retire { _ in }
    }
  }
}

extension PropertyList.RecordState {
  /// The states that no encoding uses.
  private static let idle = IdlePool<UnsafeMutablePointer<PropertyList.RecordState>>()

  /// Calls a function with the handle of a new encoding's root.
  @inline(__always)
  static func withRoot<Result>(
    userInfo: [CodingUserInfoKey: any Sendable],
    _ body: (PropertyList.RecordHandle) throws -> Result
  ) rethrows -> Result {
    let state = take()
    if !userInfo.isEmpty { state.pointee.userInfo = userInfo }
    defer { giveBack(state) }
    return try body(
      PropertyList.RecordHandle(state: state, encoding: state.pointee.encoding, record: 0))
  }

  private static func take() -> UnsafeMutablePointer<Self> {
    if let state = idle.take() { return state }
    let state = UnsafeMutablePointer<Self>.allocate(capacity: 1)
    state.initialize(to: Self())
    return state
  }

  private static func giveBack(_ state: UnsafeMutablePointer<Self>) {
    state.pointee.end()
    idle.giveBack(state)
  }
}
