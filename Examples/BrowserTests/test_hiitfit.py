"""Plays the examples in a real browser.

Needs Chromium, its driver and selenium (on Debian: apt-get install chromium chromium-driver;
pip install selenium) and Swift. Run it with: python3 Examples/BrowserTests/test_hiitfit.py
"""

import functools
import http.server
import os
import plistlib
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
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.service import Service

PACKAGE = Path(__file__).resolve().parent.parent
EXERCISES = ["Squat", "Step Up", "Burpee", "Sun Salute"]
TIMEOUT = 20


@functools.cache
def programs():
    """Builds the examples and returns the folder they are in."""
    build = ["swift", "build", "--package-path", str(PACKAGE)]
    for product in ["HIITFit", "Bars"]:
        subprocess.run(build + ["--product", product], check=True, stdout=subprocess.DEVNULL)
    shown = subprocess.run(build + ["--show-bin-path"], check=True, capture_output=True, text=True)
    return Path(shown.stdout.strip())


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def eventually(body, what):
    """Waits until a body returns something true, and returns that."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            result = body()
            if result:
                return result
            failure = None
        except Exception as error:  # A page in the middle of a change has no such element.
            failure = error
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {TIMEOUT} seconds") from failure
        time.sleep(0.03)


class Program:
    """A running example, with its data in a folder of its own."""

    def __init__(self, name, folder):
        self.name, self.folder, self.port = name, folder, free_port()
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [programs() / self.name, "--root", self.folder, "--port", str(self.port)],
            stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline()).group()
        # What the app prints later is read away, so that it never waits for us.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


class QuietHandler(http.server.BaseHTTPRequestHandler):
    """Serves an empty page, as another program on this machine might."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_):
        pass


class BrowserTest(unittest.TestCase):
    program = "HIITFit"

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="stage-browser-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.app = Program(self.program, self.folder)
        self.addCleanup(lambda: self.app.kill())
        self.browser = None
        self.open_browser()
        self.addCleanup(lambda: self.browser.quit())

    def open_browser(self):
        options = webdriver.ChromeOptions()
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu",
                         "--disable-dev-shm-usage", "--window-size=900,760"]:
            options.add_argument(argument)
        options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver")))

    def open_window(self, kind="window", first=False):
        if not first:
            self.browser.switch_to.new_window(kind)
        self.browser.get(self.app.address)
        eventually(lambda: self.browser.execute_script("return sessionStorage.session"),
                   "the window is shown")
        return self.browser.current_window_handle

    def show(self, window):
        self.browser.switch_to.window(window)

    def find(self, css):
        return self.browser.find_element(By.CSS_SELECTOR, css)

    def tap(self, css):
        eventually(lambda: self.find(css).click() or True, f"a tap on {css}")

    def tab(self, name):
        eventually(lambda: self.browser.find_element(
            By.XPATH, f"//button[@role='tab'][contains(., '{name}')]").click() or True, name)
        eventually(lambda: self.selected_tab() == name, f"{name} is shown")

    def selected_tab(self):
        return self.find("[role=tab][aria-selected=true]").text

    def rating(self):
        return len(self.browser.find_elements(
            By.CSS_SELECTOR, "[aria-label^='Rate '][aria-pressed=true]"))

    def rate(self, rating):
        self.tap(f"[aria-label='Rate {rating} of 5']")
        eventually(lambda: self.rating() == rating, f"the rating is {rating}")

    def session(self):
        return self.browser.execute_script("return sessionStorage.session")

    def kept_ratings(self):
        path = Path(self.folder, "Library/Preferences/com.example.HIITFit.plist")
        return plistlib.loads(path.read_bytes()).get("ratings") if path.exists() else None

    def assertEventually(self, body, what):
        eventually(body, what)


