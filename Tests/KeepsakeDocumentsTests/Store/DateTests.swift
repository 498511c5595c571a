import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTesting
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Dates and data in documents") struct DateTests {
  struct Exercise: Codable, Equatable, Identifiable {
    var id = "1"
    var date: Date
    var data = Data([1, 2, 3])
    var weight = 1.5
  }

  let directory = Directory()

  private func open(
    _ configuration: DocumentConfiguration = .init()
  ) throws -> DocumentStore<Exercise> {
    try DocumentStore(
      directory: Directory.path, pathExtension: "exercise", configuration: configuration,
      fileSystem: directory.disk)
  }

  @Test("A date is text that restores it exactly") func exactDates() throws {
    let store = try open()
    for seconds in [785_000_000, 785_000_000.25, 785_000_000.123_456_7, -0.1, 1e-9, 1e15] {
      let exercise = Exercise(date: Date(timeIntervalSinceReferenceDate: seconds))
      try store.save(exercise)
      #expect(try open().load("1") == exercise)
    }
    try store.save(Exercise(date: Date(timeIntervalSinceReferenceDate: 785_000_000.25)))
    #expect(directory.text("1.exercise")?.contains(#""date" : "2025-11-16T15:33:20.25Z""#) == true)
  }

  @Test("A date that is a number of seconds is read, and written as text once it changes")
  func numbers() throws {
    let old = #"{"data": "AQID", "date": 785000000.25, "id": "1", "weight": 1.5}"#
    try directory.write(old, to: "1.exercise")
    let store = try open()
    var exercise = try store.load("1")
    #expect(exercise.date == Date(timeIntervalSinceReferenceDate: 785_000_000.25))
    exercise.weight = 2
    try store.save(exercise)
    #expect(directory.text("1.exercise")?.contains("\"date\" : 785000000.25") == true)
    exercise.date += 1
    try store.save(exercise)
    #expect(directory.text("1.exercise")?.contains("2025-11-16T15:33:21.25Z") == true)
    #expect(try open().load("1") == exercise)
  }

  @Test("The store's configuration says how values are written") func configured() throws {
    var configuration = DocumentConfiguration()
    configuration.coding.dateEncodingStrategy = .secondsSince1970
    configuration.coding.dateDecodingStrategy = .secondsSince1970
    configuration.coding.dataEncodingStrategy = .deferredToData
    configuration.coding.dataDecodingStrategy = .deferredToData
    configuration.coding.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    configuration.coding.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let store = try open(configuration)
    let exercise = Exercise(
      date: Date(timeIntervalSince1970: 1000), data: Data([7]), weight: .infinity)
    try store.save(exercise)
    #expect(try open(configuration).load("1") == exercise)
    let text = try #require(directory.text("1.exercise"))
    #expect(text.contains("\"date\" : 1000") && text.contains("\"weight\" : \"inf\""))
    #expect(!text.contains("Bw=="))
  }
}
