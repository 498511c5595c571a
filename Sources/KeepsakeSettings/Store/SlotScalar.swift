import KeepsakeCoding

/// A stored value that fits in one machine word, or the absence of a value.
struct SlotScalar {
  /// The type of the word; 0 is reserved for values that do not fit.
  enum Kind: UInt64 {
    case none = 1
    case integer, unsigned, real, boolean
  }

  /// Greater than any kind's raw value.
  static let step: UInt64 = 8

  let kind: Kind
  let bits: UInt64

  init(kind: Kind, bits: UInt64) {
    self.kind = kind
    self.bits = bits
  }

  init?(_ value: PropertyList.Value?) {
    switch value {
    case nil: self.init(kind: .none, bits: 0)
    case .integer(let number): self.init(kind: .integer, bits: UInt64(bitPattern: number))
    case .unsigned(let number): self.init(kind: .unsigned, bits: number)
    case .real(let number): self.init(kind: .real, bits: number.bitPattern)
    case .boolean(let flag): self.init(kind: .boolean, bits: flag ? 1 : 0)
    case .string, .date, .data, .array, .dictionary: return nil
    }
  }

  var value: PropertyList.Value? {
    switch kind {
    case .none: nil
    case .integer: .integer(Int64(bitPattern: bits))
    case .unsigned: .unsigned(bits)
    case .real: .real(Double(bitPattern: bits))
    case .boolean: .boolean(bits != 0)
    }
  }
}
