/// Where in a scenario the power went.
public struct CutPoint: Sendable, CustomStringConvertible {
  /// How many events came before; the first has the number 1.
  public var event: Int
  /// The last call before, which may be done in part; `nil` where there was none.
  public var call: DiskCall?
  /// The marks that the scenario made before.
  public var marks: [String]

  /// The event, the call and the last mark.
  public var description: String {
    let call = call.map { "event \(event) (\($0))" } ?? "the start"
    return "after \(call)" + (marks.last.map { ", marked '\($0)'" } ?? "")
  }
}
