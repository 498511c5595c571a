import Foundation
import KeepsakeBase
import KeepsakeTestSupport

// What the compiler writes: structures, optionals, collections, enumerations.

struct Numbers: Sampled {
  var int: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var uint: UInt
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var uint64: UInt64
  var double: Double
  var float: Float
  var isTrue: Bool
  var text: String

  static func sample(_ random: inout SeededRandom) -> Numbers {
    Numbers(
      int: random.sample(), int8: random.sample(), int16: random.sample(), int32: random.sample(),
      int64: random.sample(), uint: random.sample(), uint8: random.sample(),
      uint16: random.sample(), uint32: random.sample(), uint64: random.sample(),
      double: random.sample(), float: random.sample(), isTrue: random.sample(),
      text: random.sample())
  }
}

struct WideNumbers: Sampled {
  var wide: Int128
  var unsigned: UInt128
  var list: [Int128?]

  static func sample(_ random: inout SeededRandom) -> WideNumbers {
    WideNumbers(wide: random.sample(), unsigned: random.sample(), list: random.sample())
  }
}

struct Optionals: Sampled {
  var text: String?
  var number: Int?
  var twice: Bool??
  var list: [Double?]?
  var date: Date?
  var nested: [Numbers]?
  var byName: [String: Int?]

  static func sample(_ random: inout SeededRandom) -> Optionals {
    Optionals(
      text: random.sample(), number: random.sample(), twice: random.sample(),
      list: random.sample(), date: random.sample(), nested: random.sample(),
      byName: random.sample())
  }
}

struct Collections: Sampled {
  var integers: [Int]
  var doubles: [Double]
  var texts: [String]
  var flags: [Bool]
  var nested: [[Int]]
  var byName: [String: String]
  var byNumber: [Int: String]
  var byKey: [ChosenKey: Int]
  var pairs: [UInt8: Double]
  var set: Set<String>
  var deep: [String: [String: [Double]]]

  static func sample(_ random: inout SeededRandom) -> Collections {
    Collections(
      integers: random.sample(), doubles: random.sample(), texts: random.sample(),
      flags: random.sample(), nested: random.sample(), byName: random.sample(),
      byNumber: random.sample(), byKey: random.sample(), pairs: random.sample(),
      set: random.sample(), deep: random.sample())
  }
}

enum ChosenKey: String, Codable, CodingKeyRepresentable, CaseIterable, Sampled {
  case plain, twoWords, with_underscore, HTTPServer

  static func sample(_ random: inout SeededRandom) -> ChosenKey { random.pick(allCases) }
}

enum Shape: Sampled {
  case nothing
  case circle(radius: Double)
  case rectangle(Int, Int)
  case named(name: String, [String])
  indirect case group([Shape], caption: String?)

  static func sample(_ random: inout SeededRandom) -> Shape {
    switch random.below(6) {
    case 0: .nothing
    case 1: .circle(radius: random.sample())
    case 2: .rectangle(random.sample(), random.sample())
    case 3: .named(name: random.sample(), random.sample())
    default: .group(random.list(upTo: 2) { $0.sample() }, caption: random.sample())
    }
  }
}

enum Level: Int, Codable, CaseIterable, Sampled {
  case low = 1, middle = 5, high = 200

  static func sample(_ random: inout SeededRandom) -> Level { random.pick(allCases) }
}

struct Moments: Sampled {
  var firstSeen: Date
  var last_seen: Date?
  var thumbnailData: Data
  var homePageURL: URL
  var identifier: UUID
  var price: Decimal
  var dates: [Date]
  var pieces: [Data]
  var pages: [String: URL]
  var levels: [Level]
  var prices: [Decimal]

  static func sample(_ random: inout SeededRandom) -> Moments {
    Moments(
      firstSeen: random.sample(), last_seen: random.sample(), thumbnailData: random.sample(),
      homePageURL: random.sample(), identifier: random.sample(), price: random.sample(),
      dates: random.sample(), pieces: random.sample(), pages: random.sample(),
      levels: random.sample(), prices: random.sample())
  }
}

/// What Foundation's own types write of themselves.
struct Borrowed: Sampled {
  var range: Range<Int>
  var closed: ClosedRange<Double>
  var zone: TimeZone
  var locale: Locale
  var point: CGPoint
  var interval: DateInterval
  var parts: DateComponents
  var pair: [CGSize]

  static func sample(_ random: inout SeededRandom) -> Borrowed {
    let start = random.below(1000)
    return Borrowed(
      range: start..<start + random.below(9), closed: 0.5...Double(1 + random.below(9)),
      zone: TimeZone(identifier: random.pick(["UTC", "Europe/Zurich", "Asia/Tokyo"])) ?? .gmt,
      locale: Locale(identifier: random.pick(["en_US", "ja_JP"])),
      point: CGPoint(x: random.below(99), y: random.below(99)),
      interval: DateInterval(start: .init(timeIntervalSince1970: 1e9), duration: Double(start)),
      parts: DateComponents(year: 2000 + random.below(99), month: 1 + random.below(12)),
      pair: [CGSize(width: random.below(9), height: 2)])
  }
}

struct Tree: Sampled {
  var value: Int
  var children: [Tree]
  var labels: [String: Tree]?

  static func sample(_ random: inout SeededRandom) -> Tree { sample(&random, depth: 0) }

  private static func sample(_ random: inout SeededRandom, depth: Int) -> Tree {
    Tree(
      value: random.sample(),
      children: depth > 3 ? [] : random.list(upTo: 2) { sample(&$0, depth: depth + 1) },
      labels: depth > 1 || random.sample()
        ? nil : [random.sample(): sample(&random, depth: depth + 1)])
  }
}

/// Keys that the strategies treat each in its own way.
struct Keys: Sampled {
  var plain: Int
  var twoWords: Int
  var threeWordsHere: Int?
  var myURLProperty: Int
  var _leading: Int
  var trailing_: Int
  var __both__: Int?
  var already_snake: Int
  var URL: Int
  var x1Y2: Int
  var ümlautÄnderung: Int?
  var free: [String: Int]
  var same: [String: Tree]

  static func sample(_ random: inout SeededRandom) -> Keys {
    var free: [String: Int] = random.sample()
    free[
      random.pick(["a_b", "aB", "_a", "a__b", "a_B_c", "ABc", "a-b", "", "_", "__", "A", "é_É"])] =
      1
    return Keys(
      plain: 1, twoWords: random.sample(), threeWordsHere: random.sample(),
      myURLProperty: random.sample(), _leading: 2, trailing_: 3, __both__: random.sample(),
      already_snake: 4, URL: 5, x1Y2: random.sample(), ümlautÄnderung: random.sample(), free: free,
      same: random.sample())
  }
}
