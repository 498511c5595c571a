// What a macro would write for this type, by hand.

import Keepsake

extension Outline: GeneratedCoding {
  private static let fields = JSON.Fields(
    "type", "features")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var type: String?
    var features: [Outline.Feature]?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: type = try String(from: &reader)
      case 1: features = try [Outline.Feature](from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let type, let features else { throw object.missingField }
    self.type = type
    self.features = features
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(type, key: #""type":"#)
    try writer.write(features, key: #""features":"#)
    writer.endObject()
  }
}

extension Outline.Feature: GeneratedCoding {
  private static let fields = JSON.Fields(
    "type", "properties", "geometry")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var type: String?
    var properties: Outline.Properties?
    var geometry: Outline.Geometry?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: type = try String(from: &reader)
      case 1: properties = try Outline.Properties(from: &reader)
      case 2: geometry = try Outline.Geometry(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let type, let properties, let geometry else { throw object.missingField }
    self.type = type
    self.properties = properties
    self.geometry = geometry
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(type, key: #""type":"#)
    try writer.write(properties, key: #""properties":"#)
    try writer.write(geometry, key: #""geometry":"#)
    writer.endObject()
  }
}

extension Outline.Properties: GeneratedCoding {
  private static let fields = JSON.Fields(
    "name")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var name: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: name = try String(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let name else { throw object.missingField }
    self.name = name
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(name, key: #""name":"#)
    writer.endObject()
  }
}

extension Outline.Geometry: GeneratedCoding {
  private static let fields = JSON.Fields(
    "type", "coordinates")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var type: String?
    var coordinates: [[[Double]]]?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: type = try String(from: &reader)
      case 1: coordinates = try [[[Double]]](from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let type, let coordinates else { throw object.missingField }
    self.type = type
    self.coordinates = coordinates
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(type, key: #""type":"#)
    try writer.write(coordinates, key: #""coordinates":"#)
    writer.endObject()
  }
}
