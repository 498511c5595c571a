import Testing

@testable import Cards
@testable import Stage

@Suite("Cards in files")
@MainActor
struct CardCodingTests {
  private func read(_ json: String) throws -> Card {
    try JSON.Decoder().decode(Card.self, from: Array(json.utf8))
  }

  private func text(_ card: Card) throws -> String {
    let encoder = JSON.Encoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(card), as: UTF8.self)
  }

  @Test("When a card was made is kept to the millisecond, older files stay")
  func created() throws {
    func kept(_ card: Card) throws -> String {
      String(decoding: try JSON.Encoder().encodeToBytes(card), as: UTF8.self)
    }
    for millisecond in 0..<1000 {
      let seconds = 1_790_000_000 + Double(millisecond) / 1000
      let text = try kept(Card(created: Date(timeIntervalSince1970: seconds)))
      let read = try JSON.Decoder().decode(Card.self, from: Array(text.utf8))
      #expect(abs(try #require(read.created).timeIntervalSince1970 - seconds) < 0.0005)
      #expect(try kept(read) == text)
    }
    let old = #"{"id":"\#(UUID())","created":"2026-01-01T00:00:07Z"}"#
    let card = try JSON.Decoder().decode(Card.self, from: Array(old.utf8))
    #expect(try kept(card).contains(#""2026-01-01T00:00:07Z""#))
  }

  @Test("Everything on a card is kept, and which lies on which")
  func roundTrip() throws {
    var card = Card(created: Date(timeIntervalSince1970: 1_000_000), backgroundColor: Palette.ink)
    var image = ImageElement(imageFilename: "A.png")
    image.frame = Shapes.shapes[7]
    image.transform.rotation = .degrees(-12.5)
    let words = TextElement(
      transform: Transform(
        size: CGSize(width: 10, height: 20), offset: CGSize(width: 1, height: -2)),
      text: "</script> \u{1F600} \"", textColor: Palette.yellow, textFont: "serif")
    card.elements = [TextElement(text: "below"), image, words, ImageElement()]
    let again = try read(text(card))
    #expect(again.id == card.id && again.created == card.created)
    #expect(again.backgroundColor == card.backgroundColor)
    #expect(again.elements.map(\.id) == card.elements.map(\.id))
    #expect(again.elements.map(\.transform) == card.elements.map(\.transform))
    let kept = try #require(again.elements[2] as? TextElement)
    #expect(kept.text == words.text && kept.textColor == words.textColor && kept.design == .serif)
    #expect((again.elements[1] as? ImageElement)?.frame == Shapes.shapes[7])
    #expect(try text(again) == text(card))
  }

  @Test("The keys and the numbers of a file are those of the chapter")
  func format() throws {
    let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    var card = Card(id: try #require(UUID(uuidString: id)))
    card.backgroundColor = Color(red: 1, green: 0.5, blue: 0.25)
    var image = ImageElement(id: card.id, imageFilename: "A.png")
    image.frame = Shapes.shapes[3]
    card.elements = [image]
    let object = try JSONSerialization.jsonObject(with: Data(text(card).utf8)) as? [String: Any]
    #expect(object?["backgroundColor"] as? [Double] == [1, 0.5, 0.25, 1])
    #expect(object?["id"] as? String == id)
    #expect(object?["order"] as? [String] == [id])
    let kept = (object?["imageElements"] as? [[String: Any]])?.first
    #expect(kept?["frame"] as? Int == 3 && kept?["imageFilename"] as? String == "A.png")
    let transform = kept?["transform"] as? [String: Any]
    #expect(transform?["size"] as? [Double] == [800, 800])
    #expect((transform?["rotation"] as? [String: Double]) == ["degrees": 0])
    #expect(object?["textElements"] as? [String] == [])
  }

  @Test("A file of the chapter, which has neither identities nor order nor colors, is read")
  func chapter() throws {
    let json = """
      {"id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","imageElements":[
        {"transform":{"size":[250,180],"rotation":{"degrees":10},"offset":[3,4]},"frame":2,
         "imageFilename":"0D3C5B9E-5A4E-4B0E-9B1A-0B5E5D0C8F11"},
        {"transform":{"size":[250,180],"rotation":{"degrees":0},"offset":[0,0]}}]}
      """
    let card = try read(json)
    #expect(card.elements.count == 2 && card.backgroundColor == Palette.yellow)
    #expect(card.elements[0].transform.size == CGSize(width: 250, height: 180))
    #expect((card.elements[0] as? ImageElement)?.frame == Shapes.shapes[2])
    // The identities that the elements are given are the same ones each time.
    #expect(card.elements[0].id != card.elements[1].id)
    #expect(try read(json).elements.map(\.id) == card.elements.map(\.id))
  }

  @Test("A frame of a newer version is kept and drawn as none", arguments: [99, -1, 11])
  func unknownFrames(index: Int) throws {
    let card = try read(
      #"{"id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","imageElements":[{"frame":\#(index)}]}"#)
    let image = try #require(card.elements.first as? ImageElement)
    #expect(image.frame == nil && image.frameIndex == index)
    let object = try JSONSerialization.jsonObject(with: Data(text(card).utf8)) as? [String: Any]
    let kept = (object?["imageElements"] as? [[String: Any]])?.first
    #expect(kept?["frame"] as? Int == index)
  }

  @Test(
    "The letters' size of a text is kept, drawn within limits, and absent where it fills its box")
  func sizes() throws {
    func shown(_ size: String) throws -> Double? {
      let card = try read(#"{"id":"\#(UUID())","textElements":[{"text":"a\n\nb"\#(size)}]}"#)
      let element = try #require(card.elements.first as? TextElement)
      #expect(try text(card).contains("fontSize") == (element.fontSize != nil))
      return element.shownFontSize
    }
    #expect(try shown("") == nil && shown(#","fontSize":"large""#) == nil)
    #expect(try shown(#","fontSize":90"#) == 90)
    #expect(try shown(#","fontSize":-1e9"#) == 20 && shown(#","fontSize":1e300"#) == 600)
  }

  @Test("A box is shown as high as its lines need, never lower than it is or higher than the card")
  func room() {
    func height(_ text: String, _ size: Double?) -> Double {
      let element = TextElement(text: text, fontSize: size)
      return element.shownTransform.size.height
    }
    #expect(height("short", 100) == 260 && height(String(repeating: "a ", count: 500), nil) == 260)
    #expect(height("a\n\n\n\nb", 100) == 600)
    #expect(height(String(repeating: "a ", count: 500), 200) == 2000)
  }

  @Test("There are eleven frames, all different, each with a name")
  func frames() {
    #expect(Shapes.shapes.count == 11 && Shapes.names.count == 11)
    for (index, shape) in Shapes.shapes.enumerated() {
      #expect(Shapes.shapes.firstIndex { $0 == shape } == index)
    }
  }

  @Test("What the order does not name lies above, and what it names twice lies once")
  func order() throws {
    let ids = (0..<4).map { _ in UUID() }
    let json = """
      {"id":"\(UUID())","imageElements":[{"id":"\(ids[0])"},{"id":"\(ids[1])"}],
       "textElements":[{"id":"\(ids[2])","text":"a"},{"id":"\(ids[3])","text":"b"}],
       "order":["\(ids[2])","\(ids[0])","\(UUID())","\(ids[2])"]}
      """
    #expect(try read(json).elements.map(\.id) == [ids[2], ids[0], ids[1], ids[3]])
  }

  @Test("Two elements of one identity are two elements")
  func duplicates() throws {
    let id = UUID()
    let card = try read(
      """
      {"id":"\(UUID())","imageElements":[{"id":"\(id)"},{"id":"\(id)"}],
       "textElements":[{"id":"\(id)","text":"a"}],"order":["\(id)"]}
      """)
    #expect(Set(card.elements.map(\.id)).count == 3 && card.elements[0].id == id)
  }

  @Test(
    "What is no color, no order and no date is passed over",
    arguments: ["[]", "[1,2]", "[9,9,9,9]", "\"red\"", "{\"red\":1}", "null", "[1,\"a\",0,1]"])
  func strangers(value: String) throws {
    let card = try read(
      """
      {"id":"\(UUID())","backgroundColor":\(value),"order":\(value),"created":\(value),
       "textElements":[{"text":"a","textColor":\(value)}],
       "imageElements":[{"frame":{"kind":"new"}}]}
      """)
    #expect(card.backgroundColor == Palette.yellow && card.elements.count == 2)
  }

  @Test(
    "What would lose something is an error",
    arguments: [
      "{}", "[]", "{\"id\":\"x\"}", "{\"id\":7}",
      "{\"id\":\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\",\"imageElements\":{}}",
      "{\"id\":\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\",\"textElements\":[{\"text\":1}]}",
    ])
  func errors(json: String) {
    #expect(throws: (any Error).self) { try read(json) }
  }

  @Test("An element is brought up and down one step at a time, and not beyond the ends")
  func levels() throws {
    var card = Card()
    card.elements = [TextElement(text: "a"), TextElement(text: "b"), TextElement(text: "c")]
    let ids = card.elements.map(\.id)
    card.move(ids[0], by: 1)
    #expect(card.elements.map(\.id) == [ids[1], ids[0], ids[2]])
    card.move(ids[2], by: 1)
    card.move(ids[1], by: -1)
    card.move(UUID(), by: 1)
    #expect(card.elements.map(\.id) == [ids[1], ids[0], ids[2]])
  }
}
