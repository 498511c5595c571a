#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension ISO8601 {
  /// The date that a text names, or `nil` if it is not one.
  package static func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { text in
      text.baseAddress.flatMap { seconds(of: $0, count: text.count) }
        .map(Date.init(timeIntervalSinceReferenceDate:))
    }
  }

  /// The text of a date, with as many digits as restore the same date; outside the years 1583 to
  /// 9999 in whole seconds.
  package static func text(of date: Date) -> String {
    var writer = JSON.Writer(capacity: 64)
    guard writer.write(date, fraction: .exact) else { return date.formatted(.iso8601) }
    return String(decoding: writer.finish().dropFirst().dropLast(), as: UTF8.self)
  }
}
