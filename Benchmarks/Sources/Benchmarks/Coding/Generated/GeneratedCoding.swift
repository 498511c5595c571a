import Keepsake

/// What code that a macro writes gives a type: a way straight between bytes and fields.
///
/// It is complete: keys with escapes are found, unknown ones skipped, faults have their place, and
/// as many objects and arrays may be open as the reader and the writer allow.
protocol GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault)

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError)
}
