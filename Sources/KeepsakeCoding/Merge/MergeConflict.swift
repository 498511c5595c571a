/// A place in a document that was changed in two ways, of which only one could be kept.
public struct MergeConflict: Hashable, Sendable {
  /// A step from a value to one that it holds.
  public enum Step: Hashable, Sendable {
    /// To the value of a key.
    case key(String)
    /// To an element, counted from 0: in our array, or in theirs where ours does not have it.
    case index(Int)
  }

  /// The way from the document to the place.
  public var path: [Step]
  /// What both started from; `nil` where neither found anything.
  public var base: JSON.Value?
  /// What we made of it, and what was kept unless it is `nil`: then we removed it.
  public var ours: JSON.Value?
  /// What they made of it, and what was kept where we removed it; `nil` where they removed it.
  public var theirs: JSON.Value?

  /// Describes a place that was changed in two ways.
  public init(path: [Step], base: JSON.Value?, ours: JSON.Value?, theirs: JSON.Value?) {
    self.path = path
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }
}

extension MergeConflict: CustomStringConvertible {
  /// The place and both values, as `elements[2].text: ours is "a", theirs is "b"`.
  public var description: String {
    var place = ""
    for step in path {
      switch step {
      case .key(let key): place += place.isEmpty ? key : ".\(key)"
      case .index(let index): place += "[\(index)]"
      }
    }
    if place.isEmpty { place = "the document" }
    func state(_ value: JSON.Value?) -> String { value.map { "is \($0)" } ?? "removed it" }
    return "\(place): ours \(state(ours)), theirs \(state(theirs))"
  }
}
