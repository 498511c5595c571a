import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport

/// Values and changes of values, the same for the same seed.
struct RandomJSON {
  var random: SeededRandom
  private var count = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  /// A text that was not there before.
  mutating func newText() -> String {
    count += 1
    return "n\(count)"
  }

  mutating func scalar() -> JSON.Value {
    switch number(0..<8) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2, 3: .number(JSON.Number(number(-3..<4)))
    case 4: .number(JSON.Number(["1.0", "1e2", "0.10", "12345678901234567890123"][number(0..<4)])!)
    case 5: .string(["a", "b", "é", "e\u{301}", ""][number(0..<5)])
    default: .string(newText())
    }
  }

  mutating func value(depth: Int = 4) -> JSON.Value {
    switch depth == 0 ? 9 : number(0..<10) {
    case 0, 1: return .array((0..<number(0..<6)).map { _ in value(depth: depth - 1) })
    case 2: return .array((0..<number(0..<12)).map { _ in scalar() })
    case 3:
      return .array(
        (0..<number(0..<6)).map { _ in
          var element = object(depth: depth - 1)
          // Now and then two have one.
          element["id"] = number(0..<5) == 0 ? 1 : .string(newText())
          return .object(element)
        })
    case 4...7: return .object(object(depth: depth - 1))
    default: return scalar()
    }
  }

  mutating func object(depth: Int) -> JSON.Object {
    var object = JSON.Object()
    for key in ["a", "b", "c", "d", "e"].shuffled(using: &random).prefix(number(0..<6)) {
      object[key] = value(depth: depth)
    }
    return object
  }

  /// A value with some changes somewhere in it.
  mutating func changed(_ value: JSON.Value) -> JSON.Value {
    switch value {
    case .object(var object) where number(0..<8) > 0:
      for key in object.keys where number(0..<3) == 0 {
        switch number(0..<6) {
        case 0: object[key] = nil
        case 1: object[key] = self.value(depth: 2)
        default: object[key] = changed(object[key]!)
        }
      }
      if number(0..<4) == 0 { object[newText()] = self.value(depth: 2) }
      return .object(object)
    case .array(var array) where number(0..<8) > 0:
      for _ in 0..<number(0..<4) {
        let place = number(0..<array.count + 1)
        switch number(0..<5) {
        case 0: array.insert(self.value(depth: 1), at: place)
        case 1 where place < array.count: array.remove(at: place)
        case 2 where place < array.count:
          let element = array.remove(at: place)
          array.insert(element, at: number(0..<array.count + 1))
        case _ where place < array.count: array[place] = changed(array[place])
        default: break
        }
      }
      return .array(array)
    default: return scalar()
    }
  }

  /// The same value, with numbers written and keys ordered in another way.
  mutating func rewritten(_ value: JSON.Value) -> JSON.Value {
    switch value {
    case .number(let number):
      if let integer = number.integer(as: Int.self) {
        return .number(
          JSON.Number(["\(integer).0", "\(integer)", "\(integer)e0"][self.number(0..<3)])!)
      }
      return value
    case .array(let array): return .array(array.map { rewritten($0) })
    case .object(let object):
      var result = JSON.Object()
      for (key, member) in object.shuffled(using: &random) { result[key] = rewritten(member) }
      return .object(result)
    default: return value
    }
  }
}
