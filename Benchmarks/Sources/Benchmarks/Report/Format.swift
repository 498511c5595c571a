import Foundation

/// How numbers are shown: three digits that count.
enum Format {
  static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<1e-6: "\(digits(seconds * 1e9)) ns"
    case ..<1e-3: "\(digits(seconds * 1e6)) µs"
    case ..<1: "\(digits(seconds * 1e3)) ms"
    default: "\(digits(seconds)) s"
    }
  }

  static func size(_ bytes: Double) -> String {
    bytes < 100_000 ? "\(digits(bytes / 1e3)) KB" : "\(digits(bytes / 1e6)) MB"
  }

  static func size(bytes: Int) -> String { size(Double(bytes)) }

  static func count(_ number: Int) -> String {
    number.formatted(.number.grouping(.automatic).locale(Locale(identifier: "en_US")))
  }

  static func ratio(_ number: Double) -> String { digits(number) }

  private static func digits(_ number: Double) -> String {
    switch abs(number) {
    case ..<0.0995: String(format: "%.3f", number)
    case ..<9.95: String(format: "%.2f", number)
    case ..<99.5: String(format: "%.1f", number)
    default: String(format: "%.0f", number)
    }
  }
}
