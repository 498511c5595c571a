public import Foundation

/// The size and weight of text.
public struct Font: Equatable, Sendable {
  /// How heavy the strokes are.
  public enum Weight: Int, Sendable {
    /// Ordinary strokes.
    case regular = 400
    /// Somewhat heavy strokes.
    case semibold = 600
    /// Heavy strokes.
    case bold = 700
  }

  /// The kind of letters.
  public enum Design: String, CaseIterable, Sendable {
    /// The letters of the system.
    case `default`
    /// Letters with serifs.
    case serif
    /// Round letters.
    case rounded
    /// Letters of one width.
    case monospaced
  }

  let size: String
  let weight: Weight

  /// The largest font.
  public static let largeTitle = Font(size: "var(--text-large-title)", weight: .bold)
  /// The font of a title.
  public static let title = Font(size: "var(--text-title)", weight: .semibold)
  /// The font of a second title.
  public static let title2 = Font(size: "var(--text-title2)", weight: .semibold)
  /// The font of a heading.
  public static let headline = Font(size: "var(--text-body)", weight: .semibold)
  /// The font of a text.
  public static let body = Font(size: "var(--text-body)", weight: .regular)
  /// The font of a remark.
  public static let caption = Font(size: "var(--text-caption)", weight: .regular)

  /// A font of a number of points.
  public static func system(size: CGFloat, weight: Weight = .regular) -> Font {
    Font(size: px(size), weight: weight)
  }
}
