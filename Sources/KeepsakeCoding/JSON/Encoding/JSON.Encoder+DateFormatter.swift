#if DateFormatter && canImport(Foundation)
  public import Foundation

  extension JSON.Encoder.DateEncodingStrategy {
    /// As text that a formatter makes.
    public static func formatted(_ formatter: DateFormatter) -> Self {
      .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(formatter.string(from: date))
      }
    }
  }
#endif
