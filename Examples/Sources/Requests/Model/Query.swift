import Keepsake

/// The query of a request, made of the properties of a value.
enum Query {
  /// The names and values of a value's properties, in their order; an array's elements repeat the name, and
  /// what is `nil` is left out.
  ///
  /// - Throws: ``RequestError`` with `invalidRequest` if a property is neither a text, a number, a Boolean nor an
  ///   array of them.
  static func string(of value: any Encodable) throws -> String {
    let encoder = JSON.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    guard case .object(let object) = try JSON.Value(parsing: encoder.encodeToBytes(value)) else {
      throw RequestError(.invalidRequest, "the query is not a value with properties")
    }
    var items: [String] = []
    for (name, value) in object {
      let values = if case .array(let elements) = value { elements } else { [value] }
      for value in values where value != .null {
        items.append(PercentEncoding.encode(name) + "=" + (try text(of: value, named: name)))
      }
    }
    return items.joined(separator: "&")
  }

  private static func text(of value: JSON.Value, named name: String) throws -> String {
    switch value {
    case .string(let text): PercentEncoding.encode(text)
    case .number(let number): PercentEncoding.encode(number.description)
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object:
      throw RequestError(.invalidRequest, "'\(name)' cannot be in a query: \(value)")
    }
  }
}
