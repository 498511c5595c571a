#if Commands
import ArgumentParser
import KeepsakeCoding

/// The steps from a setting's value to a value inside it: keys of dictionaries and indexes of arrays.
struct ValuePath: ParsableArguments {
  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "A key of a dictionary or an index of an array inside the value; several lead deeper.",
      valueName: "key"))
  var steps: [String] = []

  /// The value at the end of the path; `nil` if there is none.
  func value(in root: PropertyList.Value) -> PropertyList.Value? {
    var value = root
    for step in steps {
      switch value {
      case .dictionary(let members):
        guard let member = members[step] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Int(step), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  /// A value with the end of the path changed.
  ///
  /// A missing dictionary on the way is created; an index that is the array's count appends.
  ///
  /// - Parameters:
  ///   - new: The new value; `nil` removes it.
  ///   - root: The value of the setting.
  /// - Throws: An error that says which step leads nowhere.
  func setting(
    _ new: PropertyList.Value?, in root: PropertyList.Value?
  ) throws(CommandError) -> PropertyList.Value? {
    try Self.setting(new, at: steps[...], in: root)
  }

  private static func setting(
    _ new: PropertyList.Value?, at steps: ArraySlice<String>, in value: PropertyList.Value?
  ) throws(CommandError) -> PropertyList.Value? {
    guard let step = steps.first else { return new }
    let rest = steps.dropFirst()
    switch value {
    case .dictionary(var members)?:
      if new == nil, members[step] == nil { throw missing(step, "the dictionary has no such key") }
      members[step] = try setting(new, at: rest, in: members[step])
      return .dictionary(members)
    case .array(var elements)?:
      guard let index = Int(step), elements.indices.contains(index) || index == elements.count
      else {
        throw missing(step, "the array has \(elements.count) elements")
      }
      guard index < elements.count else {
        guard let element = try setting(new, at: rest, in: nil) else {
          throw missing(step, "the array has \(elements.count) elements")
        }
        return .array(elements + [element])
      }
      if let element = try setting(new, at: rest, in: elements[index]) {
        elements[index] = element
      } else {
        elements.remove(at: index)
      }
      return .array(elements)
    case nil:
      guard let member = try setting(new, at: rest, in: nil) else {
        throw missing(step, "there is no value")
      }
      return .dictionary([step: member])
    default: throw missing(step, "the value is neither an array nor a dictionary")
    }
  }

  private static func missing(_ step: String, _ reason: String) -> CommandError {
    CommandError(.missing, "'--at \(step)' leads nowhere: \(reason); nothing was changed.")
  }
}
#endif
