public import Foundation
public import KeepsakeCoding

extension JSON.Encoder.DateEncodingStrategy {
  /// Writes text in the format of a formatter.
  ///
  /// - Parameter formatter: The format; it must not be changed afterwards.
  public static func formatted(_ formatter: DateFormatter) -> Self {
    .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(formatter.string(from: date))
    }
  }
}