class HIITFitTests(BrowserTest):
    def test_everything_is_back_after_kill_9(self):
        first = self.open_window(first=True)
        second = self.open_window()
        for index, exercise in enumerate(EXERCISES):
            self.show(first)
            self.tab(exercise)
            self.rate(5 - index)
            self.show(second)
            self.tab(exercise)
            self.assertEventually(lambda: self.rating() == 5 - index, "the other window follows")
        self.tab("Burpee")
        self.show(first)
        self.tab("Squat")

        self.app.kill()
        self.assertEventually(lambda: self.find("#notice").is_displayed(), "the page waits")
        self.app.start()

        # Nobody does anything: the pages come back by themselves.
        for window, exercise, rating in [(first, "Squat", 5), (second, "Burpee", 3)]:
            self.show(window)
            self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")
            self.assertEqual(self.selected_tab(), exercise)
            self.assertEqual(self.rating(), rating)
        for index, exercise in enumerate(EXERCISES):
            self.tab(exercise)
            self.assertEventually(lambda: self.rating() == 5 - index, f"{exercise} is rated")
        self.rate(1)
        self.assertEventually(lambda: self.kept_ratings() == "5431", "the file has the ratings")

    def test_both_windows_are_back_after_app_and_browser_were_killed(self):
        self.open_window(first=True)
        self.tab("Step Up")
        self.rate(2)
        self.open_window()
        self.tab("Sun Salute")
        os.kill(self.browser_process(), signal.SIGKILL)
        self.app.kill()
        self.browser.service.stop()

        self.app.start()
        self.open_browser()
        tabs = []
        for index in range(3):
            self.open_window(first=index == 0)
            tabs.append(eventually(self.selected_tab, "a tab is shown"))
        self.assertEqual(sorted(tabs[:2]), ["Step Up", "Sun Salute"])
        self.assertEqual(tabs[2], "Welcome")

    def browser_process(self):
        children = Path(f"/proc/{self.browser.service.process.pid}/task").glob("*/children")
        return int(" ".join(path.read_text() for path in children).split()[0])

    def test_a_reload_keeps_the_window_and_a_close_ends_it(self):
        kept = self.open_window(first=True)
        self.tab("Burpee")
        session = self.session()
        self.browser.refresh()
        self.assertEventually(lambda: self.selected_tab() == "Burpee", "the tab after a reload")
        self.assertEqual(self.session(), session)

        self.open_window()
        closed = self.session()
        self.browser.close()
        self.show(kept)
        file = Path(self.folder, "Library/Saved Application State/Scenes.plist")
        self.assertEventually(
            lambda: closed not in file.read_text() and session in file.read_text(),
            "the closed window's scene is gone, the other's is not")

    def test_the_pages_follow_a_file_that_is_edited_by_hand(self):
        self.open_window(first=True)
        self.tab("Step Up")
        self.rate(2)
        self.assertEventually(lambda: self.kept_ratings() == "0200", "the file has the rating")
        path = Path(self.folder, "Library/Preferences/com.example.HIITFit.plist")
        path.write_bytes(path.read_bytes().replace(b"0200", b"1543"))
        self.assertEventually(lambda: self.rating() == 5, "the page follows the file")

    def test_fourteen_windows_follow(self):
        windows = [self.open_window(first=index == 0) for index in range(14)]
        for window in windows:
            self.show(window)
            self.tab("Squat")
        self.assertEqual(len({self.show(window) or self.session() for window in windows}), 14)
        self.rate(4)
        for window in windows:
            self.show(window)
            self.assertEventually(lambda: self.rating() == 4, "every window follows")

    def test_the_keyboard_is_enough(self):
        self.open_window(first=True)

        def press(*keys):
            self.browser.switch_to.active_element.send_keys(*keys)

        def focused():
            return self.browser.switch_to.active_element

        press(Keys.TAB)
        self.assertEqual(focused().get_attribute("role"), "tab")
        press(Keys.ARROW_RIGHT)
        self.assertEventually(lambda: self.selected_tab() == "Squat", "the next tab")
        press(Keys.END)
        self.assertEventually(lambda: self.selected_tab() == "Sun Salute", "the last tab")
        press(Keys.ARROW_RIGHT)
        self.assertEventually(lambda: self.selected_tab() == "Welcome", "the first after the last")
        press(Keys.ARROW_RIGHT)
        self.assertEventually(lambda: self.rating() == 0 and self.find("[role=group]"), "Squat")
        for _ in range(3):
            press(Keys.TAB)
        self.assertEqual(focused().get_attribute("aria-label"), "Rate 3 of 5")
        press(Keys.ENTER)
        self.assertEventually(lambda: self.rating() == 3, "Enter rates")
        self.assertEqual(focused().get_attribute("aria-label"), "Rate 3 of 5")
        press(Keys.SHIFT, Keys.TAB)
        press(Keys.SPACE)
        self.assertEventually(lambda: self.rating() == 2, "the space bar rates")
        outline = self.browser.execute_script(
            "return getComputedStyle(document.activeElement).outlineStyle")
        self.assertEqual(outline, "solid")

    def test_everything_that_can_be_pressed_has_a_name(self):
        self.open_window(first=True)
        self.tab("Squat")
        nameless = self.browser.execute_script("""
            return [...document.querySelectorAll('button, [role=button], [role=group]')]
              .filter(node => !node.textContent.trim() && !node.getAttribute('aria-label')).length""")
        self.assertEqual(nameless, 0)
        self.assertEqual(self.find("[role=heading]").text, "Squat")
        severe = [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(severe, [])

    def test_another_page_cannot_drive_the_app(self):
        self.open_window(first=True)
        token = self.browser.execute_script("return localStorage.token")
        self.assertNotIn("token", self.browser.current_url)

        other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), QuietHandler)
        self.addCleanup(other.server_close)
        self.addCleanup(other.shutdown)
        threading.Thread(target=other.serve_forever, daemon=True).start()
        attempt = """
            const done = arguments[arguments.length - 1]
            const socket = new WebSocket(arguments[0])
            socket.onopen = () => done("open")
            socket.onerror = () => done("refused")"""
        address = f"ws://127.0.0.1:{self.app.port}/socket?token={token}"
        self.assertEqual(self.browser.execute_async_script(attempt, address), "open")
        # Even with the token, which no other page can know.
        self.browser.get(f"http://127.0.0.1:{other.server_address[1]}/")
        self.assertEqual(self.browser.execute_async_script(attempt, address), "refused")
        self.assertIsNone(self.browser.execute_script("return localStorage.getItem('token')"))


