/// Why a request has no response, in words; it contains no token and no body.
struct RequestError: Error, CustomStringConvertible {
  /// The kind of an error.
  enum Code: Sendable {
    /// The request cannot be sent as it is.
    case invalidRequest
    /// There is no address to send it to.
    case noBaseURL
    /// The server cannot be reached, or ended the connection.
    case unreachable
    /// The response has more bytes than are accepted.
    case tooLarge
    /// The server answered with a status that is no success.
    case status(Int)
    /// The response is not what was expected.
    case undecodable
    /// There is no token, or it is not accepted anymore: the user must sign in.
    case signInRequired
  }

  /// The kind of the error.
  let code: Code
  /// What happened.
  let message: String
  /// The underlying error.
  let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  var description: String { cause.map { "\(message): \($0)" } ?? message }
}
