"""Writes a few inputs of every kind for the fuzzer to begin with: seeds.py FOLDER."""

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
]

OPENSTEP = [
    "{ a = b; \"c d\" = (1, 2, <0a0b>); e = { f = \"\\U00e9\\n\"; }; }",
    "( a, \"b\", /* c */ (d) )",
    "a = b;\nc = \"d\"; // e\n",
    "{ text = x; int = 5; flag = YES; data = <00ff>; }",
]


def main(folder: pathlib.Path) -> None:
    values = SAMPLE | {
        "date": datetime.datetime(2020, 8, 14, 20),
        "data": bytes(range(20)),
    }
    lists = [values, [values, 1, 2**63], {"deep": [[[["x"]]]]}, "x", 7, []]
    seeds = {
        "json-decoder": [text.encode() for text in JSON],
        "json-value": [text.encode() for text in JSON],
        "xml": [plistlib.dumps(value) for value in lists],
        "binary": [plistlib.dumps(value, fmt=plistlib.FMT_BINARY) for value in lists],
        "openstep": [text.encode() for text in OPENSTEP],
    }
    for target, inputs in seeds.items():
        place = folder / target
        place.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs):
            (place / f"seed-{number}").write_bytes(data)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
