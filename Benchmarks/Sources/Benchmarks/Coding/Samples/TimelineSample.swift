/// A text of the shape and size of `twitter.json`: a hundred messages, many of them in Japanese.
struct TimelineSample {
  private var random = SampleRandom(seed: 41)

  static func json() -> String {
    var sample = TimelineSample()
    return sample.timeline().json(indentation: 2)
  }

  private mutating func timeline() -> Node {
    .members([
      ("statuses", .list((0..<100).map { _ in status(mayRepeat: true) })),
      (
        "search_metadata",
        .members([
          ("completed_in", .number("0.087")), ("max_id", 505_874_924_095_815_700),
          ("max_id_str", "505874924095815681"),
          ("next_results", "?max_id=505874847260352512&q=%E4%B8%80&count=100&include_entities=1"),
          ("query", "%E4%B8%80"),
          ("refresh_url", "?since_id=505874924095815681&q=%E4%B8%80&include_entities=1"),
          ("count", 100), ("since_id", 0), ("since_id_str", "0"),
        ])
      ),
    ])
  }

  private mutating func status(mayRepeat: Bool) -> Node {
    let digits = random.digits(18)
    let answers = random.happens(percent: 20)
    let other = random.digits(9)
    var members: [(String, Node)] = [
      ("metadata", .members([("result_type", "recent"), ("iso_language_code", "ja")])),
      ("created_at", date(2014)), ("id", .number(digits)), ("id_str", .text(digits)),
      ("text", .text(message())),
      (
        "source",
        .text(
          "<a href=\"http://\(random.element(["twitter.com/download/iphone", "twittbot.net/"]))\" "
            + "rel=\"nofollow\">\(random.element(["Twitter for iPhone", "twittbot.net"]))</a>")
      ),
      ("truncated", false),
      ("in_reply_to_status_id", answers ? .number(random.digits(18)) : .null),
      ("in_reply_to_status_id_str", answers ? .text(random.digits(18)) : .null),
      ("in_reply_to_user_id", answers ? .number(other) : .null),
      ("in_reply_to_user_id_str", answers ? .text(other) : .null),
      ("in_reply_to_screen_name", answers ? .text(screenName()) : .null),
      ("user", user()), ("geo", .null), ("coordinates", .null), ("place", .null),
      ("contributors", .null),
    ]
    if mayRepeat, random.happens(percent: 60) {
      members.append(("retweeted_status", status(mayRepeat: false)))
    }
    members += [
      ("retweet_count", Node(random.number(0...900))),
      ("favorite_count", Node(random.number(0...700))), ("entities", entities()),
      ("favorited", false), ("retweeted", false),
    ]
    if random.happens(percent: 40) { members.append(("possibly_sensitive", false)) }
    return .members(members + [("lang", "ja")])
  }

  private mutating func user() -> Node {
    let digits = random.digits(9)
    let picture = "pbs.twimg.com/profile_images/\(random.digits(18))/\(random.hexadecimal(8)).jpeg"
    let background = "abs.twimg.com/images/themes/theme\(random.number(1...20))/bg.png"
    let hasZone = random.happens(percent: 50)
    let hasLink = random.happens(percent: 30)
    var members: [(String, Node)] = [
      ("id", .number(digits)), ("id_str", .text(digits)),
      ("name", .text(random.japanese(3...10))), ("screen_name", .text(screenName())),
      ("location", .text(random.happens(percent: 50) ? random.japanese(2...8) : "")),
      ("description", .text(random.japanese(20...80) + "\n" + random.japanese(5...40))),
      ("url", hasLink ? .text("http://t.co/\(random.hexadecimal(10))") : .null),
    ]
    var entities: [(String, Node)] = [("description", .members([("urls", .list([]))]))]
    if hasLink { entities.append(("url", .members([("urls", .list([link()]))]))) }
    members += [
      ("entities", .members(entities)), ("protected", false),
      ("followers_count", Node(random.number(0...9000))),
      ("friends_count", Node(random.number(0...2000))),
      ("listed_count", Node(random.number(0...100))), ("created_at", date(2011)),
      ("favourites_count", Node(random.number(0...9000))),
      ("utc_offset", hasZone ? 32400 : .null), ("time_zone", hasZone ? "Tokyo" : .null),
      ("geo_enabled", .flag(random.happens(percent: 50))), ("verified", false),
      ("statuses_count", Node(random.number(0...90_000))), ("lang", "ja"),
      ("contributors_enabled", false), ("is_translator", false),
      ("is_translation_enabled", false), ("profile_background_color", .text(random.hexadecimal(6))),
      ("profile_background_image_url", .text("http://" + background)),
      ("profile_background_image_url_https", .text("https://" + background)),
      ("profile_background_tile", .flag(random.happens(percent: 30))),
      ("profile_image_url", .text("http://" + picture)),
      ("profile_image_url_https", .text("https://" + picture)),
    ]
    if random.happens(percent: 70) {
      let banner = "https://pbs.twimg.com/profile_banners/\(digits)/\(random.digits(10))"
      members.append(("profile_banner_url", .text(banner)))
    }
    return .members(
      members + [
        ("profile_link_color", .text(random.hexadecimal(6))),
        ("profile_sidebar_border_color", .text(random.hexadecimal(6))),
        ("profile_sidebar_fill_color", .text(random.hexadecimal(6))),
        ("profile_text_color", .text(random.hexadecimal(6))),
        ("profile_use_background_image", true), ("default_profile", false),
        ("default_profile_image", false), ("following", false), ("follow_request_sent", false),
        ("notifications", false),
      ])
  }

