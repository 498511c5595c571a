"""Measures Stage and Cards beside their goals: Examples/BrowserTests/measure.py [DIRECTORY OF BUILT PROGRAMS]

It needs what browser.py names, builds the examples with optimization, and takes three minutes after that. A figure
over its goal is marked.
"""

import base64
import json
import os
import select
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import browser
from test_cards import png

MEGABYTE = 1 << 20


def report(what, value, unit, goal):
    print(f"{what:<58} {value:>9.1f} {unit:<6} goal {goal:g}{'' if value <= goal else '   OVER'}", flush=True)


class Window:
    """A window of an app without a browser: a socket as a page opens it."""

    def __init__(self, app, session=None):
        self.socket = socket.create_connection(("127.0.0.1", app.port))
        token = app.address.split("#")[1]
        key = base64.b64encode(os.urandom(16)).decode()
        query = "phase=background" + (f"&session={session}" if session else "")
        self.socket.sendall((
            f"GET /socket?{query} HTTP/1.1\r\nHost: 127.0.0.1:{app.port}\r\nUpgrade: websocket\r\n"
            f"Origin: http://127.0.0.1:{app.port}\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: keepsake, bearer.{token}\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(65536)
        self.buffer = self.buffer.split(b"\r\n\r\n", 1)[1]

    def read(self, count):
        while len(self.buffer) < count:
            if not (part := self.socket.recv(1 << 20)):
                raise EOFError
            self.buffer += part
        part, self.buffer = self.buffer[:count], self.buffer[count:]
        return part

    def message(self):
        """The next message, as bytes."""
        while True:
            first, length = self.read(2)
            if length == 126:
                length = struct.unpack(">H", self.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.read(8))[0]
            payload = self.read(length)
            if first & 15 in (1, 2):
                return payload

    def send(self, message):
        payload = json.dumps(message).encode()
        mask = os.urandom(4)
        length = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack(">H", len(payload))
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.socket.sendall(b"\x81" + length + mask + masked)


def element(elements, fits):
    for each in elements:
        if fits(each):
            return each
        if found := element(each.get("children", []), fits):
            return found
    return None


def labeled(elements, label):
    return element(elements, lambda each: each.get("attributes", {}).get("aria-label", "").startswith(label))["id"]


class Measured(browser.BrowserTest):
    def __init__(self, program):
        super().__init__()
        self.program = program

    def runTest(self):
        pass

    def memory(self):
        with open(f"/proc/{self.app.process.pid}/status") as status:
            return int(next(line for line in status if line.startswith("VmRSS")).split()[1]) / 1024


def measure_rows():
    app = Measured("Rows")
    app.setUp()
    window = Window(app.app)
    elements = json.loads(window.message())["scene"]["elements"]
    number = 0
    for label, what, goal in [("Own 500", "a row's own state, of 1,000 rows", 5),
                              ("Parent 500", "the array of 1,000 rows", 15)]:
        times = []
        for _ in range(40):
            number += 1
            start = time.perf_counter()
            window.send({"kind": "tap", "id": labeled(elements, label), "number": number})
            while b'"patches"' not in window.message():
                pass
            times.append((time.perf_counter() - start) * 1000)
        report(f"Stage: a tap changes {what}", statistics.median(times[5:]), "ms", goal)
    app.doCleanups()


def make_cards(directory, count):
    documents = Path(directory, "Documents")
    documents.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        images = []
        for part in range(2):
            name = f"{uuid.uuid5(uuid.NAMESPACE_URL, f'{index} {part}')}.png".upper().replace("PNG", "png")
            (documents / name).write_bytes(png(240, 160, (index % 256, 80 * part, 200)))
            images.append({"id": str(uuid.uuid4()).upper(), "imageFilename": name, "transform": {
                "size": [900, 600], "rotation": {"degrees": 4 * part}, "offset": [100 * part, 500 * part - 200]}})
        card = {"id": str(uuid.uuid4()).upper(), "created": f"2026-01-01T00:{index // 60 % 60:02}:{index % 60:02}Z",
                "backgroundColor": [0.9, 0.8, 0.5, 1], "imageElements": images, "textElements": [
                    {"id": str(uuid.uuid4()).upper(), "text": f"Card {index}", "textColor": [0, 0, 0, 1], "transform": {
                        "size": [900, 260], "rotation": {"degrees": 0}, "offset": [0, -700]}}]}
        (documents / f"{card['id']}.rwcard").write_text(json.dumps(card))


def started_with_cards(count):
    app = Measured("Cards")
    app.setUp()
    app.app.kill()
    make_cards(app.directory, count)
    app.app.start()
    time.sleep(2)
    return app


FRAMES = """
    const done = arguments[0], times = []
    let last, position = 0
    requestAnimationFrame(function frame(now) {
      if (last) times.push(now - last)
      last = now
      position += 40
      scrollTo(0, position)
      if (times.length < 240) requestAnimationFrame(frame); else done(times)
    })"""


def frames(app):
    times = sorted(app.browser.execute_async_script(FRAMES))
    return times[int(len(times) * .95)]


def measure_list():
    app = started_with_cards(1000)
    window = Window(app.app)
    report("Cards: first message of a list of 1,000 cards", len(window.message()) / 1000, "kB", 50)
    app.browser.get("about:blank")
    app.browser.execute_script("document.body.style.height = '100000px'")
    empty = frames(app)
    app.open_window(first=True)
    time.sleep(1)
    paints = []
    for _ in range(5):
        app.browser.refresh()
        browser.eventually(lambda: app.browser.execute_script("return document.querySelector('[data-count]')"), "a list")
        time.sleep(.5)
        paints.append(app.browser.execute_script("""
            return Math.max(...performance.getEntriesByType("paint").map(entry => entry.startTime))"""))
    report("Cards: first paint of the list", statistics.median(paints), "ms", 300)
    time.sleep(1)
    report("Cards: 95 % of frames while scrolling, to an empty page's", frames(app) / empty, "x", 2)
    app.doCleanups()


def measure_windows():
    app = started_with_cards(300)
    first = Window(app.app)
    elements = json.loads(first.message())["scene"]["elements"]
    before = app.memory()
    windows = [Window(app.app) for _ in range(100)]
    for window in windows:
        window.message()
    report("Cards: memory of a window on 300 cards, of 100 windows", (app.memory() - before) / 100, "MB", 1)
    start = time.perf_counter()
    first.send({"kind": "tap", "id": labeled(elements, "Remove"), "number": 1})
    for window in windows:
        while b'"patches"' not in window.message():
            pass
    report("Cards: a card is gone from the last of 100 windows", time.perf_counter() - start, "s", 1)
    for window in windows:
        window.socket.close()
    time.sleep(45)
    report("Cards: memory that is left 45 s after the windows are lost", app.memory() - before, "MB", 10)
    app.doCleanups()


def main():
    if len(sys.argv) > 1:
        built = Path(sys.argv[1])
    else:
        build = ["swift", "build", "-c", "release", "--package-path", str(browser.PACKAGE)]
        for product in ["Rows", "Cards"]:
            subprocess.run(build + ["--product", product], check=True, stdout=subprocess.DEVNULL)
        built = Path(subprocess.run(build + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip())
    os.environ["STAGE_PROGRAMS"] = str(built)
    measure_rows()
    measure_list()
    measure_windows()


if __name__ == "__main__":
    main()
