extension JSON {
  /// A part of a document that was changed in two ways, of which only one could be kept.
  public struct MergeConflict: Hashable, Sendable {
    /// A step from a value to one that it holds.
    public enum Step: Hashable, Sendable {
      /// To the value of a key.
      case key(String)
      /// To an element, counted from 0: in our array, or in theirs where ours does not have it.
      case index(Int)
    }

    /// The path from the document to the part.
    public var path: [Step]
    /// What both started from; `nil` where neither found anything.
    public var base: JSON.Value?
    /// What we made of it, and what was kept unless it is `nil`: then we removed it.
    public var ours: JSON.Value?
    /// What they made of it, and what was kept where we removed it; `nil` where they removed it.
    public var theirs: JSON.Value?

    /// Describes a part that was changed in two ways.
    public init(path: [Step], base: JSON.Value?, ours: JSON.Value?, theirs: JSON.Value?) {
      self.path = path
      self.base = base
      self.ours = ours
      self.theirs = theirs
    }
  }
}

extension JSON.MergeConflict: CustomStringConvertible {
  /// The path and both values, as `elements[2].text: ours is "a", theirs is "b"`.
  public var description: String {
    var text = ""
    for step in path {
      switch step {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += "[\(index)]"
      }
    }
    if text.isEmpty { text = "the document" }
    func state(_ value: JSON.Value?) -> String { value.map { "is \($0)" } ?? "removed it" }
    return "\(text): ours \(state(ours)), theirs \(state(theirs))"
  }
}
