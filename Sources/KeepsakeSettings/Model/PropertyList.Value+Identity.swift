import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.Value {
  /// Whether both values are stored as the same bytes.
  ///
  /// Equality is not enough: it merges "K" with the Kelvin sign, and separates a NaN from itself.
  package func isIdentical(to other: Self) -> Bool {
    switch (self, other) {
    case (.string(let one), .string(let other)): Self.areIdentical(one, other)
    case (.real(let one), .real(let other)): one.bitPattern == other.bitPattern
    case (.date(let one), .date(let other)):
      one.timeIntervalSinceReferenceDate.bitPattern
        == other.timeIntervalSinceReferenceDate.bitPattern
    case (.array(let one), .array(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.isIdentical(to: $1) }
    case (.dictionary(let one), .dictionary(let other)):
      one.count == other.count
        && one.allSatisfy { key, value in
          guard let position = other.index(forKey: key) else { return false }
          return Self.areIdentical(key, other[position].key)
            && value.isIdentical(to: other[position].value)
        }
    default: self == other
    }
  }

  private static func areIdentical(_ one: String, _ other: String) -> Bool {
    one == other && one.utf8.elementsEqual(other.utf8)
  }
}

extension PropertyList.Value? {
  /// Whether both are `nil`, or stored as the same bytes.
  func isIdentical(to other: Self) -> Bool {
    switch (self, other) {
    case (let one?, let other?): one.isIdentical(to: other)
    case (nil, nil): true
    default: false
    }
  }
}

extension [SettingsName: PropertyList.Value] {
  /// The names whose values differ between two dictionaries.
  ///
  /// - Complexity: O(*n*) in the keys of both.
  func namesThatDiffer(from other: Self) -> [SettingsName] {
    filter { !other[$0.key].isIdentical(to: $0.value) }.keys
      + other.keys.filter { self[$0] == nil }
  }
}
