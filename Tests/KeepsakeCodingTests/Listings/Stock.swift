import Foundation

enum Interval: Int {
  case oneMinute = 1
  case fifteenMinutes = 15
}

extension CodingUserInfoKey {
  static let timeInterval = CodingUserInfoKey(
    rawValue: "timeInterval"
  )!
}

extension DateFormatter {
  /// The service's moments, in the time zone in which the chapter was printed.
  static var stockMoments: DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 3 * 3600)
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    return formatter
  }
}

extension Optional {
  struct IsEmpty: Error {}

  func unwrapOrThrow() throws -> Wrapped {
    guard let self else { throw IsEmpty() }
    return self
  }
}

enum StockMetaKeys: String, CodingKey {
  case info = "1. Information"
  case symbol = "2. Symbol"
  case refreshedAt = "3. Last Refreshed"
}

/// The first step: what the metadata say.
struct NestedStock: Decodable {
  let info: String
  let symbol: String

  enum CodingKeys: String, CodingKey {
    case metaData = "Meta Data"
    case updates = "Time Series (1min)"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let metaContainer = try container.nestedContainer(
      keyedBy: StockMetaKeys.self, forKey: .metaData)
    info = try metaContainer.decode(String.self, forKey: .info)
    symbol = try metaContainer.decode(String.self, forKey: .symbol)
  }
}

/// The second step: and when they were written.
struct DatedStock: Decodable {
  let info: String
  let symbol: String
  let refreshedAt: Date

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: NestedStock.CodingKeys.self)
    let metaContainer = try container.nestedContainer(
      keyedBy: StockMetaKeys.self, forKey: .metaData)
    info = try metaContainer.decode(String.self, forKey: .info)
    symbol = try metaContainer.decode(String.self, forKey: .symbol)
    refreshedAt = try metaContainer.decode(Date.self, forKey: .refreshedAt)
  }
}

/// The third step: and the updates of each minute.
struct OneMinuteStock: Decodable {
  let info: String
  let symbol: String
  let refreshedAt: Date
  let updates: [Stock.Update]

  enum CodingKeys: String, CodingKey {
    case metaData = "Meta Data"
    case updates = "Time Series (1min)"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let metaContainer = try container.nestedContainer(
      keyedBy: StockMetaKeys.self, forKey: .metaData)
    info = try metaContainer.decode(String.self, forKey: .info)
    symbol = try metaContainer.decode(String.self, forKey: .symbol)
    refreshedAt = try metaContainer.decode(Date.self, forKey: .refreshedAt)
    updates = try Stock.updates(in: container, forKey: .updates)
  }
}

/// The last step: of an interval that the decoder is given.
struct Stock: Decodable {
  let info: String
  let symbol: String
  let refreshedAt: Date
  let updates: [Update]

  init(from decoder: any Decoder) throws {
    guard let time = decoder.userInfo[.timeInterval] as? Int else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "Missing time interval"))
    }
    let metaKey = AnyCodingKey(stringValue: "Meta Data")!
    let timesKey = AnyCodingKey(stringValue: "Time Series (\(time)min)")!
    let container = try decoder.container(keyedBy: AnyCodingKey.self)
    let metaContainer = try container.nestedContainer(
      keyedBy: StockMetaKeys.self, forKey: metaKey)
    info = try metaContainer.decode(String.self, forKey: .info)
    symbol = try metaContainer.decode(String.self, forKey: .symbol)
    refreshedAt = try metaContainer.decode(Date.self, forKey: .refreshedAt)
    updates = try Self.updates(in: container, forKey: timesKey)
  }

  static func updates<Key>(
    in container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> [Update] {
    let timesDictionary = try container.decode([String: [String: String]].self, forKey: key)
    let timeKeys = timesDictionary.keys.compactMap(AnyCodingKey.init(stringValue:))
    let timeContainer = try container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key)
    let dateFormatter = DateFormatter.stockMoments
    return try timeKeys.reduce(into: [Update]()) { updates, currentKey in
      var update = try timeContainer.decode(Update.self, forKey: currentKey)
      update.date = dateFormatter.date(from: currentKey.stringValue) ?? update.date
      updates.append(update)
    }
    .sorted { $0.date < $1.date }
  }
}

extension Stock {
  struct Update: Decodable, CustomStringConvertible {
    let open: Float
    let high: Float
    let low: Float
    let close: Float
    let volume: Int
    var date = Date.distantPast

    enum CodingKeys: String, CodingKey {
      case open = "1. open"
      case high = "2. high"
      case low = "3. low"
      case close = "4. close"
      case volume = "5. volume"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      open = try Float(container.decode(String.self, forKey: .open)).unwrapOrThrow()
      high = try Float(container.decode(String.self, forKey: .high)).unwrapOrThrow()
      low = try Float(container.decode(String.self, forKey: .low)).unwrapOrThrow()
      close = try Float(container.decode(String.self, forKey: .close)).unwrapOrThrow()
      volume = try Int(container.decode(String.self, forKey: .volume)).unwrapOrThrow()
    }

    var description: String { "\(date)|o:\(open),h:\(high),l:\(low),c:\(close),v:\(volume)" }
  }
}
