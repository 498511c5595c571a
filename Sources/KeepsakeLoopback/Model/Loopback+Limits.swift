#if Console
extension Loopback {
  /// What a client may cost before its request is refused.
  public struct Limits: Sendable {
    /// The length of a request's first line, in bytes.
    public var lineLength = 4096
    /// The length of the first line and all headers together, in bytes.
    public var headLength = 16 * 1024
    /// The length of one message through a socket, in bytes.
    public var messageLength = 1 << 20
    /// The number of messages that the app has not read yet.
    public var unreadMessages = 1024
    /// The number of bytes that a socket's page has not read yet.
    public var unreadLength = 64 << 20
    /// The number of connections; never more than a quarter of the descriptors that the process may have.
    public var connections = 256
    /// How long the first line and all headers may take to arrive.
    public var headTime = Duration.seconds(5)
    /// How long the body may take to arrive, and how long the response may take to be read.
    public var transferTime = Duration.seconds(30)

    /// The limits that suit pages of one app.
    public init() {}
  }
}
#endif
