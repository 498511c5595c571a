/// The text that a writer saves for a number. Lengths vary, and the text verifies itself: a part of
/// one, or a mix of two, is recognized.
package func writtenText(_ number: Int) -> String {
  "\(number):"
    + String(repeating: Character(UnicodeScalar(UInt8(97 + number % 26))), count: number * 37 % 311)
}

/// The key under which a writer saves a number: fifty keys are overwritten many times.
package func writtenKey(_ prefix: String, _ number: Int) -> String {
  "\(prefix).\(number % writtenKeyCount)"
}

/// How many keys a writer has.
package let writtenKeyCount = 50

/// The identifier of the app that all workers run as.
package let workerIdentifier = "com.example.Worker"