class BarsTests(BrowserTest):
    program = "Bars"

    def bars(self, label):
        return self.browser.execute_script("""
            const stack = document.querySelector(`[aria-label='${arguments[0]}']`)
            const box = stack.getBoundingClientRect()
            const middle = box.x + box.width / 2
            return [...stack.querySelectorAll('.fill')].map(bar => {
              const { x, width } = bar.getBoundingClientRect()
              return [x - middle, x + width - middle]
            })""", label)

    def is_moving(self):
        return self.browser.execute_script("return document.getAnimations().length")

    def settle(self):
        self.assertEventually(lambda: not self.is_moving(), "the movement ends")

    def test_guides_place_the_bars_exactly(self):
        self.open_window(first=True)
        label = "Move the bars apart"
        self.assertEqual(self.bars(label), [[-32, 32], [-32, 32]])
        self.tap(f"[aria-label='{label}']")
        self.assertEventually(self.is_moving, "the bars move")
        self.settle()
        # The first bar's trailing edge and the second's leading edge meet at the center.
        self.assertEqual(self.bars(label), [[-64, 0], [0, 64]])
        self.tap(f"[aria-label='{label}']")
        self.assertEventually(self.is_moving, "the bars move back")
        self.settle()
        self.assertEqual(self.bars(label), [[-32, 32], [-32, 32]])

    def test_a_stack_gains_a_bar(self):
        self.open_window(first=True)
        label = "Split the bar"
        self.assertEqual(self.bars(label), [[-32, 32]])
        self.tap(f"[aria-label='{label}']")
        self.settle()
        self.assertEqual(self.bars(label), [[-68, -4], [4, 68]])

    def test_phases_follow_the_browser(self):
        first = self.open_window(first=True)
        phases = lambda: self.browser.find_element(
            By.XPATH, "//span[starts-with(., 'This window has been')]").text.split()[4:]
        self.assertEventually(lambda: phases()[-1] == "active", "a new window is active")
        self.open_window("tab")
        self.show(first)
        self.assertEventually(lambda: phases()[-1] == "active", "the window is active again")
        self.assertIn("background", phases())
        self.app.kill()
        self.app.start()
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")
        self.assertIn("background", phases())


if __name__ == "__main__":
    unittest.main(verbosity=2)
