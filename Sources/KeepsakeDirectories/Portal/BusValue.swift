#if Portal
import CDBus

/// A value in a message of D-Bus, of the types that the portal uses ("D-Bus Specification", type system).
enum BusValue: Hashable {
  /// `s`; `o` and `g` when read.
  case string(String)
  /// `u`.
  case uint32(UInt32)
  /// `b`.
  case boolean(Bool)
  /// `ay`.
  case bytes([UInt8])
  /// `as`.
  case strings([String])
  /// `a{sv}`.
  case dictionary([String: BusValue])
  /// A value of another type, which was read over.
  case other

  // MARK: Reading

  /// Reads the arguments of a message.
  static func arguments(of message: OpaquePointer) -> [BusValue] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    return values(at: &iterator)
  }

  private static func values(at iterator: inout DBusMessageIter) -> [BusValue] {
    var values: [BusValue] = []
    while BusType(at: &iterator) != nil {
      values.append(value(at: &iterator))
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  private static func value(at iterator: inout DBusMessageIter) -> BusValue {
    switch BusType(at: &iterator) {
    case .string, .objectPath, .signature: return .string(string(at: &iterator))
    case .uint32:
      var number: UInt32 = 0
      dbus_message_iter_get_basic(&iterator, &number)
      return .uint32(number)
    case .boolean:
      var boolean: dbus_bool_t = 0
      dbus_message_iter_get_basic(&iterator, &boolean)
      return .boolean(boolean != 0)
    case .variant:
      var content = DBusMessageIter()
      dbus_message_iter_recurse(&iterator, &content)
      return value(at: &content)
    case .array: return array(at: &iterator)
    default: return .other
    }
  }

  private static func string(at iterator: inout DBusMessageIter) -> String {
    var pointer: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &pointer)
    return pointer.map { String(cString: $0) } ?? ""
  }

  private static func array(at iterator: inout DBusMessageIter) -> BusValue {
    let element = BusType(code: dbus_message_iter_get_element_type(&iterator))
    var elements = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &elements)
    switch element {
    case .byte:
      var start: UnsafePointer<UInt8>?
      var count: Int32 = 0
      dbus_message_iter_get_fixed_array(&elements, &start, &count)
      return .bytes(Array(UnsafeBufferPointer(start: start, count: Int(count))))
    case .string:
      return .strings(
        values(at: &elements).compactMap { if case .string(let text) = $0 { text } else { nil } })
    case .dictionaryEntry:
      var dictionary: [String: BusValue] = [:]
      while BusType(at: &elements) != nil {
        var entry = DBusMessageIter()
        dbus_message_iter_recurse(&elements, &entry)
        let pair = values(at: &entry)
        if pair.count == 2, case .string(let key) = pair[0] { dictionary[key] = pair[1] }
        dbus_message_iter_next(&elements)
      }
      return .dictionary(dictionary)
    default: return .other
    }
  }

  // MARK: Writing

  /// Appends arguments to a message.
  static func append(_ values: [BusValue], to message: OpaquePointer) {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for value in values { value.append(to: &iterator) }
  }

  private func append(to iterator: inout DBusMessageIter) {
    switch self {
    case .string(let text):
      text.withCString { pointer in
        var pointer = Optional(pointer)
        dbus_message_iter_append_basic(&iterator, BusType.string.code, &pointer)
      }
    case .uint32(var number):
      dbus_message_iter_append_basic(&iterator, BusType.uint32.code, &number)
    case .boolean(let boolean):
      var boolean: dbus_bool_t = boolean ? 1 : 0
      dbus_message_iter_append_basic(&iterator, BusType.boolean.code, &boolean)
    case .bytes(let bytes):
      Self.append(.array, "y", to: &iterator) { content in
        for var byte in bytes {
          dbus_message_iter_append_basic(&content, BusType.byte.code, &byte)
        }
      }
    case .strings(let strings):
      Self.append(.array, "s", to: &iterator) { content in
        for string in strings { BusValue.string(string).append(to: &content) }
      }
    case .dictionary(let dictionary):
      Self.append(.array, "{sv}", to: &iterator) { entries in
        for (key, value) in dictionary {
          Self.append(.dictionaryEntry, nil, to: &entries) { entry in
            BusValue.string(key).append(to: &entry)
            Self.append(.variant, value.signature, to: &entry) { value.append(to: &$0) }
          }
        }
      }
    case .other: break
    }
  }

  private static func append(
    _ type: BusType, _ signature: String?, to iterator: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) -> Void
  ) {
    var content = DBusMessageIter()
    dbus_message_iter_open_container(&iterator, type.code, signature, &content)
    body(&content)
    dbus_message_iter_close_container(&iterator, &content)
  }

  private var signature: String {
    switch self {
    case .string, .other: "s"
    case .uint32: "u"
    case .boolean: "b"
    case .bytes: "ay"
    case .strings: "as"
    case .dictionary: "a{sv}"
    }
  }
}

/// The code of a type in a signature.
private enum BusType: Unicode.Scalar {
  case string = "s"
  case objectPath = "o"
  case signature = "g"
  case uint32 = "u"
  case boolean = "b"
  case byte = "y"
  case variant = "v"
  case array = "a"
  case dictionaryEntry = "e"
  case unread = "\u{FFFD}"

  var code: Int32 { Int32(rawValue.value) }

  init(code: Int32) {
    self = Unicode.Scalar(UInt32(code)).flatMap(BusType.init(rawValue:)) ?? .unread
  }

  /// The type of the value at a position; `nil` at the end.
  init?(at iterator: inout DBusMessageIter) {
    let code = dbus_message_iter_get_arg_type(&iterator)
    guard code != 0 else { return nil }
    self.init(code: code)
  }
}
#endif
