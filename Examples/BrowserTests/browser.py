"""What the tests in a real browser share.

They need Chromium, its driver, selenium and axe (on Debian: apt-get install chromium chromium-driver;
pip install selenium; pip install --no-deps axe-playwright-python) and Swift. With STAGE_LATENCY=400 messages between app and page take that many
milliseconds, each way: what a test does not wait for then comes too late on every machine.
"""

import functools
import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.chrome.service import Service

PACKAGE = Path(__file__).resolve().parent.parent
TIMEOUT = 60

LATENCY = int(os.environ.get("STAGE_LATENCY", 0))
LATE_SOCKETS = """
    if (!WebSocket.prototype.isLate) {
      WebSocket.prototype.isLate = true
      const { send } = WebSocket.prototype
      WebSocket.prototype.send = function (data) {
        setTimeout(() => { if (this.readyState === WebSocket.OPEN) send.call(this, data) }, LATENCY)
      }
      const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage")
      Object.defineProperty(WebSocket.prototype, "onmessage", { set(handler) {
        set.call(this, event => setTimeout(handler, LATENCY, event))
      } })
    }""".replace("LATENCY", str(LATENCY))


# Violations of axe's rules, and what is cut off or does not fit on the page.
BARRIERS = """
    const done = arguments[0]
    const bad = document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : []
    const scope = document.querySelector("dialog") ?? document.body
    for (const node of scope.querySelectorAll("*")) {
      if (node.matches(".field") && node.clientWidth < 100) bad.push(`${node.outerHTML}: too narrow`)
      const isText = [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim())
      if (!isText || !node.getClientRects().length || node.matches("script, style, .placed *")) continue
      const { left, right } = node.getBoundingClientRect(), style = getComputedStyle(node)
      if (left < 0 || right > innerWidth || style.overflowX === "hidden" && style.textOverflow !== "ellipsis"
        && node.scrollWidth > node.clientWidth) bad.push(`${node.textContent}: cut off`)
    }
    axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }).then(({ violations }) =>
      done(bad.concat(violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary}`)))))"""


# With letters of a size: what scrolls or sticks out sideways, is cut off, or has a word on two lines.
MISFITS = """
    document.documentElement.style.fontSize = arguments[0]
    const scope = document.querySelector("dialog") ?? document.body, edge = scope.getBoundingClientRect()
    const bad = scope.scrollWidth > scope.clientWidth ? [`${scope.scrollWidth} in ${scope.clientWidth}`] : []
    for (const node of scope.querySelectorAll("*")) {
      if (!node.getClientRects().length || node.closest(".placed, .handles, .symbol, .unseen, .hidden")) continue
      const { left, right } = node.getBoundingClientRect(), words = [...node.childNodes].filter(child => child.nodeType === 3)
      const say = what => bad.push(`${node.className} ${node.textContent.slice(0, 30)}: ${what}`)
      if (left < edge.left - 1 || right > edge.right + 1) say("sticks out")
      if ((words.length || node.tagName === "BUTTON") && node.scrollWidth > node.clientWidth + 1
        && getComputedStyle(node).display !== "inline") say("cut off")
      for (const text of words) for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
        const range = document.createRange()
        range.setStart(text, index), range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) say(`${word} is broken`)
      }
    }
    return bad"""


