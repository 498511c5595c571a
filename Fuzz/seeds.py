"""Writes a few inputs of every kind for the fuzzer to begin with: seeds.py DIRECTORY."""

import datetime
import json
import pathlib
import plistlib
import sys
import uuid

SAMPLE = {
    "text": 'é"\\/\n\U0001f600',
    "int": -42,
    "byte": 255,
    "double": 1.5e-7,
    "flag": True,
    "url": "https://example.com/a?b=c",
    "uuid": str(uuid.UUID(int=0x1234567890ABCDEF)),
    "texts": ["", "a", "long enough to be none of the short strings"],
    "numbers": [0, 0.1, 1e22, 123456789012345678],
    "byName": {"a": 1, "b": 2},
    "children": [{"int": 1}, {}],
}

JSON = [
    json.dumps(SAMPLE),
    json.dumps(SAMPLE, indent=2, ensure_ascii=False),
    json.dumps([SAMPLE, None, False]),
    r'["\ud83d\ude00\u00e9\b\f\/", -0.0e+10, 12345678901234567890123, null]',
    "{a: 'b', /* c */ d: [+1, .5, 0xFF, Infinity,], // e\n}",
    '{"date":"2020-08-14T20:00:00.125Z","data":"AAEC","decimal":0.1,"wide":170141183460469231731}',
    '"text":1,"int":2',
    "[" * 20 + "]" * 20,
    # Deeper than is allowed, closed and cut off.
    "[" * 600 + "]" * 600,
    '{"children":[' * 300,
    '{"a":' * 600 + "1" + "}" * 600,
    "-" + "9" * 400 + "." + "9" * 400 + "e-" + "9" * 20,
]

GENERATED = [
    {"plain": {"text": "a", "int": 1, "double": 1.5, "date": 3, "numbers": [[1, 2], []], "byName": {"b": [1, None]}},
     "external": [{"none": {}}, {"point": {"x": 1}}, {"string": {"_0": "a", "count": 2}}],
     "tagged": {"a": {"type": "exercise", "name": "b", "seconds": 3}, "c": {"type": "plain", "text": "d"}, "e": [1]},
     "adjacent": {"type": "pause", "value": {}}, "raw": ["metric", "english", 1], "children": [{}, {"children": []}]},
    {"changed": {"schema_version": 3, "title": "a", "contact": {"phone": {"home": "1"}}, "number_in_text": "5",
                 "date": "2026-11-25T10:20:30Z", "rating": 4, "cents": 250}},
    {"changed": {"name": "a", "phone": "1", "rating": "x", "cents": 2.5, "range": "1-2"}},
    {"type": "exercise", "value": {"name": "a", "seconds": 1}},
    {"type": "exercise", "name": "a", "seconds": 1},
    {"words": {"_0": "a"}},
    "imperial",
]

OPENSTEP = [
    "{ a = b; \"c d\" = (1, 2, <0a0b>); e = { f = \"\\U00e9\\n\"; }; }",
    "( a, \"b\", /* c */ (d) )",
    "a = b;\nc = \"d\"; // e\n",
    "{ text = x; int = 5; flag = YES; data = <00ff>; }",
    "(" * 1000 + ")" * 1000,
    "{ a = " * 600 + "b" + "; }" * 600,
]

DOCTYPE = "<!DOCTYPE plist"
XML = [
    # A billion laughs, an entity from a file, and one that names itself.
    f"""<?xml version="1.0"?>{DOCTYPE} [<!ENTITY a "lol">"""
    + "".join(f"""<!ENTITY {b} "{f'&{a};' * 10}">""" for a, b in zip("abcdefgh", "bcdefghi"))
    + "]><plist><string>&i;</string></plist>",
    f"""{DOCTYPE} [<!ENTITY a SYSTEM "file:///etc/passwd">]><plist><string>&a;</string></plist>""",
    f"""{DOCTYPE} [<!ENTITY a "&a;">]><plist><string>&a;&#x10FFFF;&#0;&lt;</string></plist>""",
    "<plist>" + "<array>" * 600 + "</array>" * 600 + "</plist>",
    "<plist>" + "<dict><key>children</key><array>" * 150,
    "<plist><data>" + "QUJD\n" * 300 + "</data></plist>",
]


def binary(*objects: bytes, table: int | None = None, count: int | None = None) -> bytes:
    """A binary property list of objects that may be wrong, with one byte for each reference."""
    offsets, body = [], b"bplist00"
    for one in objects:
        offsets.append(len(body))
        body += one
    start = len(body) if table is None else table
    width = 1 if len(body) < 256 else 2
    body += b"".join(offset.to_bytes(width, "big") for offset in offsets)
    number = len(objects) if count is None else count
    trailer = bytes(6) + bytes([width, 1]) + number.to_bytes(8, "big") + bytes(8)
    return body + trailer + start.to_bytes(8, "big")


def length(kind: int, number: int, width: int = 3) -> bytes:
    """The head of an object with a length that is written out."""
    return bytes([kind << 4 | 15, 0x10 | width]) + number.to_bytes(1 << width, "big")


BINARY = [
    # Data, text, arrays, dictionaries and sets of two gigabytes and more, of a few bytes.
    *[
        binary(length(kind, number) + b"abc")
        for kind in (4, 5, 6, 0xA, 0xC, 0xD)
        for number in (2**31 - 1, 2**31, 2**32, 2**62, 2**63, 2**64 - 1)
    ],
    binary(length(5, 2**31, 2) + b"abc"),
    # An array in itself, two in each other, a dictionary that is its own value.
    binary(b"\xa1\x00"),
    binary(b"\xa1\x01", b"\xa1\x00"),
    binary(b"\xd1\x01\x00", b"\x51a"),
    binary(b"\xa2\x01\x01", b"\xd1\x02\x00", b"\x58children"),
    # Shared: every array has the next one ten times.
    binary(*[b"\xaa" + bytes([one + 1]) * 10 for one in range(12)], b"\x51a"),
    # Deep.
    binary(*[bytes([0xA1, one + 1]) for one in range(250)], b"\x08"),
    # More objects than bytes, and a table that is elsewhere.
    binary(b"\x08", count=2**62),
    binary(b"\x08", table=2**63),
    binary(b"\x08", table=0),
]


def main(directory: pathlib.Path) -> None:
    values = SAMPLE | {
        "date": datetime.datetime(2020, 8, 14, 20),
        "data": bytes(range(20)),
    }
    lists = [values, [values, 1, 2**63], {"deep": [[[["x"]]]]}, "x", 7, []]
    seeds = {
        "json-decoder": [text.encode() for text in JSON],
        "generated": [json.dumps(value).encode() for value in GENERATED],
        "json-value": [text.encode() for text in JSON],
        "xml": [plistlib.dumps(value) for value in lists] + [text.encode() for text in XML],
        "binary": [plistlib.dumps(value, fmt=plistlib.FMT_BINARY) for value in lists] + BINARY,
        "openstep": [text.encode() for text in OPENSTEP],
    }
    for target, inputs in seeds.items():
        place = directory / target
        place.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs):
            (place / f"seed-{number}").write_bytes(data)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
