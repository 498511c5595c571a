/// A path whose interpolated values are single components: a slash or a question mark in them is encoded.
struct RequestPath: ExpressibleByStringInterpolation, Hashable, Sendable {
  /// The path as it is sent.
  let string: String

  init(stringLiteral string: String) { self.string = string }

  init(stringInterpolation: StringInterpolation) { string = stringInterpolation.string }

  /// The parts of a path.
  struct StringInterpolation: StringInterpolationProtocol {
    var string = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { string += literal }

    mutating func appendInterpolation(_ component: some CustomStringConvertible) {
      string += PercentEncoding.encode(component.description)
    }
  }
}
