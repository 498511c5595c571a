import Foundation
import KeepsakeCoding
import KeepsakeDateFormatter
import Testing

extension Listings {
  @Suite("The service of stocks")
  struct StockTests {
    @Test("What lies a level deeper is decoded through a nested container")
    func whatLiesALevelDeeperIsDecoded() throws {
      let stock = try JSONDecoder().decode(
        NestedStock.self, from: API.getData(for: .stockOneMinute))
      try #require(
        "\(stock)" == #"NestedStock(info: "Intraday (1min) open, high, low, close prices and "#
          + #"volume", symbol: "RAY")"#)
      Listing.ran(40, 41, 42)
    }

    @Test("A date in words is a type mismatch, and a date with a formatter")
    func aDateInWordsIsAType() throws {
      let data = try API.getData(for: .stockOneMinute)
      let decoder = JSONDecoder()
      do {
        _ = try decoder.decode(DatedStock.self, from: data)
        Issue.record("a date was made of words")
      } catch DecodingError.typeMismatch(let type, let context) {
        try #require(ObjectIdentifier(type) == ObjectIdentifier(Double.self))
        try #require(
          context.debugDescription.hasPrefix("Expected to decode Double but found a string"))
        try #require(context.codingPath.map(\.stringValue) == ["Meta Data", "3. Last Refreshed"])
      }
      decoder.dateDecodingStrategy = .formatted(.stockMoments)
      let stock = try decoder.decode(DatedStock.self, from: data)
      try #require("\(stock)".hasSuffix(#"symbol: "RAY", refreshedAt: 2020-08-14 17:00:00 +0000)"#))
      Listing.ran(43, 44, 45)
    }

    @Test("Moments as keys become updates in their order") func momentsAsKeysBecomeUpdatesInTheir()
      throws
    {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .formatted(.stockMoments)
      let stock = try decoder.decode(
        OneMinuteStock.self, from: API.getData(for: .stockOneMinute))
      let heads = printed(stock.symbol, stock.refreshedAt, "Intraday (1min) [...]", stock.updates)
      try #require(
        heads[0]
          == "RAY, 2020-08-14 17:00:00 +0000: Intraday (1min) [...] with 100 updates")
      let lines = printed(stock.symbol, stock.refreshedAt, stock.info, stock.updates)
      try #require(
        lines.contains(
          "   >> 2020-08-14 15:02:00 +0000, O/C: 101.81/101.81, L/H: 101.81/101.81, V: 1020"))
      try #require(
        lines.contains(
          "   >> 2020-08-14 13:55:00 +0000, O/C: 101.95/102.09, L/H: 101.95/102.09, V: 1765"))
      try #require(lines.count == 101 && lines.dropFirst() == lines.dropFirst().sorted()[...])
      try #require(
        stock.updates.last?.description
          == "2020-08-14 17:00:00 +0000|o:101.9,h:102.0,l:101.9,c:102.0,v:1807")
      Listing.ran(46, 47, 48, 49, 50, 51)
    }

    @Test("Another interval has another key") func anotherIntervalHasAnotherKey() throws {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .formatted(.stockMoments)
      do {
        _ = try decoder.decode(OneMinuteStock.self, from: API.getData(for: .stockFifteenMinutes))
        Issue.record("updates were found that are not there")
      } catch DecodingError.keyNotFound(let key, let context) {
        try #require(key.stringValue == "Time Series (1min)")
        try #require(
          context.debugDescription.hasPrefix("No value associated with key CodingKeys("))
      }
      Listing.ran(52, 55)
    }

    @Test("The key is made of what the decoder is given") func theKeyIsMadeOfWhat() throws {
      let stocks = try [Interval.oneMinute, .fifteenMinutes].map { try getStock(interval: $0) }
      let heads = stocks.map { printed($0.symbol, $0.refreshedAt, $0.info, $0.updates)[0] }
      try #require(
        heads[1]
          == "RAY, 2020-08-14 17:00:00 +0000: Intraday (15min) open, high, low, close prices "
          + "and volume with 100 updates")
      try #require(heads[0] == heads[1].replacingOccurrences(of: "15min", with: "1min"))
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Stock.self, from: API.getData(for: .stockOneMinute))
      }
      Listing.ran(53, 54, 56)
    }

    private func getStock(interval: Interval) throws -> Stock {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .formatted(.stockMoments)
      decoder.userInfo = [.timeInterval: interval.rawValue]
      return try decoder.decode(
        Stock.self,
        from: API.getData(for: interval == .oneMinute ? .stockOneMinute : .stockFifteenMinutes))
    }

    private func printed(
      _ symbol: String, _ refreshedAt: Date, _ info: String, _ updates: [Stock.Update]
    ) -> [String] {
      var output = Output()
      output.print("\(symbol), \(refreshedAt):", "\(info) with \(updates.count) updates")
      for update in updates {
        output.print(
          "   >> \(update.date), O/C: \(update.open)/\(update.close), "
            + "L/H: \(update.low)/\(update.high), V: \(update.volume)")
      }
      return output.lines
    }
  }
}
