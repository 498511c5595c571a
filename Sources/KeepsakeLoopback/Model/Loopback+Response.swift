#if Console
extension Loopback {
  /// The response to a request; the connection is closed after it.
  public struct Response: Sendable {
    /// The status code, for example 200.
    public var status: Int
    /// The media type of the body.
    public var type: String
    /// The content security policy, in addition to what every response forbids.
    public var policy: String
    /// The body.
    public var body: [UInt8]

    /// A response with a body.
    public init(_ body: [UInt8], type: String, policy: String = "sandbox") {
      status = 200
      self.type = type
      self.policy = policy
      self.body = body
    }

    /// A response without a body.
    public init(status: Int) {
      self.status = status
      type = ""
      policy = "sandbox"
      body = []
    }
  }
}
#endif
