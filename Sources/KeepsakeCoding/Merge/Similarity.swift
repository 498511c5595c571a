/// How many of the simple values in one value are the same in another.
struct Similarity {
  /// Those that were compared; of a large value not all are.
  private(set) var all = 0
  /// Those that are the same.
  private(set) var same = 0

  private static let limit = 64

  /// Compares the first simple values of a value with those at the same paths in another.
  mutating func compare(_ value: JSON.Value, _ other: JSON.Value?) {
    if all >= Self.limit { return }
    switch value {
    case .object(let object):
      if object.isEmpty { count(other.map { value.isSameKind(as: $0) } ?? false) }
      for (key, member) in object { compare(member, other?[key]) }
    case .array(let array):
      if array.isEmpty { count(other.map { value.isSameKind(as: $0) } ?? false) }
      for (index, element) in array.enumerated() {
        if all >= Self.limit { return }
        compare(element, other?[index])
      }
    default: count(other.map { value.isSame(as: $0) } ?? false)
    }
  }

  private mutating func count(_ isSame: Bool) {
    all += 1
    if isSame { same += 1 }
  }
}
