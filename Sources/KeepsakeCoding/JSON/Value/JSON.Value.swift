extension JSON {
  /// Any JSON value: for text whose shape no type describes, read and written without loss.
  ///
  /// The keys of an object keep their order, and numbers all of their digits.
  public enum Value: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(Number)
    /// A string.
    case string(String)
    /// Values in order.
    case array([Value])
    /// Values by key.
    case object(Object)
  }
}

extension JSON.Value {
  /// The value of a key, if this is an object that has it.
  public subscript(key: String) -> JSON.Value? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  /// The element at an index, if this is an array that has it.
  public subscript(index: Int) -> JSON.Value? {
    guard case .array(let array) = self, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

extension JSON.Value: ExpressibleByNilLiteral {
  /// Creates null.
  public init(nilLiteral: ()) { self = .null }
}

extension JSON.Value: ExpressibleByBooleanLiteral {
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON.Value: ExpressibleByIntegerLiteral {
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(JSON.Number(value)) }
}

extension JSON.Value: ExpressibleByFloatLiteral {
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(JSON.Number(floatLiteral: value)) }
}

extension JSON.Value: ExpressibleByStringInterpolation {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON.Value: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: JSON.Value...) { self = .array(elements) }
}

extension JSON.Value: ExpressibleByDictionaryLiteral {
  /// Creates an object with its keys in this order; of two equal keys the last counts.
  public init(dictionaryLiteral elements: (String, JSON.Value)...) {
    var object = JSON.Object(minimumCapacity: elements.count)
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}
