extension CutExplorer {
  /// The point in a scenario at which the power failed.
  public struct Point: Sendable, CustomStringConvertible {
    /// The number of events before the cut.
    public var event: Int
    /// The last call before the cut, which may be incomplete; `nil` if there was none.
    public var call: SimulatedDisk.Call?
    /// The marks that the scenario made before the cut.
    public var marks: [String]

    /// The event, the call and the last mark.
    public var description: String {
      let call = call.map { "event \(event) (\($0))" } ?? "the start"
      return "after \(call)" + (marks.last.map { ", marked '\($0)'" } ?? "")
    }
  }
}
