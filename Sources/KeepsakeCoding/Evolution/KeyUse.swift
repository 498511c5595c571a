/// The key of the version of a document, or of a value whose type has versions.
package let schemaVersionKey = "schemaVersion"

/// The keys whose values a type decoded, at one path of a value and below it.
///
/// A value that was not decoded through a keyed or unkeyed container was decoded whole. Only the thread
/// that decodes uses the objects.
package final class KeyUse {
  /// The keys whose values were decoded; `nil` if no keyed container was requested.
  private var members: [String: KeyUse]?
  /// The elements of an array that were decoded.
  private var elements: [Int: KeyUse] = [:]

  /// Records that a keyed container was requested.
  func noteContainer() { members = members ?? [:] }

  /// Records that the value of a key was decoded.
  ///
  /// - Returns: The index of the value.
  func member(_ key: some CodingKey) -> KeyUse {
    if let member = members?[key.stringValue] { return member }
    let member = KeyUse()
    members = members ?? [:]
    members?[key.stringValue] = member
    return member
  }

  /// Records that an element was decoded.
  ///
  /// - Returns: The index of the element.
  func element(_ index: Int) -> KeyUse {
    if let element = elements[index] { return element }
    let element = KeyUse()
    elements[index] = element
    return element
  }

  /// Adds what was recorded when the same value was decoded again.
  func add(_ other: KeyUse) {
    if let others = other.members {
      members = (members ?? [:]).merging(others) { use, other in
        use.add(other)
        return use
      }
    }
    elements.merge(other.elements) { use, other in
      use.add(other)
      return use
    }
  }

  /// A stored value with the keys that its type writes now: without those that were decoded and are not
  /// written again, such as the old name of a renamed key. What was never decoded stays.
  ///
  /// An object of an older version, by its ``schemaVersionKey``, has all values that were decoded as they
  /// are written now: one that stayed as it was would be taken for one of the new version.
  ///
  /// - Parameter written: The decoded value, encoded again.
  /// - Complexity: O(*n*).
  func renamingKeys(of stored: JSON.Value, to written: JSON.Value) -> JSON.Value {
    rest(of: stored, written, isOlder: false) ?? stored
  }

  /// What stays of a value; `nil` if nothing does.
  private func rest(
    of stored: JSON.Value, _ written: JSON.Value?, isOlder: Bool
  ) -> JSON.Value? {
    switch stored {
    case .object(let object):
      guard let members else { break }
      let isOlder = isOlder || Self.isOlder(object, than: written)
      var rest = JSON.Object(minimumCapacity: object.count)
      for (key, value) in object {
        if let member = members[key] {
          rest[key] = member.rest(of: value, written?[key], isOlder: isOlder)
        } else {
          rest[key] = value
        }
      }
      guard case .object(let written)? = written else {
        return rest.isEmpty ? .none : .object(rest)
      }
      if rest.count < object.count || isOlder {
        for (key, value) in written where object[key] == nil { rest[key] = value }
      }
      return .object(rest)
    case .array(let array):
      // Otherwise the type skipped elements, and they do not correspond by their position.
      guard !elements.isEmpty, case .array(let written)? = written, written.count == array.count
      else { break }
      return .array(
        array.indices.map {
          elements[$0]?.rest(of: array[$0], written[$0], isOlder: isOlder) ?? array[$0]
        })
    default: break
    }
    if isOlder { return written }
    // A bare nil would be JSON's null.
    return written.map { _ in stored }
  }

  /// Whether an object has an earlier version than what its type writes.
  private static func isOlder(_ object: JSON.Object, than written: JSON.Value?) -> Bool {
    func version(_ value: JSON.Value?) -> Int? {
      guard case .number(let number)? = value else { return nil }
      return number.integer(as: Int.self)
    }
    guard let current = version(written?[schemaVersionKey]) else { return false }
    guard let found = object[schemaVersionKey] else { return current > 1 }
    return version(found).map { $0 < current } ?? false
  }
}
