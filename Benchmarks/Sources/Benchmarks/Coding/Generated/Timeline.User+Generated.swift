// What a macro would write for this type, by hand.

import Keepsake

extension Timeline.User: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var id: Int = 0
    var idStr: String = ""
    var name: String = ""
    var screenName: String = ""
    var location: String = ""
    var description: String = ""
    var url: String?
    var entities: Timeline.UserEntities?
    var protected: Bool = false
    var followersCount: Int = 0
    var friendsCount: Int = 0
    var listedCount: Int = 0
    var createdAt: String = ""
    var favouritesCount: Int = 0
    var utcOffset: Int?
    var timeZone: String?
    var geoEnabled: Bool = false
    var verified: Bool = false
    var statusesCount: Int = 0
    var lang: String = ""
    var contributorsEnabled: Bool = false
    var isTranslator: Bool = false
    var isTranslationEnabled: Bool = false
    var profileBackgroundColor: String = ""
    var profileBackgroundImageUrl: String = ""
    var profileBackgroundImageUrlHttps: String = ""
    var profileBackgroundTile: Bool = false
    var profileImageUrl: String = ""
    var profileImageUrlHttps: String = ""
    var profileBannerUrl: String?
    var profileLinkColor: String = ""
    var profileSidebarBorderColor: String = ""
    var profileSidebarFillColor: String = ""
    var profileTextColor: String = ""
    var profileUseBackgroundImage: Bool = false
    var defaultProfile: Bool = false
    var defaultProfileImage: Bool = false
    var following: Bool = false
    var followRequestSent: Bool = false
    var notifications: Bool = false
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 2:
        if key.matches("id") {
          id = try reader.readInteger()
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      case 3:
        if key.matches("url") {
          if !(try reader.readNull()) { url = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 4:
        if key.matches("name") {
          name = try reader.readString()
          found |= 1 &<< 2
        } else if key.matches("lang") {
          lang = try reader.readString()
          found |= 1 &<< 16
        } else {
          try reader.skipValue()
        }
      case 6:
        if key.matches("id_str") {
          idStr = try reader.readString()
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      case 8:
        if key.matches("location") {
          location = try reader.readString()
          found |= 1 &<< 4
        } else if key.matches("entities") {
          entities = try Timeline.UserEntities(from: &reader)
          found |= 1 &<< 6
        } else if key.matches("verified") {
          verified = try reader.readBool()
          found |= 1 &<< 14
        } else {
          try reader.skipValue()
        }
      case 9:
        if key.matches("protected") {
          protected = try reader.readBool()
          found |= 1 &<< 7
        } else if key.matches("time_zone") {
          if !(try reader.readNull()) { timeZone = try reader.readString() }
        } else if key.matches("following") {
          following = try reader.readBool()
          found |= 1 &<< 33
        } else {
          try reader.skipValue()
        }
      case 10:
        if key.matches("created_at") {
          createdAt = try reader.readString()
          found |= 1 &<< 11
        } else if key.matches("utc_offset") {
          if !(try reader.readNull()) { utcOffset = try reader.readInteger() }
        } else {
          try reader.skipValue()
        }
      case 11:
        if key.matches("screen_name") {
          screenName = try reader.readString()
          found |= 1 &<< 3
        } else if key.matches("description") {
          description = try reader.readString()
          found |= 1 &<< 5
        } else if key.matches("geo_enabled") {
          geoEnabled = try reader.readBool()
          found |= 1 &<< 13
        } else {
          try reader.skipValue()
        }
      case 12:
        if key.matches("listed_count") {
          listedCount = try reader.readInteger()
          found |= 1 &<< 10
        } else {
          try reader.skipValue()
        }
      case 13:
        if key.matches("friends_count") {
          friendsCount = try reader.readInteger()
          found |= 1 &<< 9
        } else if key.matches("is_translator") {
          isTranslator = try reader.readBool()
          found |= 1 &<< 18
        } else if key.matches("notifications") {
          notifications = try reader.readBool()
          found |= 1 &<< 35
        } else {
          try reader.skipValue()
        }
      case 14:
        if key.matches("statuses_count") {
          statusesCount = try reader.readInteger()
          found |= 1 &<< 15
        } else {
          try reader.skipValue()
        }
      case 15:
        if key.matches("followers_count") {
          followersCount = try reader.readInteger()
          found |= 1 &<< 8
        } else if key.matches("default_profile") {
          defaultProfile = try reader.readBool()
          found |= 1 &<< 31
        } else {
          try reader.skipValue()
        }
      case 16:
        if key.matches("favourites_count") {
          favouritesCount = try reader.readInteger()
          found |= 1 &<< 12
        } else {
          try reader.skipValue()
        }
      case 17:
        if key.matches("profile_image_url") {
          profileImageUrl = try reader.readString()
          found |= 1 &<< 24
        } else {
          try reader.skipValue()
        }
      case 18:
        if key.matches("profile_banner_url") {
          if !(try reader.readNull()) { profileBannerUrl = try reader.readString() }
        } else if key.matches("profile_link_color") {
          profileLinkColor = try reader.readString()
          found |= 1 &<< 26
        } else if key.matches("profile_text_color") {
          profileTextColor = try reader.readString()
          found |= 1 &<< 29
        } else {
          try reader.skipValue()
        }
      case 19:
        if key.matches("follow_request_sent") {
          followRequestSent = try reader.readBool()
          found |= 1 &<< 34
        } else {
          try reader.skipValue()
        }
      case 20:
        if key.matches("contributors_enabled") {
          contributorsEnabled = try reader.readBool()
          found |= 1 &<< 17
        } else {
          try reader.skipValue()
        }
      case 21:
        if key.matches("default_profile_image") {
          defaultProfileImage = try reader.readBool()
          found |= 1 &<< 32
        } else {
          try reader.skipValue()
        }
      case 22:
        if key.matches("is_translation_enabled") {
          isTranslationEnabled = try reader.readBool()
          found |= 1 &<< 19
        } else {
          try reader.skipValue()
        }
      case 23:
        if key.matches("profile_background_tile") {
          profileBackgroundTile = try reader.readBool()
          found |= 1 &<< 23
        } else if key.matches("profile_image_url_https") {
          profileImageUrlHttps = try reader.readString()
          found |= 1 &<< 25
        } else {
          try reader.skipValue()
        }
      case 24:
        if key.matches("profile_background_color") {
          profileBackgroundColor = try reader.readString()
          found |= 1 &<< 20
        } else {
          try reader.skipValue()
        }
      case 26:
        if key.matches("profile_sidebar_fill_color") {
          profileSidebarFillColor = try reader.readString()
          found |= 1 &<< 28
        } else {
          try reader.skipValue()
        }
      case 28:
        if key.matches("profile_background_image_url") {
          profileBackgroundImageUrl = try reader.readString()
          found |= 1 &<< 21
        } else if key.matches("profile_sidebar_border_color") {
          profileSidebarBorderColor = try reader.readString()
          found |= 1 &<< 27
        } else if key.matches("profile_use_background_image") {
          profileUseBackgroundImage = try reader.readBool()
          found |= 1 &<< 30
        } else {
          try reader.skipValue()
        }
      case 34:
        if key.matches("profile_background_image_url_https") {
          profileBackgroundImageUrlHttps = try reader.readString()
          found |= 1 &<< 22
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0xfffffffff, let entities else { throw JSON.Fault(.missingKey, at: opening) }
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
    writer.key(prejoined: #""id":"#)
    writer.write(id)
    writer.key(prejoined: #""id_str":"#)
    writer.write(idStr)
    writer.key(prejoined: #""name":"#)
    writer.write(name)
    writer.key(prejoined: #""screen_name":"#)
    writer.write(screenName)
    writer.key(prejoined: #""location":"#)
    writer.write(location)
    writer.key(prejoined: #""description":"#)
    writer.write(description)
    if let url {
      writer.key(prejoined: #""url":"#)
      writer.write(url)
    }
    writer.key(prejoined: #""entities":"#)
    try entities.write(to: &writer)
    writer.key(prejoined: #""protected":"#)
    writer.write(protected)
    writer.key(prejoined: #""followers_count":"#)
    writer.write(followersCount)
    writer.key(prejoined: #""friends_count":"#)
    writer.write(friendsCount)
    writer.key(prejoined: #""listed_count":"#)
    writer.write(listedCount)
    writer.key(prejoined: #""created_at":"#)
    writer.write(createdAt)
    writer.key(prejoined: #""favourites_count":"#)
    writer.write(favouritesCount)
    if let utcOffset {
      writer.key(prejoined: #""utc_offset":"#)
      writer.write(utcOffset)
    }
    if let timeZone {
      writer.key(prejoined: #""time_zone":"#)
      writer.write(timeZone)
    }
    writer.key(prejoined: #""geo_enabled":"#)
    writer.write(geoEnabled)
    writer.key(prejoined: #""verified":"#)
    writer.write(verified)
    writer.key(prejoined: #""statuses_count":"#)
    writer.write(statusesCount)
    writer.key(prejoined: #""lang":"#)
    writer.write(lang)
    writer.key(prejoined: #""contributors_enabled":"#)
    writer.write(contributorsEnabled)
    writer.key(prejoined: #""is_translator":"#)
    writer.write(isTranslator)
    writer.key(prejoined: #""is_translation_enabled":"#)
    writer.write(isTranslationEnabled)
    writer.key(prejoined: #""profile_background_color":"#)
    writer.write(profileBackgroundColor)
    writer.key(prejoined: #""profile_background_image_url":"#)
    writer.write(profileBackgroundImageUrl)
    writer.key(prejoined: #""profile_background_image_url_https":"#)
    writer.write(profileBackgroundImageUrlHttps)
    writer.key(prejoined: #""profile_background_tile":"#)
    writer.write(profileBackgroundTile)
    writer.key(prejoined: #""profile_image_url":"#)
    writer.write(profileImageUrl)
    writer.key(prejoined: #""profile_image_url_https":"#)
    writer.write(profileImageUrlHttps)
    if let profileBannerUrl {
      writer.key(prejoined: #""profile_banner_url":"#)
      writer.write(profileBannerUrl)
    }
    writer.key(prejoined: #""profile_link_color":"#)
    writer.write(profileLinkColor)
    writer.key(prejoined: #""profile_sidebar_border_color":"#)
    writer.write(profileSidebarBorderColor)
    writer.key(prejoined: #""profile_sidebar_fill_color":"#)
    writer.write(profileSidebarFillColor)
    writer.key(prejoined: #""profile_text_color":"#)
    writer.write(profileTextColor)
    writer.key(prejoined: #""profile_use_background_image":"#)
    writer.write(profileUseBackgroundImage)
    writer.key(prejoined: #""default_profile":"#)
    writer.write(defaultProfile)
    writer.key(prejoined: #""default_profile_image":"#)
    writer.write(defaultProfileImage)
    writer.key(prejoined: #""following":"#)
    writer.write(following)
    writer.key(prejoined: #""follow_request_sent":"#)
    writer.write(followRequestSent)
    writer.key(prejoined: #""notifications":"#)
    writer.write(notifications)
    writer.endObject()
  }
}

extension Timeline.UserEntities: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var description: Timeline.Links?
    var url: Timeline.Links?
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 3:
        if key.matches("url") {
          if !(try reader.readNull()) { url = try Timeline.Links(from: &reader) }
        } else {
          try reader.skipValue()
        }
      case 11:
        if key.matches("description") {
          description = try Timeline.Links(from: &reader)
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x1, let description else { throw JSON.Fault(.missingKey, at: opening) }
    self.description = description
    self.url = url
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""description":"#)
    try description.write(to: &writer)
    if let url {
      writer.key(prejoined: #""url":"#)
      try url.write(to: &writer)
    }
    writer.endObject()
  }
}

extension Timeline.Links: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var urls: [Timeline.Link] = []
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 4:
        if key.matches("urls") {
          urls = try reader.readArray { (reader) throws(JSON.Fault) in
            try Timeline.Link(from: &reader)
          }
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x1 else { throw JSON.Fault(.missingKey, at: opening) }
    self.urls = urls
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""urls":"#)
    try writer.beginArray()
    for element in urls {
      try element.write(to: &writer)
    }
    writer.endArray()
    writer.endObject()
  }
}
