import Foundation
import KeepsakeCoding
import Testing

@Suite("The XML property-list layout")
struct XMLLayoutTests {
  @Test("P11: a document is written exactly in Apple's layout")
  func referenceDocument() throws {
    let value: PropertyList.Value = [
      "string": "a & b < c > d \"e\" 'f'\r\n\tg\u{0}\u{1B}\u{FFFE}é",
      "integer": -42,
      "unsigned": .unsigned(.max),
      "real": 0.1,
      "infinity": .real(.infinity),
      "true": true,
      "false": false,
      "date": .date(Date(timeIntervalSince1970: 1_795_222_923)),
      "data": .data(Data((0..<60).map { UInt8($0) })),
      "array": [1, ["nested": .data(Data())], []],
      "dictionary": [:],
      "": "",
      "a.b": .real(-0.0),
    ]
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key></key>
      \t<string></string>
      \t<key>a.b</key>
      \t<real>-0</real>
      \t<key>array</key>
      \t<array>
      \t\t<integer>1</integer>
      \t\t<dict>
      \t\t\t<key>nested</key>
      \t\t\t<data>
      \t\t\t</data>
      \t\t</dict>
      \t\t<array/>
      \t</array>
      \t<key>data</key>
      \t<data>
      \tAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEy
      \tMzQ1Njc4OTo7
      \t</data>
      \t<key>date</key>
      \t<date>2026-11-21T01:02:03Z</date>
      \t<key>dictionary</key>
      \t<dict/>
      \t<key>false</key>
      \t<false/>
      \t<key>infinity</key>
      \t<real>+infinity</real>
      \t<key>integer</key>
      \t<integer>-42</integer>
      \t<key>real</key>
      \t<real>0.1</real>
      \t<key>string</key>
      \t<string>a &amp; b &lt; c &gt; d "e" 'f'&#13;
      \tg&#0;&#27;&#65534;é</string>
      \t<key>true</key>
      \t<true/>
      \t<key>unsigned</key>
      \t<integer>18446744073709551615</integer>
      </dict>
      </plist>

      """
    #expect(String(decoding: value.serializedXML(), as: UTF8.self) == text)
    #expect(try PropertyList.Value(parsingXML: Array(text.utf8)) == value)
  }

  @Test("What people and other tools write is read")
  func leniency() throws {
    let text = """
      \u{FEFF}<?xml version = '1.0' encoding = 'utf-8' ?>\r
      <?editor tabs?><!-- by hand -->
      <plist version='1.0' xmlns:x="y"><dict ><key>a<!-- b --></key >
      <string id="1">&lt;&#65;&#x42;<![CDATA[<&>]]>\r\n</string><key/><array><string/><data/>
      <true></true><integer> +0x1F</integer><integer>-0x10</integer><integer>007</integer>
      <real> -1E3</real><real>+INF</real><date>2026-11-21T01:02:03.500000Z</date>
      <data> A A\n\tE = \t</data><dict></dict></array><key>a.b</key><false/><key>a.b</key><true/>
      </dict></plist><!-- end -->
      """
    let date = Date(timeIntervalSince1970: 1_795_222_923.5)
    #expect(
      try PropertyList.Value(parsingXML: Array(text.utf8)) == [
        "a": "<AB<&>\r\n", "a.b": true,
        "": [
          "", .data(Data()), true, 31, -16, 7, -1000.0, .real(.infinity), .date(date),
          .data(Data([0, 1])), [:],
        ],
      ])
    #expect(try PropertyList.Value(parsingXML: Array("<dict/>".utf8)) == [:])
  }
}
