#if Postgres
/// A text of libpq without the ends of lines that it has.
func oneLine(_ text: UnsafePointer<CChar>) -> String {
  String(cString: text).split(whereSeparator: \.isNewline).joined(separator: " ")
}
#endif
