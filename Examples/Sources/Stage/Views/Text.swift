public import Foundation

/// A line or more of text.
public struct Text: View {
  private let string: String?
  private var attributes: Attributes = [:]

  /// Shows a string.
  public init(_ string: some StringProtocol) {
    self.string = String(string)
  }

  /// Shows how much of an interval is left, in minutes and seconds, which the page counts down by itself.
  public init(timerInterval: ClosedRange<Date>) {
    string = nil
    let bounds = [timerInterval.lowerBound, timerInterval.upperBound]
    let milliseconds = bounds.map { ($0.timeIntervalSince1970 * 1000).rounded() }
    attributes = ["role": "timer", "data-timer": "\(milliseconds[0]) \(milliseconds[1])"]
  }
}

extension Text: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    [.element(Element(id: scope.id, tag: "span", attributes: attributes, text: string), [])]
  }
}