@functools.cache
def programs():
    """Builds the examples and returns the directory they are in; STAGE_PROGRAMS names one that is built."""
    if built := os.environ.get("STAGE_PROGRAMS"):
        return Path(built)
    build = ["swift", "build", "--package-path", str(PACKAGE)]
    for product in ["HIITFit", "SharedHIITFit", "Cards", "Bars", "SideMirror", "SignIn", "WorkingDirectory"]:
        subprocess.run(build + ["--product", product], check=True, stdout=subprocess.DEVNULL)
    shown = subprocess.run(build + ["--show-bin-path"], check=True, capture_output=True, text=True)
    return Path(shown.stdout.strip())


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def eventually(body, what, seconds=TIMEOUT):
    """Waits until a body returns something true, and returns that."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            result = body()
            if result:
                return result
            failure = None
        except Exception as error:  # A page in the middle of a change has no such element.
            failure = error
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} seconds") from failure
        time.sleep(0.03)


class Program:
    """A running example, with its data in a directory of its own."""

    options = []

    def __init__(self, name, directory):
        self.name, self.directory, self.port = name, directory, free_port()
        self.start()

    def command(self):
        return [programs() / self.name, "--root", self.directory, "--port", str(self.port),
                *self.options]

    def start(self):
        self.process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, text=True)
        # A problem with a file may be reported before the address.
        self.address = next(
            found.group() for line in self.process.stdout if (found := re.search(r"http://\S+", line)))
        # What the app prints later is read at once, so that it never waits for us.
        self.printed = []
        threading.Thread(
            target=self.printed.extend, args=[self.process.stdout], daemon=True).start()

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait()
        self.process.stdout.close()


class BrowserTest(unittest.TestCase):
    program = "HIITFit"
    program_type = Program

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="stage-browser-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.app = self.program_type(self.program, self.directory)
        self.addCleanup(lambda: self.app.kill())
        self.browser = None
        self.open_browser()
        self.addCleanup(lambda: self.browser.quit())

    def open_browser(self):
        options = webdriver.ChromeOptions()
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu",
                         "--disable-dev-shm-usage", "--window-size=900,760",
                         # A name that somebody has made to point here.
                         "--host-resolver-rules=MAP rebound.test 127.0.0.1"]:
            options.add_argument(argument)
        options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver")))

    def open_window(self, kind="window", first=False):
        if not first:
            self.browser.switch_to.new_window(kind)
        self.visit(self.app.address)
        eventually(lambda: self.browser.execute_script("return sessionStorage.session"),
                   "the window is shown")
        return self.browser.current_window_handle

    def visit(self, address):
        if LATENCY:
            self.browser.execute_cdp_cmd(
                "Page.addScriptToEvaluateOnNewDocument", {"source": LATE_SOCKETS})
        self.browser.get(address)

    def show(self, window):
        self.browser.switch_to.window(window)

    def find(self, css):
        """The first such element, as soon as there is one."""
        return eventually(lambda: self.browser.find_element(By.CSS_SELECTOR, css), css)

    def tap(self, css):
        eventually(lambda: self.find(css).click() or True, f"a tap on {css}")

    def show_as(self, scheme, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def screens(self):
        """A phone, a desktop and one at a zoom of 200 %, each in light and dark."""
        for scheme in ["light", "dark"]:
            for size in [(360, 740), (1280, 800), (640, 400)]:
                self.show_as(scheme, *size)
                yield scheme, size

    def barriers(self):
        """What keeps somebody from using what the page shows."""
        if not self.browser.execute_script("return window.axe !== undefined"):
            directory = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
            self.browser.execute_script(Path(directory, "axe.min.js").read_text())
        return self.browser.execute_async_script(BARRIERS)

    def assertAccessible(self, what):
        """Checks a view that is shown, and makes a picture of it if SCREENSHOTS names a directory."""
        try:
            # What is shown may still be on its way to its place.
            eventually(lambda: not self.barriers(), what, seconds=3)
        except AssertionError:
            self.assertEqual(self.barriers(), [], what)
        if shots := os.environ.get("SCREENSHOTS"):
            self.browser.save_screenshot(os.path.join(shots, re.sub(r"\W+", "-", f"{self.program} {what}") + ".png"))

    def assertFits(self, what, letters=16):
        """Checks that a view is whole with letters of a size, in pixels, as a person may have chosen for all pages."""
        misfits = lambda: self.browser.execute_script(MISFITS, f"{letters}px")
        try:
            eventually(lambda: not misfits(), what, seconds=3)
        except AssertionError:
            self.assertEqual(misfits(), [], (what, letters))

    def session(self):
        return self.browser.execute_script("return sessionStorage.session")

    def assertEventually(self, body, what):
        eventually(body, what)
