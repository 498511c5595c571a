/// JSON as RFC 8259 describes it: ``Decoder`` and ``Encoder`` for `Codable` types, ``Value`` for
/// what no type describes.
public enum JSON {}
