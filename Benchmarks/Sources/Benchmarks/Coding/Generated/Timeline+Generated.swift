// What a macro would write for this type, by hand.

import Keepsake

extension Timeline: GeneratedCoding {
  private static let fields = JSON.Fields(
    "statuses", "search_metadata")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var statuses: [Timeline.Status]?
    var searchMetadata: Timeline.SearchMetadata?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: statuses = try [Timeline.Status](from: &reader)
      case 1: searchMetadata = try Timeline.SearchMetadata(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let statuses, let searchMetadata else { throw object.missingField }
    self.statuses = statuses
    self.searchMetadata = searchMetadata
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(statuses, key: #""statuses":"#)
    try writer.write(searchMetadata, key: #""search_metadata":"#)
    writer.endObject()
  }
}

extension Timeline.SearchMetadata: GeneratedCoding {
  private static let fields = JSON.Fields(
    "completed_in", "max_id", "max_id_str", "next_results", "query", "refresh_url", "count",
    "since_id", "since_id_str")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var completedIn: Double?
    var maxId: Int?
    var maxIdStr: String?
    var nextResults: String?
    var query: String?
    var refreshUrl: String?
    var count: Int?
    var sinceId: Int?
    var sinceIdStr: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: completedIn = try Double(from: &reader)
      case 1: maxId = try Int(from: &reader)
      case 2: maxIdStr = try String(from: &reader)
      case 3: nextResults = try String(from: &reader)
      case 4: query = try String(from: &reader)
      case 5: refreshUrl = try String(from: &reader)
      case 6: count = try Int(from: &reader)
      case 7: sinceId = try Int(from: &reader)
      case 8: sinceIdStr = try String(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let completedIn, let maxId, let maxIdStr, let nextResults, let query, let refreshUrl,
      let count, let sinceId, let sinceIdStr
    else { throw object.missingField }
    self.completedIn = completedIn
    self.maxId = maxId
    self.maxIdStr = maxIdStr
    self.nextResults = nextResults
    self.query = query
    self.refreshUrl = refreshUrl
    self.count = count
    self.sinceId = sinceId
    self.sinceIdStr = sinceIdStr
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(completedIn, key: #""completed_in":"#)
    try writer.write(maxId, key: #""max_id":"#)
    try writer.write(maxIdStr, key: #""max_id_str":"#)
    try writer.write(nextResults, key: #""next_results":"#)
    try writer.write(query, key: #""query":"#)
    try writer.write(refreshUrl, key: #""refresh_url":"#)
    try writer.write(count, key: #""count":"#)
    try writer.write(sinceId, key: #""since_id":"#)
    try writer.write(sinceIdStr, key: #""since_id_str":"#)
    writer.endObject()
  }
}

extension Timeline.Metadata: GeneratedCoding {
  private static let fields = JSON.Fields(
    "result_type", "iso_language_code")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var resultType: String?
    var isoLanguageCode: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: resultType = try String(from: &reader)
      case 1: isoLanguageCode = try String(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let resultType, let isoLanguageCode else { throw object.missingField }
    self.resultType = resultType
    self.isoLanguageCode = isoLanguageCode
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(resultType, key: #""result_type":"#)
    try writer.write(isoLanguageCode, key: #""iso_language_code":"#)
    writer.endObject()
  }
}

extension Timeline.Status: GeneratedCoding {
  private static let fields = JSON.Fields(
    "metadata", "created_at", "id", "id_str", "text", "source", "truncated",
    "in_reply_to_status_id", "in_reply_to_status_id_str", "in_reply_to_user_id",
    "in_reply_to_user_id_str", "in_reply_to_screen_name", "user", "geo", "coordinates", "place",
    "contributors", "retweeted_status", "retweet_count", "favorite_count", "entities", "favorited",
    "retweeted", "possibly_sensitive", "lang")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var metadata: Timeline.Metadata?
    var createdAt: String?
    var id: Int?
    var idStr: String?
    var text: String?
    var source: String?
    var truncated: Bool?
    var inReplyToStatusId: Int?
    var inReplyToStatusIdStr: String?
    var inReplyToUserId: Int?
    var inReplyToUserIdStr: String?
    var inReplyToScreenName: String?
    var user: Timeline.User?
    var geo: String?
    var coordinates: String?
    var place: String?
    var contributors: String?
    var retweetedStatus: Timeline.Repeated?
    var retweetCount: Int?
    var favoriteCount: Int?
    var entities: Timeline.Entities?
    var favorited: Bool?
    var retweeted: Bool?
    var possiblySensitive: Bool?
    var lang: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: metadata = try Timeline.Metadata(from: &reader)
      case 1: createdAt = try String(from: &reader)
      case 2: id = try Int(from: &reader)
      case 3: idStr = try String(from: &reader)
      case 4: text = try String(from: &reader)
      case 5: source = try String(from: &reader)
      case 6: truncated = try Bool(from: &reader)
      case 7: inReplyToStatusId = try Int?(from: &reader)
      case 8: inReplyToStatusIdStr = try String?(from: &reader)
      case 9: inReplyToUserId = try Int?(from: &reader)
      case 10: inReplyToUserIdStr = try String?(from: &reader)
      case 11: inReplyToScreenName = try String?(from: &reader)
      case 12: user = try Timeline.User(from: &reader)
      case 13: geo = try String?(from: &reader)
      case 14: coordinates = try String?(from: &reader)
      case 15: place = try String?(from: &reader)
      case 16: contributors = try String?(from: &reader)
      case 17: retweetedStatus = try Timeline.Repeated?(from: &reader)
      case 18: retweetCount = try Int(from: &reader)
      case 19: favoriteCount = try Int(from: &reader)
      case 20: entities = try Timeline.Entities(from: &reader)
      case 21: favorited = try Bool(from: &reader)
      case 22: retweeted = try Bool(from: &reader)
      case 23: possiblySensitive = try Bool?(from: &reader)
      case 24: lang = try String(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let metadata, let createdAt, let id, let idStr, let text, let source, let truncated,
      let user, let retweetCount, let favoriteCount, let entities, let favorited, let retweeted,
      let lang
    else { throw object.missingField }
    self.metadata = metadata
    self.createdAt = createdAt
    self.id = id
    self.idStr = idStr
    self.text = text
    self.source = source
    self.truncated = truncated
    self.inReplyToStatusId = inReplyToStatusId
    self.inReplyToStatusIdStr = inReplyToStatusIdStr
    self.inReplyToUserId = inReplyToUserId
    self.inReplyToUserIdStr = inReplyToUserIdStr
    self.inReplyToScreenName = inReplyToScreenName
    self.user = user
    self.geo = geo
    self.coordinates = coordinates
    self.place = place
    self.contributors = contributors
    self.retweetedStatus = retweetedStatus
    self.retweetCount = retweetCount
    self.favoriteCount = favoriteCount
    self.entities = entities
    self.favorited = favorited
    self.retweeted = retweeted
    self.possiblySensitive = possiblySensitive
    self.lang = lang
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(metadata, key: #""metadata":"#)
    try writer.write(createdAt, key: #""created_at":"#)
    try writer.write(id, key: #""id":"#)
    try writer.write(idStr, key: #""id_str":"#)
    try writer.write(text, key: #""text":"#)
    try writer.write(source, key: #""source":"#)
    try writer.write(truncated, key: #""truncated":"#)
    if let inReplyToStatusId {
      try writer.write(inReplyToStatusId, key: #""in_reply_to_status_id":"#)
    }
    if let inReplyToStatusIdStr {
      try writer.write(inReplyToStatusIdStr, key: #""in_reply_to_status_id_str":"#)
    }
    if let inReplyToUserId { try writer.write(inReplyToUserId, key: #""in_reply_to_user_id":"#) }
    if let inReplyToUserIdStr {
      try writer.write(inReplyToUserIdStr, key: #""in_reply_to_user_id_str":"#)
    }
    if let inReplyToScreenName {
      try writer.write(inReplyToScreenName, key: #""in_reply_to_screen_name":"#)
    }
    try writer.write(user, key: #""user":"#)
    if let geo { try writer.write(geo, key: #""geo":"#) }
    if let coordinates { try writer.write(coordinates, key: #""coordinates":"#) }
    if let place { try writer.write(place, key: #""place":"#) }
    if let contributors { try writer.write(contributors, key: #""contributors":"#) }
    if let retweetedStatus { try writer.write(retweetedStatus, key: #""retweeted_status":"#) }
    try writer.write(retweetCount, key: #""retweet_count":"#)
    try writer.write(favoriteCount, key: #""favorite_count":"#)
    try writer.write(entities, key: #""entities":"#)
    try writer.write(favorited, key: #""favorited":"#)
    try writer.write(retweeted, key: #""retweeted":"#)
    if let possiblySensitive { try writer.write(possiblySensitive, key: #""possibly_sensitive":"#) }
    try writer.write(lang, key: #""lang":"#)
    writer.endObject()
  }
}

extension Timeline.Repeated: GeneratedCoding {
  private static let fields = JSON.Fields(
    "metadata", "created_at", "id", "id_str", "text", "source", "truncated",
    "in_reply_to_status_id", "in_reply_to_status_id_str", "in_reply_to_user_id",
    "in_reply_to_user_id_str", "in_reply_to_screen_name", "user", "geo", "coordinates", "place",
    "contributors", "retweet_count", "favorite_count", "entities", "favorited", "retweeted",
    "possibly_sensitive", "lang")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var metadata: Timeline.Metadata?
    var createdAt: String?
    var id: Int?
    var idStr: String?
    var text: String?
    var source: String?
    var truncated: Bool?
    var inReplyToStatusId: Int?
    var inReplyToStatusIdStr: String?
    var inReplyToUserId: Int?
    var inReplyToUserIdStr: String?
    var inReplyToScreenName: String?
    var user: Timeline.User?
    var geo: String?
    var coordinates: String?
    var place: String?
    var contributors: String?
    var retweetCount: Int?
    var favoriteCount: Int?
    var entities: Timeline.Entities?
    var favorited: Bool?
    var retweeted: Bool?
    var possiblySensitive: Bool?
    var lang: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: metadata = try Timeline.Metadata(from: &reader)
      case 1: createdAt = try String(from: &reader)
      case 2: id = try Int(from: &reader)
      case 3: idStr = try String(from: &reader)
      case 4: text = try String(from: &reader)
      case 5: source = try String(from: &reader)
      case 6: truncated = try Bool(from: &reader)
      case 7: inReplyToStatusId = try Int?(from: &reader)
      case 8: inReplyToStatusIdStr = try String?(from: &reader)
      case 9: inReplyToUserId = try Int?(from: &reader)
      case 10: inReplyToUserIdStr = try String?(from: &reader)
      case 11: inReplyToScreenName = try String?(from: &reader)
      case 12: user = try Timeline.User(from: &reader)
      case 13: geo = try String?(from: &reader)
      case 14: coordinates = try String?(from: &reader)
      case 15: place = try String?(from: &reader)
      case 16: contributors = try String?(from: &reader)
      case 17: retweetCount = try Int(from: &reader)
      case 18: favoriteCount = try Int(from: &reader)
      case 19: entities = try Timeline.Entities(from: &reader)
      case 20: favorited = try Bool(from: &reader)
      case 21: retweeted = try Bool(from: &reader)
      case 22: possiblySensitive = try Bool?(from: &reader)
      case 23: lang = try String(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let metadata, let createdAt, let id, let idStr, let text, let source, let truncated,
      let user, let retweetCount, let favoriteCount, let entities, let favorited, let retweeted,
      let lang
    else { throw object.missingField }
    self.metadata = metadata
    self.createdAt = createdAt
    self.id = id
    self.idStr = idStr
    self.text = text
    self.source = source
    self.truncated = truncated
    self.inReplyToStatusId = inReplyToStatusId
    self.inReplyToStatusIdStr = inReplyToStatusIdStr
    self.inReplyToUserId = inReplyToUserId
    self.inReplyToUserIdStr = inReplyToUserIdStr
    self.inReplyToScreenName = inReplyToScreenName
    self.user = user
    self.geo = geo
    self.coordinates = coordinates
    self.place = place
    self.contributors = contributors
    self.retweetCount = retweetCount
    self.favoriteCount = favoriteCount
    self.entities = entities
    self.favorited = favorited
    self.retweeted = retweeted
    self.possiblySensitive = possiblySensitive
    self.lang = lang
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(metadata, key: #""metadata":"#)
    try writer.write(createdAt, key: #""created_at":"#)
    try writer.write(id, key: #""id":"#)
    try writer.write(idStr, key: #""id_str":"#)
    try writer.write(text, key: #""text":"#)
    try writer.write(source, key: #""source":"#)
    try writer.write(truncated, key: #""truncated":"#)
    if let inReplyToStatusId {
      try writer.write(inReplyToStatusId, key: #""in_reply_to_status_id":"#)
    }
    if let inReplyToStatusIdStr {
      try writer.write(inReplyToStatusIdStr, key: #""in_reply_to_status_id_str":"#)
    }
    if let inReplyToUserId { try writer.write(inReplyToUserId, key: #""in_reply_to_user_id":"#) }
    if let inReplyToUserIdStr {
      try writer.write(inReplyToUserIdStr, key: #""in_reply_to_user_id_str":"#)
    }
    if let inReplyToScreenName {
      try writer.write(inReplyToScreenName, key: #""in_reply_to_screen_name":"#)
    }
    try writer.write(user, key: #""user":"#)
    if let geo { try writer.write(geo, key: #""geo":"#) }
    if let coordinates { try writer.write(coordinates, key: #""coordinates":"#) }
    if let place { try writer.write(place, key: #""place":"#) }
    if let contributors { try writer.write(contributors, key: #""contributors":"#) }
    try writer.write(retweetCount, key: #""retweet_count":"#)
    try writer.write(favoriteCount, key: #""favorite_count":"#)
    try writer.write(entities, key: #""entities":"#)
    try writer.write(favorited, key: #""favorited":"#)
    try writer.write(retweeted, key: #""retweeted":"#)
    if let possiblySensitive { try writer.write(possiblySensitive, key: #""possibly_sensitive":"#) }
    try writer.write(lang, key: #""lang":"#)
    writer.endObject()
  }
}

extension Timeline.User: GeneratedCoding {
  private static let fields = JSON.Fields(
    "id", "id_str", "name", "screen_name", "location", "description", "url", "entities",
    "protected", "followers_count", "friends_count", "listed_count", "created_at",
    "favourites_count", "utc_offset", "time_zone", "geo_enabled", "verified", "statuses_count",
    "lang", "contributors_enabled", "is_translator", "is_translation_enabled",
    "profile_background_color", "profile_background_image_url",
    "profile_background_image_url_https", "profile_background_tile", "profile_image_url",
    "profile_image_url_https", "profile_banner_url", "profile_link_color",
    "profile_sidebar_border_color", "profile_sidebar_fill_color", "profile_text_color",
    "profile_use_background_image", "default_profile", "default_profile_image", "following",
    "follow_request_sent", "notifications")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var id: Int?
    var idStr: String?
    var name: String?
    var screenName: String?
    var location: String?
    var description: String?
    var url: String?
    var entities: Timeline.UserEntities?
    var protected: Bool?
    var followersCount: Int?
    var friendsCount: Int?
    var listedCount: Int?
    var createdAt: String?
    var favouritesCount: Int?
    var utcOffset: Int?
    var timeZone: String?
    var geoEnabled: Bool?
    var verified: Bool?
    var statusesCount: Int?
    var lang: String?
    var contributorsEnabled: Bool?
    var isTranslator: Bool?
    var isTranslationEnabled: Bool?
    var profileBackgroundColor: String?
    var profileBackgroundImageUrl: String?
    var profileBackgroundImageUrlHttps: String?
    var profileBackgroundTile: Bool?
    var profileImageUrl: String?
    var profileImageUrlHttps: String?
    var profileBannerUrl: String?
    var profileLinkColor: String?
    var profileSidebarBorderColor: String?
    var profileSidebarFillColor: String?
    var profileTextColor: String?
    var profileUseBackgroundImage: Bool?
    var defaultProfile: Bool?
    var defaultProfileImage: Bool?
    var following: Bool?
    var followRequestSent: Bool?
    var notifications: Bool?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: id = try Int(from: &reader)
      case 1: idStr = try String(from: &reader)
      case 2: name = try String(from: &reader)
      case 3: screenName = try String(from: &reader)
      case 4: location = try String(from: &reader)
      case 5: description = try String(from: &reader)
      case 6: url = try String?(from: &reader)
      case 7: entities = try Timeline.UserEntities(from: &reader)
      case 8: protected = try Bool(from: &reader)
      case 9: followersCount = try Int(from: &reader)
      case 10: friendsCount = try Int(from: &reader)
      case 11: listedCount = try Int(from: &reader)
      case 12: createdAt = try String(from: &reader)
      case 13: favouritesCount = try Int(from: &reader)
      case 14: utcOffset = try Int?(from: &reader)
      case 15: timeZone = try String?(from: &reader)
      case 16: geoEnabled = try Bool(from: &reader)
      case 17: verified = try Bool(from: &reader)
      case 18: statusesCount = try Int(from: &reader)
      case 19: lang = try String(from: &reader)
      case 20: contributorsEnabled = try Bool(from: &reader)
      case 21: isTranslator = try Bool(from: &reader)
      case 22: isTranslationEnabled = try Bool(from: &reader)
      case 23: profileBackgroundColor = try String(from: &reader)
      case 24: profileBackgroundImageUrl = try String(from: &reader)
      case 25: profileBackgroundImageUrlHttps = try String(from: &reader)
      case 26: profileBackgroundTile = try Bool(from: &reader)
      case 27: profileImageUrl = try String(from: &reader)
      case 28: profileImageUrlHttps = try String(from: &reader)
      case 29: profileBannerUrl = try String?(from: &reader)
      case 30: profileLinkColor = try String(from: &reader)
      case 31: profileSidebarBorderColor = try String(from: &reader)
      case 32: profileSidebarFillColor = try String(from: &reader)
      case 33: profileTextColor = try String(from: &reader)
      case 34: profileUseBackgroundImage = try Bool(from: &reader)
      case 35: defaultProfile = try Bool(from: &reader)
      case 36: defaultProfileImage = try Bool(from: &reader)
      case 37: following = try Bool(from: &reader)
      case 38: followRequestSent = try Bool(from: &reader)
      case 39: notifications = try Bool(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let id, let idStr, let name, let screenName, let location, let description, let entities,
      let protected, let followersCount, let friendsCount, let listedCount, let createdAt,
      let favouritesCount, let geoEnabled, let verified, let statusesCount, let lang,
      let contributorsEnabled, let isTranslator, let isTranslationEnabled,
      let profileBackgroundColor, let profileBackgroundImageUrl, let profileBackgroundImageUrlHttps,
      let profileBackgroundTile, let profileImageUrl, let profileImageUrlHttps,
      let profileLinkColor, let profileSidebarBorderColor, let profileSidebarFillColor,
      let profileTextColor, let profileUseBackgroundImage, let defaultProfile,
      let defaultProfileImage, let following, let followRequestSent, let notifications
    else { throw object.missingField }
    self.id = id
    self.idStr = idStr
    self.name = name
    self.screenName = screenName
    self.location = location
    self.description = description
    self.url = url
    self.entities = entities
    self.protected = protected
    self.followersCount = followersCount
    self.friendsCount = friendsCount
    self.listedCount = listedCount
    self.createdAt = createdAt
    self.favouritesCount = favouritesCount
    self.utcOffset = utcOffset
    self.timeZone = timeZone
    self.geoEnabled = geoEnabled
    self.verified = verified
    self.statusesCount = statusesCount
    self.lang = lang
    self.contributorsEnabled = contributorsEnabled
    self.isTranslator = isTranslator
    self.isTranslationEnabled = isTranslationEnabled
    self.profileBackgroundColor = profileBackgroundColor
    self.profileBackgroundImageUrl = profileBackgroundImageUrl
    self.profileBackgroundImageUrlHttps = profileBackgroundImageUrlHttps
    self.profileBackgroundTile = profileBackgroundTile
    self.profileImageUrl = profileImageUrl
    self.profileImageUrlHttps = profileImageUrlHttps
    self.profileBannerUrl = profileBannerUrl
    self.profileLinkColor = profileLinkColor
    self.profileSidebarBorderColor = profileSidebarBorderColor
    self.profileSidebarFillColor = profileSidebarFillColor
    self.profileTextColor = profileTextColor
    self.profileUseBackgroundImage = profileUseBackgroundImage
    self.defaultProfile = defaultProfile
    self.defaultProfileImage = defaultProfileImage
    self.following = following
    self.followRequestSent = followRequestSent
    self.notifications = notifications
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(id, key: #""id":"#)
    try writer.write(idStr, key: #""id_str":"#)
    try writer.write(name, key: #""name":"#)
    try writer.write(screenName, key: #""screen_name":"#)
    try writer.write(location, key: #""location":"#)
    try writer.write(description, key: #""description":"#)
    if let url { try writer.write(url, key: #""url":"#) }
    try writer.write(entities, key: #""entities":"#)
    try writer.write(protected, key: #""protected":"#)
    try writer.write(followersCount, key: #""followers_count":"#)
    try writer.write(friendsCount, key: #""friends_count":"#)
    try writer.write(listedCount, key: #""listed_count":"#)
    try writer.write(createdAt, key: #""created_at":"#)
    try writer.write(favouritesCount, key: #""favourites_count":"#)
    if let utcOffset { try writer.write(utcOffset, key: #""utc_offset":"#) }
    if let timeZone { try writer.write(timeZone, key: #""time_zone":"#) }
    try writer.write(geoEnabled, key: #""geo_enabled":"#)
    try writer.write(verified, key: #""verified":"#)
    try writer.write(statusesCount, key: #""statuses_count":"#)
    try writer.write(lang, key: #""lang":"#)
    try writer.write(contributorsEnabled, key: #""contributors_enabled":"#)
    try writer.write(isTranslator, key: #""is_translator":"#)
    try writer.write(isTranslationEnabled, key: #""is_translation_enabled":"#)
    try writer.write(profileBackgroundColor, key: #""profile_background_color":"#)
    try writer.write(profileBackgroundImageUrl, key: #""profile_background_image_url":"#)
    try writer.write(profileBackgroundImageUrlHttps, key: #""profile_background_image_url_https":"#)
    try writer.write(profileBackgroundTile, key: #""profile_background_tile":"#)
    try writer.write(profileImageUrl, key: #""profile_image_url":"#)
    try writer.write(profileImageUrlHttps, key: #""profile_image_url_https":"#)
    if let profileBannerUrl { try writer.write(profileBannerUrl, key: #""profile_banner_url":"#) }
    try writer.write(profileLinkColor, key: #""profile_link_color":"#)
    try writer.write(profileSidebarBorderColor, key: #""profile_sidebar_border_color":"#)
    try writer.write(profileSidebarFillColor, key: #""profile_sidebar_fill_color":"#)
    try writer.write(profileTextColor, key: #""profile_text_color":"#)
    try writer.write(profileUseBackgroundImage, key: #""profile_use_background_image":"#)
    try writer.write(defaultProfile, key: #""default_profile":"#)
    try writer.write(defaultProfileImage, key: #""default_profile_image":"#)
    try writer.write(following, key: #""following":"#)
    try writer.write(followRequestSent, key: #""follow_request_sent":"#)
    try writer.write(notifications, key: #""notifications":"#)
    writer.endObject()
  }
}

extension Timeline.UserEntities: GeneratedCoding {
  private static let fields = JSON.Fields(
    "description", "url")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var description: Timeline.Links?
    var url: Timeline.Links?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: description = try Timeline.Links(from: &reader)
      case 1: url = try Timeline.Links?(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let description else { throw object.missingField }
    self.description = description
    self.url = url
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(description, key: #""description":"#)
    if let url { try writer.write(url, key: #""url":"#) }
    writer.endObject()
  }
}

extension Timeline.Links: GeneratedCoding {
  private static let fields = JSON.Fields(
    "urls")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var urls: [Timeline.Link]?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: urls = try [Timeline.Link](from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let urls else { throw object.missingField }
    self.urls = urls
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(urls, key: #""urls":"#)
    writer.endObject()
  }
}

extension Timeline.Entities: GeneratedCoding {
  private static let fields = JSON.Fields(
    "hashtags", "symbols", "urls", "user_mentions", "media")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var hashtags: [Timeline.Hashtag]?
    var symbols: [Timeline.Hashtag]?
    var urls: [Timeline.Link]?
    var userMentions: [Timeline.Mention]?
    var media: [Timeline.Medium]?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: hashtags = try [Timeline.Hashtag](from: &reader)
      case 1: symbols = try [Timeline.Hashtag](from: &reader)
      case 2: urls = try [Timeline.Link](from: &reader)
      case 3: userMentions = try [Timeline.Mention](from: &reader)
      case 4: media = try [Timeline.Medium]?(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let hashtags, let symbols, let urls, let userMentions else { throw object.missingField }
    self.hashtags = hashtags
    self.symbols = symbols
    self.urls = urls
    self.userMentions = userMentions
    self.media = media
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(hashtags, key: #""hashtags":"#)
    try writer.write(symbols, key: #""symbols":"#)
    try writer.write(urls, key: #""urls":"#)
    try writer.write(userMentions, key: #""user_mentions":"#)
    if let media { try writer.write(media, key: #""media":"#) }
    writer.endObject()
  }
}

extension Timeline.Hashtag: GeneratedCoding {
  private static let fields = JSON.Fields(
    "text", "indices")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var text: String?
    var indices: [Int]?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: text = try String(from: &reader)
      case 1: indices = try [Int](from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let text, let indices else { throw object.missingField }
    self.text = text
    self.indices = indices
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(text, key: #""text":"#)
    try writer.write(indices, key: #""indices":"#)
    writer.endObject()
  }
}

extension Timeline.Link: GeneratedCoding {
  private static let fields = JSON.Fields(
    "url", "expanded_url", "display_url", "indices")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var url: String?
    var expandedUrl: String?
    var displayUrl: String?
    var indices: [Int]?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: url = try String(from: &reader)
      case 1: expandedUrl = try String(from: &reader)
      case 2: displayUrl = try String(from: &reader)
      case 3: indices = try [Int](from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let url, let expandedUrl, let displayUrl, let indices else { throw object.missingField }
    self.url = url
    self.expandedUrl = expandedUrl
    self.displayUrl = displayUrl
    self.indices = indices
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(url, key: #""url":"#)
    try writer.write(expandedUrl, key: #""expanded_url":"#)
    try writer.write(displayUrl, key: #""display_url":"#)
    try writer.write(indices, key: #""indices":"#)
    writer.endObject()
  }
}

extension Timeline.Mention: GeneratedCoding {
  private static let fields = JSON.Fields(
    "screen_name", "name", "id", "id_str", "indices")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var screenName: String?
    var name: String?
    var id: Int?
    var idStr: String?
    var indices: [Int]?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: screenName = try String(from: &reader)
      case 1: name = try String(from: &reader)
      case 2: id = try Int(from: &reader)
      case 3: idStr = try String(from: &reader)
      case 4: indices = try [Int](from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let screenName, let name, let id, let idStr, let indices else {
      throw object.missingField
    }
    self.screenName = screenName
    self.name = name
    self.id = id
    self.idStr = idStr
    self.indices = indices
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(screenName, key: #""screen_name":"#)
    try writer.write(name, key: #""name":"#)
    try writer.write(id, key: #""id":"#)
    try writer.write(idStr, key: #""id_str":"#)
    try writer.write(indices, key: #""indices":"#)
    writer.endObject()
  }
}

extension Timeline.Medium: GeneratedCoding {
  private static let fields = JSON.Fields(
    "id", "id_str", "indices", "media_url", "media_url_https", "url", "display_url", "expanded_url",
    "type", "sizes", "source_status_id", "source_status_id_str")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var id: Int?
    var idStr: String?
    var indices: [Int]?
    var mediaUrl: String?
    var mediaUrlHttps: String?
    var url: String?
    var displayUrl: String?
    var expandedUrl: String?
    var type: String?
    var sizes: Timeline.Sizes?
    var sourceStatusId: Int?
    var sourceStatusIdStr: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: id = try Int(from: &reader)
      case 1: idStr = try String(from: &reader)
      case 2: indices = try [Int](from: &reader)
      case 3: mediaUrl = try String(from: &reader)
      case 4: mediaUrlHttps = try String(from: &reader)
      case 5: url = try String(from: &reader)
      case 6: displayUrl = try String(from: &reader)
      case 7: expandedUrl = try String(from: &reader)
      case 8: type = try String(from: &reader)
      case 9: sizes = try Timeline.Sizes(from: &reader)
      case 10: sourceStatusId = try Int?(from: &reader)
      case 11: sourceStatusIdStr = try String?(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let id, let idStr, let indices, let mediaUrl, let mediaUrlHttps, let url, let displayUrl,
      let expandedUrl, let type, let sizes
    else { throw object.missingField }
    self.id = id
    self.idStr = idStr
    self.indices = indices
    self.mediaUrl = mediaUrl
    self.mediaUrlHttps = mediaUrlHttps
    self.url = url
    self.displayUrl = displayUrl
    self.expandedUrl = expandedUrl
    self.type = type
    self.sizes = sizes
    self.sourceStatusId = sourceStatusId
    self.sourceStatusIdStr = sourceStatusIdStr
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(id, key: #""id":"#)
    try writer.write(idStr, key: #""id_str":"#)
    try writer.write(indices, key: #""indices":"#)
    try writer.write(mediaUrl, key: #""media_url":"#)
    try writer.write(mediaUrlHttps, key: #""media_url_https":"#)
    try writer.write(url, key: #""url":"#)
    try writer.write(displayUrl, key: #""display_url":"#)
    try writer.write(expandedUrl, key: #""expanded_url":"#)
    try writer.write(type, key: #""type":"#)
    try writer.write(sizes, key: #""sizes":"#)
    if let sourceStatusId { try writer.write(sourceStatusId, key: #""source_status_id":"#) }
    if let sourceStatusIdStr {
      try writer.write(sourceStatusIdStr, key: #""source_status_id_str":"#)
    }
    writer.endObject()
  }
}

extension Timeline.Sizes: GeneratedCoding {
  private static let fields = JSON.Fields(
    "medium", "small", "thumb", "large")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var medium: Timeline.Size?
    var small: Timeline.Size?
    var thumb: Timeline.Size?
    var large: Timeline.Size?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: medium = try Timeline.Size(from: &reader)
      case 1: small = try Timeline.Size(from: &reader)
      case 2: thumb = try Timeline.Size(from: &reader)
      case 3: large = try Timeline.Size(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let medium, let small, let thumb, let large else { throw object.missingField }
    self.medium = medium
    self.small = small
    self.thumb = thumb
    self.large = large
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(medium, key: #""medium":"#)
    try writer.write(small, key: #""small":"#)
    try writer.write(thumb, key: #""thumb":"#)
    try writer.write(large, key: #""large":"#)
    writer.endObject()
  }
}

extension Timeline.Size: GeneratedCoding {
  private static let fields = JSON.Fields(
    "w", "h", "resize")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var w: Int?
    var h: Int?
    var resize: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: w = try Int(from: &reader)
      case 1: h = try Int(from: &reader)
      case 2: resize = try String(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let w, let h, let resize else { throw object.missingField }
    self.w = w
    self.h = h
    self.resize = resize
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(w, key: #""w":"#)
    try writer.write(h, key: #""h":"#)
    try writer.write(resize, key: #""resize":"#)
    writer.endObject()
  }
}
