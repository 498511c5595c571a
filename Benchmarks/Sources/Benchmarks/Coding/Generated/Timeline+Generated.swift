// What a macro would write for this type, by hand.

import Keepsake

extension Timeline: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var statuses: [Timeline.Status] = []
    var searchMetadata: Timeline.SearchMetadata?
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 8:
        if key.matches("statuses") {
          statuses = try reader.readArray { (reader) throws(JSON.Fault) in
            try Timeline.Status(from: &reader)
          }
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      case 15:
        if key.matches("search_metadata") {
          searchMetadata = try Timeline.SearchMetadata(from: &reader)
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x3, let searchMetadata else { throw JSON.Fault(.missingKey, at: opening) }
    self.statuses = statuses
    self.searchMetadata = searchMetadata
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""statuses":"#)
    try writer.beginArray()
    for element in statuses {
      try element.write(to: &writer)
    }
    writer.endArray()
    writer.key(prejoined: #""search_metadata":"#)
    try searchMetadata.write(to: &writer)
    writer.endObject()
  }
}

extension Timeline.SearchMetadata: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var completedIn: Double = 0
    var maxId: Int = 0
    var maxIdStr: String = ""
    var nextResults: String = ""
    var query: String = ""
    var refreshUrl: String = ""
    var count: Int = 0
    var sinceId: Int = 0
    var sinceIdStr: String = ""
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 5:
        if key.matches("query") {
          query = try reader.readString()
          found |= 1 &<< 4
        } else if key.matches("count") {
          count = try reader.readInteger()
          found |= 1 &<< 6
        } else {
          try reader.skipValue()
        }
      case 6:
        if key.matches("max_id") {
          maxId = try reader.readInteger()
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      case 8:
        if key.matches("since_id") {
          sinceId = try reader.readInteger()
          found |= 1 &<< 7
        } else {
          try reader.skipValue()
        }
      case 10:
        if key.matches("max_id_str") {
          maxIdStr = try reader.readString()
          found |= 1 &<< 2
        } else {
          try reader.skipValue()
        }
      case 11:
        if key.matches("refresh_url") {
          refreshUrl = try reader.readString()
          found |= 1 &<< 5
        } else {
          try reader.skipValue()
        }
      case 12:
        if key.matches("completed_in") {
          completedIn = try reader.readDouble()
          found |= 1 &<< 0
        } else if key.matches("next_results") {
          nextResults = try reader.readString()
          found |= 1 &<< 3
        } else if key.matches("since_id_str") {
          sinceIdStr = try reader.readString()
          found |= 1 &<< 8
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x1ff else { throw JSON.Fault(.missingKey, at: opening) }
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
    writer.key(prejoined: #""completed_in":"#)
    try writer.write(completedIn)
    writer.key(prejoined: #""max_id":"#)
    writer.write(maxId)
    writer.key(prejoined: #""max_id_str":"#)
    writer.write(maxIdStr)
    writer.key(prejoined: #""next_results":"#)
    writer.write(nextResults)
    writer.key(prejoined: #""query":"#)
    writer.write(query)
    writer.key(prejoined: #""refresh_url":"#)
    writer.write(refreshUrl)
    writer.key(prejoined: #""count":"#)
    writer.write(count)
    writer.key(prejoined: #""since_id":"#)
    writer.write(sinceId)
    writer.key(prejoined: #""since_id_str":"#)
    writer.write(sinceIdStr)
    writer.endObject()
  }
}

extension Timeline.Metadata: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var resultType: String = ""
    var isoLanguageCode: String = ""
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 11:
        if key.matches("result_type") {
          resultType = try reader.readString()
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      case 17:
        if key.matches("iso_language_code") {
          isoLanguageCode = try reader.readString()
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x3 else { throw JSON.Fault(.missingKey, at: opening) }
    self.resultType = resultType
    self.isoLanguageCode = isoLanguageCode
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""result_type":"#)
    writer.write(resultType)
    writer.key(prejoined: #""iso_language_code":"#)
    writer.write(isoLanguageCode)
    writer.endObject()
  }
}

extension Timeline.Status: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var metadata: Timeline.Metadata?
    var createdAt: String = ""
    var id: Int = 0
    var idStr: String = ""
    var text: String = ""
    var source: String = ""
    var truncated: Bool = false
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
    var retweetCount: Int = 0
    var favoriteCount: Int = 0
    var entities: Timeline.Entities?
    var favorited: Bool = false
    var retweeted: Bool = false
    var possiblySensitive: Bool?
    var lang: String = ""
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 2:
        if key.matches("id") {
          id = try reader.readInteger()
          found |= 1 &<< 2
        } else {
          try reader.skipValue()
        }
      case 3:
        if key.matches("geo") {
          if !(try reader.readNull()) { geo = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 4:
        if key.matches("text") {
          text = try reader.readString()
          found |= 1 &<< 4
        } else if key.matches("user") {
          user = try Timeline.User(from: &reader)
          found |= 1 &<< 7
        } else if key.matches("lang") {
          lang = try reader.readString()
          found |= 1 &<< 13
        } else {
          try reader.skipValue()
        }
      case 5:
        if key.matches("place") {
          if !(try reader.readNull()) { place = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 6:
        if key.matches("id_str") {
          idStr = try reader.readString()
          found |= 1 &<< 3
        } else if key.matches("source") {
          source = try reader.readString()
          found |= 1 &<< 5
        } else {
          try reader.skipValue()
        }
      case 8:
        if key.matches("metadata") {
          metadata = try Timeline.Metadata(from: &reader)
          found |= 1 &<< 0
        } else if key.matches("entities") {
          entities = try Timeline.Entities(from: &reader)
          found |= 1 &<< 10
        } else {
          try reader.skipValue()
        }
      case 9:
        if key.matches("truncated") {
          truncated = try reader.readBool()
          found |= 1 &<< 6
        } else if key.matches("favorited") {
          favorited = try reader.readBool()
          found |= 1 &<< 11
        } else if key.matches("retweeted") {
          retweeted = try reader.readBool()
          found |= 1 &<< 12
        } else {
          try reader.skipValue()
        }
      case 10:
        if key.matches("created_at") {
          createdAt = try reader.readString()
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      case 11:
        if key.matches("coordinates") {
          if !(try reader.readNull()) { coordinates = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 12:
        if key.matches("contributors") {
          if !(try reader.readNull()) { contributors = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 13:
        if key.matches("retweet_count") {
          retweetCount = try reader.readInteger()
          found |= 1 &<< 8
        } else {
          try reader.skipValue()
        }
      case 14:
        if key.matches("favorite_count") {
          favoriteCount = try reader.readInteger()
          found |= 1 &<< 9
        } else {
          try reader.skipValue()
        }
      case 16:
        if key.matches("retweeted_status") {
          if !(try reader.readNull()) { retweetedStatus = try Timeline.Repeated(from: &reader) }
        } else {
          try reader.skipValue()
        }
      case 18:
        if key.matches("possibly_sensitive") {
          if !(try reader.readNull()) { possiblySensitive = try reader.readBool() }
        } else {
          try reader.skipValue()
        }
      case 19:
        if key.matches("in_reply_to_user_id") {
          if !(try reader.readNull()) { inReplyToUserId = try reader.readInteger() }
        } else {
          try reader.skipValue()
        }
      case 21:
        if key.matches("in_reply_to_status_id") {
          if !(try reader.readNull()) { inReplyToStatusId = try reader.readInteger() }
        } else {
          try reader.skipValue()
        }
      case 23:
        if key.matches("in_reply_to_user_id_str") {
          if !(try reader.readNull()) { inReplyToUserIdStr = try reader.readString() }
        } else if key.matches("in_reply_to_screen_name") {
          if !(try reader.readNull()) { inReplyToScreenName = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 25:
        if key.matches("in_reply_to_status_id_str") {
          if !(try reader.readNull()) { inReplyToStatusIdStr = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x3fff, let metadata, let user, let entities else {
      throw JSON.Fault(.missingKey, at: opening)
    }
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
    writer.key(prejoined: #""metadata":"#)
    try metadata.write(to: &writer)
    writer.key(prejoined: #""created_at":"#)
    writer.write(createdAt)
    writer.key(prejoined: #""id":"#)
    writer.write(id)
    writer.key(prejoined: #""id_str":"#)
    writer.write(idStr)
    writer.key(prejoined: #""text":"#)
    writer.write(text)
    writer.key(prejoined: #""source":"#)
    writer.write(source)
    writer.key(prejoined: #""truncated":"#)
    writer.write(truncated)
    if let inReplyToStatusId {
      writer.key(prejoined: #""in_reply_to_status_id":"#)
      writer.write(inReplyToStatusId)
    }
    if let inReplyToStatusIdStr {
      writer.key(prejoined: #""in_reply_to_status_id_str":"#)
      writer.write(inReplyToStatusIdStr)
    }
    if let inReplyToUserId {
      writer.key(prejoined: #""in_reply_to_user_id":"#)
      writer.write(inReplyToUserId)
    }
    if let inReplyToUserIdStr {
      writer.key(prejoined: #""in_reply_to_user_id_str":"#)
      writer.write(inReplyToUserIdStr)
    }
    if let inReplyToScreenName {
      writer.key(prejoined: #""in_reply_to_screen_name":"#)
      writer.write(inReplyToScreenName)
    }
    writer.key(prejoined: #""user":"#)
    try user.write(to: &writer)
    if let geo {
      writer.key(prejoined: #""geo":"#)
      writer.write(geo)
    }
    if let coordinates {
      writer.key(prejoined: #""coordinates":"#)
      writer.write(coordinates)
    }
    if let place {
      writer.key(prejoined: #""place":"#)
      writer.write(place)
    }
    if let contributors {
      writer.key(prejoined: #""contributors":"#)
      writer.write(contributors)
    }
    if let retweetedStatus {
      writer.key(prejoined: #""retweeted_status":"#)
      try retweetedStatus.write(to: &writer)
    }
    writer.key(prejoined: #""retweet_count":"#)
    writer.write(retweetCount)
    writer.key(prejoined: #""favorite_count":"#)
    writer.write(favoriteCount)
    writer.key(prejoined: #""entities":"#)
    try entities.write(to: &writer)
    writer.key(prejoined: #""favorited":"#)
    writer.write(favorited)
    writer.key(prejoined: #""retweeted":"#)
    writer.write(retweeted)
    if let possiblySensitive {
      writer.key(prejoined: #""possibly_sensitive":"#)
      writer.write(possiblySensitive)
    }
    writer.key(prejoined: #""lang":"#)
    writer.write(lang)
    writer.endObject()
  }
}

extension Timeline.Repeated: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var metadata: Timeline.Metadata?
    var createdAt: String = ""
    var id: Int = 0
    var idStr: String = ""
    var text: String = ""
    var source: String = ""
    var truncated: Bool = false
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
    var retweetCount: Int = 0
    var favoriteCount: Int = 0
    var entities: Timeline.Entities?
    var favorited: Bool = false
    var retweeted: Bool = false
    var possiblySensitive: Bool?
    var lang: String = ""
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 2:
        if key.matches("id") {
          id = try reader.readInteger()
          found |= 1 &<< 2
        } else {
          try reader.skipValue()
        }
      case 3:
        if key.matches("geo") {
          if !(try reader.readNull()) { geo = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 4:
        if key.matches("text") {
          text = try reader.readString()
          found |= 1 &<< 4
        } else if key.matches("user") {
          user = try Timeline.User(from: &reader)
          found |= 1 &<< 7
        } else if key.matches("lang") {
          lang = try reader.readString()
          found |= 1 &<< 13
        } else {
          try reader.skipValue()
        }
      case 5:
        if key.matches("place") {
          if !(try reader.readNull()) { place = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 6:
        if key.matches("id_str") {
          idStr = try reader.readString()
          found |= 1 &<< 3
        } else if key.matches("source") {
          source = try reader.readString()
          found |= 1 &<< 5
        } else {
          try reader.skipValue()
        }
      case 8:
        if key.matches("metadata") {
          metadata = try Timeline.Metadata(from: &reader)
          found |= 1 &<< 0
        } else if key.matches("entities") {
          entities = try Timeline.Entities(from: &reader)
          found |= 1 &<< 10
        } else {
          try reader.skipValue()
        }
      case 9:
        if key.matches("truncated") {
          truncated = try reader.readBool()
          found |= 1 &<< 6
        } else if key.matches("favorited") {
          favorited = try reader.readBool()
          found |= 1 &<< 11
        } else if key.matches("retweeted") {
          retweeted = try reader.readBool()
          found |= 1 &<< 12
        } else {
          try reader.skipValue()
        }
      case 10:
        if key.matches("created_at") {
          createdAt = try reader.readString()
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      case 11:
        if key.matches("coordinates") {
          if !(try reader.readNull()) { coordinates = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 12:
        if key.matches("contributors") {
          if !(try reader.readNull()) { contributors = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 13:
        if key.matches("retweet_count") {
          retweetCount = try reader.readInteger()
          found |= 1 &<< 8
        } else {
          try reader.skipValue()
        }
      case 14:
        if key.matches("favorite_count") {
          favoriteCount = try reader.readInteger()
          found |= 1 &<< 9
        } else {
          try reader.skipValue()
        }
      case 18:
        if key.matches("possibly_sensitive") {
          if !(try reader.readNull()) { possiblySensitive = try reader.readBool() }
        } else {
          try reader.skipValue()
        }
      case 19:
        if key.matches("in_reply_to_user_id") {
          if !(try reader.readNull()) { inReplyToUserId = try reader.readInteger() }
        } else {
          try reader.skipValue()
        }
      case 21:
        if key.matches("in_reply_to_status_id") {
          if !(try reader.readNull()) { inReplyToStatusId = try reader.readInteger() }
        } else {
          try reader.skipValue()
        }
      case 23:
        if key.matches("in_reply_to_user_id_str") {
          if !(try reader.readNull()) { inReplyToUserIdStr = try reader.readString() }
        } else if key.matches("in_reply_to_screen_name") {
          if !(try reader.readNull()) { inReplyToScreenName = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 25:
        if key.matches("in_reply_to_status_id_str") {
          if !(try reader.readNull()) { inReplyToStatusIdStr = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x3fff, let metadata, let user, let entities else {
      throw JSON.Fault(.missingKey, at: opening)
    }
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
    writer.key(prejoined: #""metadata":"#)
    try metadata.write(to: &writer)
    writer.key(prejoined: #""created_at":"#)
    writer.write(createdAt)
    writer.key(prejoined: #""id":"#)
    writer.write(id)
    writer.key(prejoined: #""id_str":"#)
    writer.write(idStr)
    writer.key(prejoined: #""text":"#)
    writer.write(text)
    writer.key(prejoined: #""source":"#)
    writer.write(source)
    writer.key(prejoined: #""truncated":"#)
    writer.write(truncated)
    if let inReplyToStatusId {
      writer.key(prejoined: #""in_reply_to_status_id":"#)
      writer.write(inReplyToStatusId)
    }
    if let inReplyToStatusIdStr {
      writer.key(prejoined: #""in_reply_to_status_id_str":"#)
      writer.write(inReplyToStatusIdStr)
    }
    if let inReplyToUserId {
      writer.key(prejoined: #""in_reply_to_user_id":"#)
      writer.write(inReplyToUserId)
    }
    if let inReplyToUserIdStr {
      writer.key(prejoined: #""in_reply_to_user_id_str":"#)
      writer.write(inReplyToUserIdStr)
    }
    if let inReplyToScreenName {
      writer.key(prejoined: #""in_reply_to_screen_name":"#)
      writer.write(inReplyToScreenName)
    }
    writer.key(prejoined: #""user":"#)
    try user.write(to: &writer)
    if let geo {
      writer.key(prejoined: #""geo":"#)
      writer.write(geo)
    }
    if let coordinates {
      writer.key(prejoined: #""coordinates":"#)
      writer.write(coordinates)
    }
    if let place {
      writer.key(prejoined: #""place":"#)
      writer.write(place)
    }
    if let contributors {
      writer.key(prejoined: #""contributors":"#)
      writer.write(contributors)
    }
    writer.key(prejoined: #""retweet_count":"#)
    writer.write(retweetCount)
    writer.key(prejoined: #""favorite_count":"#)
    writer.write(favoriteCount)
    writer.key(prejoined: #""entities":"#)
    try entities.write(to: &writer)
    writer.key(prejoined: #""favorited":"#)
    writer.write(favorited)
    writer.key(prejoined: #""retweeted":"#)
    writer.write(retweeted)
    if let possiblySensitive {
      writer.key(prejoined: #""possibly_sensitive":"#)
      writer.write(possiblySensitive)
    }
    writer.key(prejoined: #""lang":"#)
    writer.write(lang)
    writer.endObject()
  }
}
