// What a macro would write for this type, by hand.

import Keepsake

extension Timeline.Entities: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var hashtags: [Timeline.Hashtag] = []
    var symbols: [Timeline.Hashtag] = []
    var urls: [Timeline.Link] = []
    var userMentions: [Timeline.Mention] = []
    var media: [Timeline.Medium]?
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
          found |= 1 &<< 2
        } else {
          try reader.skipValue()
        }
      case 5:
        if key.matches("media") {
          if !(try reader.readNull()) {
            media = try reader.readArray { (reader) throws(JSON.Fault) in
              try Timeline.Medium(from: &reader)
            }
          }
        } else {
          try reader.skipValue()
        }
      case 7:
        if key.matches("symbols") {
          symbols = try reader.readArray { (reader) throws(JSON.Fault) in
            try Timeline.Hashtag(from: &reader)
          }
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      case 8:
        if key.matches("hashtags") {
          hashtags = try reader.readArray { (reader) throws(JSON.Fault) in
            try Timeline.Hashtag(from: &reader)
          }
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      case 13:
        if key.matches("user_mentions") {
          userMentions = try reader.readArray { (reader) throws(JSON.Fault) in
            try Timeline.Mention(from: &reader)
          }
          found |= 1 &<< 3
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0xf else { throw JSON.Fault(.missingKey, at: opening) }
    self.hashtags = hashtags
    self.symbols = symbols
    self.urls = urls
    self.userMentions = userMentions
    self.media = media
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""hashtags":"#)
    try writer.beginArray()
    for element in hashtags {
      try element.write(to: &writer)
    }
    writer.endArray()
    writer.key(prejoined: #""symbols":"#)
    try writer.beginArray()
    for element in symbols {
      try element.write(to: &writer)
    }
    writer.endArray()
    writer.key(prejoined: #""urls":"#)
    try writer.beginArray()
    for element in urls {
      try element.write(to: &writer)
    }
    writer.endArray()
    writer.key(prejoined: #""user_mentions":"#)
    try writer.beginArray()
    for element in userMentions {
      try element.write(to: &writer)
    }
    writer.endArray()
    if let media {
      writer.key(prejoined: #""media":"#)
      try writer.beginArray()
      for element in media {
        try element.write(to: &writer)
      }
      writer.endArray()
    }
    writer.endObject()
  }
}

extension Timeline.Hashtag: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var text: String = ""
    var indices: [Int] = []
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 4:
        if key.matches("text") {
          text = try reader.readString()
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      case 7:
        if key.matches("indices") {
          indices = try reader.readArray { (reader) throws(JSON.Fault) in try reader.readInteger() }
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x3 else { throw JSON.Fault(.missingKey, at: opening) }
    self.text = text
    self.indices = indices
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""text":"#)
    writer.write(text)
    writer.key(prejoined: #""indices":"#)
    try writer.beginArray()
    for element in indices {
      writer.write(element)
    }
    writer.endArray()
    writer.endObject()
  }
}

extension Timeline.Link: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var url: String = ""
    var expandedUrl: String = ""
    var displayUrl: String = ""
    var indices: [Int] = []
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 3:
        if key.matches("url") {
          url = try reader.readString()
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      case 7:
        if key.matches("indices") {
          indices = try reader.readArray { (reader) throws(JSON.Fault) in try reader.readInteger() }
          found |= 1 &<< 3
        } else {
          try reader.skipValue()
        }
      case 11:
        if key.matches("display_url") {
          displayUrl = try reader.readString()
          found |= 1 &<< 2
        } else {
          try reader.skipValue()
        }
      case 12:
        if key.matches("expanded_url") {
          expandedUrl = try reader.readString()
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0xf else { throw JSON.Fault(.missingKey, at: opening) }
    self.url = url
    self.expandedUrl = expandedUrl
    self.displayUrl = displayUrl
    self.indices = indices
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""url":"#)
    writer.write(url)
    writer.key(prejoined: #""expanded_url":"#)
    writer.write(expandedUrl)
    writer.key(prejoined: #""display_url":"#)
    writer.write(displayUrl)
    writer.key(prejoined: #""indices":"#)
    try writer.beginArray()
    for element in indices {
      writer.write(element)
    }
    writer.endArray()
    writer.endObject()
  }
}

extension Timeline.Mention: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var screenName: String = ""
    var name: String = ""
    var id: Int = 0
    var idStr: String = ""
    var indices: [Int] = []
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
      case 4:
        if key.matches("name") {
          name = try reader.readString()
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      case 6:
        if key.matches("id_str") {
          idStr = try reader.readString()
          found |= 1 &<< 3
        } else {
          try reader.skipValue()
        }
      case 7:
        if key.matches("indices") {
          indices = try reader.readArray { (reader) throws(JSON.Fault) in try reader.readInteger() }
          found |= 1 &<< 4
        } else {
          try reader.skipValue()
        }
      case 11:
        if key.matches("screen_name") {
          screenName = try reader.readString()
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x1f else { throw JSON.Fault(.missingKey, at: opening) }
    self.screenName = screenName
    self.name = name
    self.id = id
    self.idStr = idStr
    self.indices = indices
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""screen_name":"#)
    writer.write(screenName)
    writer.key(prejoined: #""name":"#)
    writer.write(name)
    writer.key(prejoined: #""id":"#)
    writer.write(id)
    writer.key(prejoined: #""id_str":"#)
    writer.write(idStr)
    writer.key(prejoined: #""indices":"#)
    try writer.beginArray()
    for element in indices {
      writer.write(element)
    }
    writer.endArray()
    writer.endObject()
  }
}

extension Timeline.Medium: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var id: Int = 0
    var idStr: String = ""
    var indices: [Int] = []
    var mediaUrl: String = ""
    var mediaUrlHttps: String = ""
    var url: String = ""
    var displayUrl: String = ""
    var expandedUrl: String = ""
    var type: String = ""
    var sizes: Timeline.Sizes?
    var sourceStatusId: Int?
    var sourceStatusIdStr: String?
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
          url = try reader.readString()
          found |= 1 &<< 5
        } else {
          try reader.skipValue()
        }
      case 4:
        if key.matches("type") {
          type = try reader.readString()
          found |= 1 &<< 8
        } else {
          try reader.skipValue()
        }
      case 5:
        if key.matches("sizes") {
          sizes = try Timeline.Sizes(from: &reader)
          found |= 1 &<< 9
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
      case 7:
        if key.matches("indices") {
          indices = try reader.readArray { (reader) throws(JSON.Fault) in try reader.readInteger() }
          found |= 1 &<< 2
        } else {
          try reader.skipValue()
        }
      case 9:
        if key.matches("media_url") {
          mediaUrl = try reader.readString()
          found |= 1 &<< 3
        } else {
          try reader.skipValue()
        }
      case 11:
        if key.matches("display_url") {
          displayUrl = try reader.readString()
          found |= 1 &<< 6
        } else {
          try reader.skipValue()
        }
      case 12:
        if key.matches("expanded_url") {
          expandedUrl = try reader.readString()
          found |= 1 &<< 7
        } else {
          try reader.skipValue()
        }
      case 15:
        if key.matches("media_url_https") {
          mediaUrlHttps = try reader.readString()
          found |= 1 &<< 4
        } else {
          try reader.skipValue()
        }
      case 16:
        if key.matches("source_status_id") {
          if !(try reader.readNull()) { sourceStatusId = try reader.readInteger() }
        } else {
          try reader.skipValue()
        }
      case 20:
        if key.matches("source_status_id_str") {
          if !(try reader.readNull()) { sourceStatusIdStr = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x3ff, let sizes else { throw JSON.Fault(.missingKey, at: opening) }
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
    writer.key(prejoined: #""id":"#)
    writer.write(id)
    writer.key(prejoined: #""id_str":"#)
    writer.write(idStr)
    writer.key(prejoined: #""indices":"#)
    try writer.beginArray()
    for element in indices {
      writer.write(element)
    }
    writer.endArray()
    writer.key(prejoined: #""media_url":"#)
    writer.write(mediaUrl)
    writer.key(prejoined: #""media_url_https":"#)
    writer.write(mediaUrlHttps)
    writer.key(prejoined: #""url":"#)
    writer.write(url)
    writer.key(prejoined: #""display_url":"#)
    writer.write(displayUrl)
    writer.key(prejoined: #""expanded_url":"#)
    writer.write(expandedUrl)
    writer.key(prejoined: #""type":"#)
    writer.write(type)
    writer.key(prejoined: #""sizes":"#)
    try sizes.write(to: &writer)
    if let sourceStatusId {
      writer.key(prejoined: #""source_status_id":"#)
      writer.write(sourceStatusId)
    }
    if let sourceStatusIdStr {
      writer.key(prejoined: #""source_status_id_str":"#)
      writer.write(sourceStatusIdStr)
    }
    writer.endObject()
  }
}

extension Timeline.Sizes: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var medium: Timeline.Size?
    var small: Timeline.Size?
    var thumb: Timeline.Size?
    var large: Timeline.Size?
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 5:
        if key.matches("small") {
          small = try Timeline.Size(from: &reader)
          found |= 1 &<< 1
        } else if key.matches("thumb") {
          thumb = try Timeline.Size(from: &reader)
          found |= 1 &<< 2
        } else if key.matches("large") {
          large = try Timeline.Size(from: &reader)
          found |= 1 &<< 3
        } else {
          try reader.skipValue()
        }
      case 6:
        if key.matches("medium") {
          medium = try Timeline.Size(from: &reader)
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0xf, let medium, let small, let thumb, let large else {
      throw JSON.Fault(.missingKey, at: opening)
    }
    self.medium = medium
    self.small = small
    self.thumb = thumb
    self.large = large
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""medium":"#)
    try medium.write(to: &writer)
    writer.key(prejoined: #""small":"#)
    try small.write(to: &writer)
    writer.key(prejoined: #""thumb":"#)
    try thumb.write(to: &writer)
    writer.key(prejoined: #""large":"#)
    try large.write(to: &writer)
    writer.endObject()
  }
}

extension Timeline.Size: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var w: Int = 0
    var h: Int = 0
    var resize: String = ""
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 1:
        if key.matches("w") {
          w = try reader.readInteger()
          found |= 1 &<< 0
        } else if key.matches("h") {
          h = try reader.readInteger()
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      case 6:
        if key.matches("resize") {
          resize = try reader.readString()
          found |= 1 &<< 2
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x7 else { throw JSON.Fault(.missingKey, at: opening) }
    self.w = w
    self.h = h
    self.resize = resize
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""w":"#)
    writer.write(w)
    writer.key(prejoined: #""h":"#)
    writer.write(h)
    writer.key(prejoined: #""resize":"#)
    writer.write(resize)
    writer.endObject()
  }
}
