import KeepsakeCoding

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The identity of a document among others of its kind, which names its file.
public protocol DocumentID: Codable, Hashable, Sendable {
  /// The identity as text, which ``init(documentName:)`` converts back.
  var documentName: String { get }

  /// Creates the identity that a text represents, or `nil` if it represents none.
  init?(documentName: String)

  /// An identity for a copy of the document that this one names, or `nil` if there is none.
  ///
  /// - Parameter number: Initially 2; one more each time a document of the identity exists.
  func another(_ number: Int) -> Self?
}

extension DocumentID {
  /// The identity of the same text, followed by the number.
  public func another(_ number: Int) -> Self? { Self(documentName: "\(documentName) \(number)") }
}

extension UUID: DocumentID {
  /// The UUID in its usual form, `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  public var documentName: String { text }

  /// The UUID of that text; `nil` for other text, also for lowercase letters.
  public init?(documentName: String) {
    // One document has one name. The greatest byte is found by several comparisons at once, as the
    // first lowercase letter is not.
    let greatest = documentName.utf8.reduce(0) { max($0, $1) }
    if greatest >= UInt8(ascii: "a") { return nil }
    self.init(text: documentName)
  }

  /// A random UUID.
  public func another(_ number: Int) -> UUID? { UUID() }
}

extension String: DocumentID {
  /// The string itself.
  public var documentName: String { self }

  /// The text itself.
  public init?(documentName: String) {
    self = documentName
  }
}

extension Int64: DocumentID {
  /// The number in digits.
  public var documentName: String { String(self) }

  /// The number in those digits; `nil` for other text, also with leading zeros.
  public init?(documentName: String) {
    guard let number = Int64(documentName), String(number) == documentName else { return nil }
    self = number
  }

  /// The sum of this number and the other, minus one.
  public func another(_ number: Int) -> Int64? {
    let (sum, overflows) = addingReportingOverflow(Int64(number) - 1)
    return overflows ? nil : sum
  }
}

extension Int: DocumentID {
  /// The number in digits.
  public var documentName: String { String(self) }

  /// The number in those digits; `nil` for other text, also with leading zeros.
  public init?(documentName: String) {
    guard let number = Int(documentName), String(number) == documentName else { return nil }
    self = number
  }

  /// The sum of this number and the other, minus one.
  public func another(_ number: Int) -> Int? {
    let (sum, overflows) = addingReportingOverflow(number - 1)
    return overflows ? nil : sum
  }
}
