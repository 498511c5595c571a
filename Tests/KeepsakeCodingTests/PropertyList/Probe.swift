import Foundation

/// All that can be learnt of a decoder's value, as text: what every type makes of it, or how it
/// fails.
struct Probe: Decodable, Equatable {
  var text = ""

  init(from decoder: any Decoder) throws {
    text += "at \(Self.text(decoder.codingPath))\n"
    let single = try decoder.singleValueContainer()
    text += "nil \(single.decodeNil())\n"
    attempt { try single.decode(Bool.self) }
    attempt { try single.decode(Int.self) }
    attempt { try single.decode(Int8.self) }
    attempt { try single.decode(UInt16.self) }
    attempt { try single.decode(UInt64.self) }
    attempt { Self.bits(Double(try single.decode(Float.self))) }
    attempt { Self.bits(try single.decode(Double.self)) }
    attempt { Array(try single.decode(String.self).utf8) }
    attempt { try single.decode(Date.self).timeIntervalSinceReferenceDate.bitPattern }
    attempt { Array(try single.decode(Data.self)) }
    attempt { try single.decode([String].self) }
    attempt { try single.decode([Int].self) }
    // Which of several entries fails first is the dictionary's order, which is nobody's.
    attempt {
      (try? single.decode([String: String].self))?.sorted { $0.key < $1.key }.description
    }
    attempt { try Self.elements(of: decoder) }
    attempt { try Self.entries(of: decoder) }
  }

  /// Foundation makes every NaN of single precision the same one.
  private static func bits(_ number: Double) -> UInt64 { number.isNaN ? 0 : number.bitPattern }

  private mutating func attempt<T>(_ body: () throws -> T) {
    do { text += "\(T.self) \(try body())\n" } catch { text += "\(T.self) \(Self.text(error))\n" }
  }

  private static func elements(of decoder: any Decoder) throws -> String {
    var container = try decoder.unkeyedContainer()
    var text = "\(container.count ?? -1) elements at \(Self.text(container.codingPath))\n"
    while !container.isAtEnd {
      let index = container.currentIndex
      if index % 3 == 0, (try? container.nestedUnkeyedContainer()) != nil {
        text += "\(index) nested\n"
        continue
      }
      if try container.decodeNil() {
        text += "\(index) null\n"
        continue
      }
      text += try container.decode(Probe.self).text
    }
    do { _ = try container.decode(Int.self) } catch { text += "end \(Self.text(error))" }
    text += " \((try? container.superDecoder()) == nil)"
    return text
  }

  private static func entries(of decoder: any Decoder) throws -> String {
    let container = try decoder.container(keyedBy: AnyKey.self)
    var text = "entries at \(Self.text(container.codingPath))\n"
    let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
    for (index, key) in keys.enumerated() {
      text += "\(Array(key.stringValue.utf8)) \(container.contains(key))\n"
      if try container.decodeNil(forKey: key) {
        text += "null\n"
      } else if index % 4 == 3 {
        text += try Probe(from: container.superDecoder(forKey: key)).text
      } else {
        text += try container.decode(Probe.self, forKey: key).text
      }
      do { text += "\(try container.decodeIfPresent(Int.self, forKey: key) ?? -1)" } catch {
        text += Self.text(error)
      }
    }
    let missing = AnyKey("no such key")
    text += "\(container.contains(missing))"
    text += "\(try container.decodeIfPresent(Probe.self, forKey: missing)?.text ?? "none")"
    do { _ = try container.decode(Int.self, forKey: missing) } catch { text += Self.text(error) }
    return text
  }

  /// The kind of an error, and the path that it names.
  static func text(_ error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(let type, let context):
      "mismatch \(type) \(text(context.codingPath))"
    case DecodingError.valueNotFound(let type, let context):
      "no value \(type) \(text(context.codingPath))"
    case DecodingError.keyNotFound(let key, let context):
      "no key \(key.stringValue) \(text(context.codingPath))"
    case DecodingError.dataCorrupted(let context): "corrupted \(text(context.codingPath))"
    default: "\(type(of: error))"
    }
  }

  static func text(_ path: [any CodingKey]) -> String {
    path.map { $0.stringValue }.joined(separator: "/")
  }
}
