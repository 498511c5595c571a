import KeepsakeMacros

/// A page of found messages, as a micro-blog's search gives it.
@Storable(keys: .snakeCase) struct StoredTimeline: Equatable, Sendable {
  var statuses: [Status]
  var searchMetadata: SearchMetadata
}

extension StoredTimeline {
  /// What was searched, and where the next page is.
  @Storable(keys: .snakeCase) struct SearchMetadata: Equatable, Sendable {
    var completedIn: Double
    var maxId: Int
    var maxIdStr: String
    var nextResults: String
    var query: String
    var refreshUrl: String
    var count: Int
    var sinceId: Int
    var sinceIdStr: String
  }
}

extension StoredTimeline {
  @Storable(keys: .snakeCase) struct Metadata: Equatable, Sendable {
    var resultType: String
    var isoLanguageCode: String
  }
}

extension StoredTimeline {
  /// A message.
  @Storable(keys: .snakeCase) struct Status: Equatable, Sendable {
    var metadata: Metadata
    var createdAt: String
    var id: Int
    var idStr: String
    var text: String
    var source: String
    var truncated: Bool
    var inReplyToStatusId: Int?
    var inReplyToStatusIdStr: String?
    var inReplyToUserId: Int?
    var inReplyToUserIdStr: String?
    var inReplyToScreenName: String?
    var user: User
    var geo: String?
    var coordinates: String?
    var place: String?
    var contributors: String?
    var retweetedStatus: Repeated?
    var retweetCount: Int
    var favoriteCount: Int
    var entities: Entities
    var favorited: Bool
    var retweeted: Bool
    var possiblySensitive: Bool?
    var lang: String
  }
}

extension StoredTimeline {
  /// A message that another one repeats: its fields, but that it repeats none.
  @Storable(keys: .snakeCase) struct Repeated: Equatable, Sendable {
    var metadata: Metadata
    var createdAt: String
    var id: Int
    var idStr: String
    var text: String
    var source: String
    var truncated: Bool
    var inReplyToStatusId: Int?
    var inReplyToStatusIdStr: String?
    var inReplyToUserId: Int?
    var inReplyToUserIdStr: String?
    var inReplyToScreenName: String?
    var user: User
    var geo: String?
    var coordinates: String?
    var place: String?
    var contributors: String?
    var retweetCount: Int
    var favoriteCount: Int
    var entities: Entities
    var favorited: Bool
    var retweeted: Bool
    var possiblySensitive: Bool?
    var lang: String
  }
}

extension StoredTimeline {
  /// Who wrote a message.
  @Storable(keys: .snakeCase) struct User: Equatable, Sendable {
    var id: Int
    var idStr: String
    var name: String
    var screenName: String
    var location: String
    var description: String
    var url: String?
    var entities: UserEntities
    var protected: Bool
    var followersCount: Int
    var friendsCount: Int
    var listedCount: Int
    var createdAt: String
    var favouritesCount: Int
    var utcOffset: Int?
    var timeZone: String?
    var geoEnabled: Bool
    var verified: Bool
    var statusesCount: Int
    var lang: String
    var contributorsEnabled: Bool
    var isTranslator: Bool
    var isTranslationEnabled: Bool
    var profileBackgroundColor: String
    var profileBackgroundImageUrl: String
    var profileBackgroundImageUrlHttps: String
    var profileBackgroundTile: Bool
    var profileImageUrl: String
    var profileImageUrlHttps: String
    var profileBannerUrl: String?
    var profileLinkColor: String
    var profileSidebarBorderColor: String
    var profileSidebarFillColor: String
    var profileTextColor: String
    var profileUseBackgroundImage: Bool
    var defaultProfile: Bool
    var defaultProfileImage: Bool
    var following: Bool
    var followRequestSent: Bool
    var notifications: Bool
  }
}

extension StoredTimeline {
  @Storable(keys: .snakeCase) struct UserEntities: Equatable, Sendable {
    var description: Links
    var url: Links?
  }
}

extension StoredTimeline {
  @Storable(keys: .snakeCase) struct Links: Equatable, Sendable {
    var urls: [Link]
  }
}

extension StoredTimeline {
  /// What a message's text mentions, and where.
  @Storable(keys: .snakeCase) struct Entities: Equatable, Sendable {
    var hashtags: [Hashtag]
    var symbols: [Hashtag]
    var urls: [Link]
    var userMentions: [Mention]
    var media: [Medium]?
  }
}

extension StoredTimeline {
  @Storable(keys: .snakeCase) struct Hashtag: Equatable, Sendable {
    var text: String
    var indices: [Int]
  }
}

extension StoredTimeline {
  @Storable(keys: .snakeCase) struct Link: Equatable, Sendable {
    var url: String
    var expandedUrl: String
    var displayUrl: String
    var indices: [Int]
  }
}

extension StoredTimeline {
  @Storable(keys: .snakeCase) struct Mention: Equatable, Sendable {
    var screenName: String
    var name: String
    var id: Int
    var idStr: String
    var indices: [Int]
  }
}

extension StoredTimeline {
  /// A picture.
  @Storable(keys: .snakeCase) struct Medium: Equatable, Sendable {
    var id: Int
    var idStr: String
    var indices: [Int]
    var mediaUrl: String
    var mediaUrlHttps: String
    var url: String
    var displayUrl: String
    var expandedUrl: String
    var type: String
    var sizes: Sizes
    var sourceStatusId: Int?
    var sourceStatusIdStr: String?
  }
}

extension StoredTimeline {
  @Storable(keys: .snakeCase) struct Sizes: Equatable, Sendable {
    var medium: Size
    var small: Size
    var thumb: Size
    var large: Size
  }
}

extension StoredTimeline {
  @Storable(keys: .snakeCase) struct Size: Equatable, Sendable {
    var w: Int
    var h: Int
    var resize: String
  }
}
