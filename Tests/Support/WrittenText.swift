/// The text that a writer keeps for a number: of many lengths, and its own witness, so that a part
/// of one, or a mix of two, is known for what it is.
package func writtenText(_ number: Int) -> String {
  "\(number):"
    + String(repeating: Character(UnicodeScalar(UInt8(97 + number % 26))), count: number * 37 % 311)
}

/// The key that a writer keeps a number under: fifty are written over again and again.
package func writtenKey(_ prefix: String, _ number: Int) -> String {
  "\(prefix).\(number % writtenKeyCount)"
}

/// How many keys a writer has.
package let writtenKeyCount = 50

/// The app that all workers are.
package let workerIdentifier = "com.example.Worker"
