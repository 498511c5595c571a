/// Percent-encoding, of all but the unreserved characters (RFC 3986, section 2.3).
enum PercentEncoding {
  static func encode(_ text: String) -> String {
    // As a component of its own, each of them would name another directory.
    if text == "." || text == ".." { return text.replacing(".", with: "%2E") }
    var encoded = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~":
        encoded.unicodeScalars.append(scalar)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return encoded
  }
}
