public import Foundation
public import KeepsakeCoding

extension JSON.Decoder.DateDecodingStrategy {
  /// Reads text in the format of a formatter.
  ///
  /// - Parameter formatter: The format; it must not be changed afterwards.
  public static func formatted(_ formatter: DateFormatter) -> Self {
    .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = formatter.date(from: text) else {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription: "Date string \"\(text)\" does not match the formatter's format.")
      }
      return date
    }
  }
}
