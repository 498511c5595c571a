#if DateFormatter && canImport(Foundation)
  public import Foundation

  extension JSON.Decoder.DateDecodingStrategy {
    /// Text in the format of a formatter, which must not be changed afterwards.
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
#endif
