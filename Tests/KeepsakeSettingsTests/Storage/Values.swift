import KeepsakeCoding

@testable import KeepsakeSettings

/// A dictionary with names as its keys.
func byName<Value>(_ values: [String: Value]) -> [SettingsName: Value] {
  Dictionary(uniqueKeysWithValues: values.map { (SettingsName($0.key), $0.value) })
}

extension ValueTable {
  convenience init(_ values: [String: PropertyList.Value]) {
    self.init(values.map { (key: $0.key, value: $0.value) })
  }
}
