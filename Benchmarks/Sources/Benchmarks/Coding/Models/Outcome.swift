/// An enumeration with payloads: an object whose one key is the name of the case.
enum Outcome: Codable, Equatable, Sendable {
  case finished(seconds: Double)
  case stopped(exercise: Int, seconds: Double)
  case noted(text: String)
  case skipped
}

extension Outcome {
  /// One of each case, in JSON.
  static func json(_ number: Int) -> String {
    """
    {"finished":{"seconds":\(number).25}},{"stopped":{"exercise":\(number),"seconds":1.5}},\
    {"noted":{"text":"note \(number)"}},{"skipped":{}}
    """
  }
}
