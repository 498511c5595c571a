#if Macros
import KeepsakeMacros

/// What a value writes straight to a text.
func directText(_ value: some JSON.Writable, escapesSlashes: Bool = true) throws -> String {
  var writer = JSON.Writer(escapesSlashes: escapesSlashes)
  try value.write(to: &writer)
  return String(decoding: writer.finish(), as: UTF8.self)
}

/// The value that is read straight from a text.
func directValue<T: JSON.Readable>(_ type: T.Type, _ text: String) throws -> T {
  try JSON.read(Array(text.utf8)) { reader throws(JSON.Fault) in try T(from: &reader) }
}
#endif