  // MARK: What messages mention

  private mutating func entities() -> Node {
    var members: [(String, Node)] = [
      (
        "hashtags",
        .list(
          (0..<max(0, random.number(-3...2))).map { _ in
            .members([("text", .text(random.japanese(3...9))), ("indices", indices())])
          })
      ),
      ("symbols", .list([])),
      ("urls", .list(random.happens(percent: 30) ? [link()] : [])),
      (
        "user_mentions",
        .list((0..<random.number(0...1)).map { _ in mention() })
      ),
    ]
    if random.happens(percent: 35) { members.append(("media", .list([medium()]))) }
    return .members(members)
  }

  private mutating func link() -> Node {
    let page = "\(random.hexadecimal(6)).jp/\(random.digits(6))"
    return .members([
      ("url", .text("http://t.co/\(random.hexadecimal(10))")),
      ("expanded_url", .text("http://\(page)")), ("display_url", .text(page)),
      ("indices", indices()),
    ])
  }

  private mutating func mention() -> Node {
    let digits = random.digits(9)
    return .members([
      ("screen_name", .text(screenName())), ("name", .text(random.japanese(3...12))),
      ("id", .number(digits)), ("id_str", .text(digits)), ("indices", indices()),
    ])
  }

  private mutating func medium() -> Node {
    let digits = random.digits(18)
    let file = "pbs.twimg.com/media/\(random.hexadecimal(15)).jpg"
    let page = "twitter.com/\(screenName())/status/\(random.digits(18))/photo/1"
    return .members([
      ("id", .number(digits)), ("id_str", .text(digits)), ("indices", indices()),
      ("media_url", .text("http://" + file)), ("media_url_https", .text("https://" + file)),
      ("url", .text("http://t.co/\(random.hexadecimal(10))")),
      ("display_url", .text("pic." + page)), ("expanded_url", .text("http://" + page)),
      ("type", "photo"),
      (
        "sizes",
        .members(
          [("medium", 600), ("small", 340), ("thumb", 150), ("large", 1024)].map { name, width in
            let resize: Node = name == "thumb" ? "crop" : "fit"
            return (name, .members([("w", Node(width)), ("h", Node(width)), ("resize", resize)]))
          })
      ),
      ("source_status_id", .number(random.digits(18))),
      ("source_status_id_str", .text(random.digits(18))),
    ])
  }

  private mutating func message() -> String {
    "@\(screenName()) " + random.japanese(20...60)
      + random.element(["", "\n", "\n\n", " \"\(random.words(2...5))\" "])
      + random.japanese(10...50)
  }

  private mutating func screenName() -> String {
    random.words(1...1) + "_" + random.hexadecimal(random.number(2...6)).lowercased()
  }

  private mutating func indices() -> Node {
    let start = random.number(0...100)
    return Node([start, start + random.number(5...22)])
  }

  private mutating func date(_ year: Int) -> Node {
    .text(
      "Sun Aug \(random.number(10...31)) \(random.number(10...23)):\(random.number(10...59)):"
        + "\(random.number(10...59)) +0000 \(year)")
  }
}
