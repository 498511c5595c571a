"""Plays HIITFit and Bars in a real browser.

Run it with: python3 Examples/BrowserTests/test_hiitfit.py (see browser.py for what it needs)
"""

import http.server
import json
import os
import plistlib
import signal
import threading
import unittest
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import BrowserTest, eventually

EXERCISES = ["Squat", "Step Up", "Burpee", "Sun Salute"]


class QuietHandler(http.server.BaseHTTPRequestHandler):
    """Serves an empty page, as another program on this machine might."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_):
        pass


class HIITFitTests(BrowserTest):
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

    def kept_ratings(self):
        path = Path(self.directory, "Library/Preferences/com.example.HIITFit.plist")
        return plistlib.loads(path.read_bytes()).get("ratings") if path.exists() else None

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

    def test_the_history_survives_tabs_and_kill_9(self):
        self.open_window(first=True)
        self.tab("Squat")
        self.press("Done")
        self.assertEventually(lambda: self.selected_tab() == "Step Up", "the next exercise")
        self.tab("Sun Salute")
        self.press("Done")
        self.assertEventually(lambda: self.selected_tab() == "Welcome", "the last one is done")
        self.assertEqual(self.history(), ["Squat", "Sun Salute"])

        # A file for each day, which a person can read.
        path = next(Path(self.directory, "Documents").glob("*.workouts"))
        self.assertEqual([entry["exercise"] for entry in json.loads(path.read_text())["entries"]],
                         ["Squat", "Sun Salute"])
        self.app.kill()
        self.app.start()
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")
        self.tab("Burpee")
        self.press("Done")
        self.assertEventually(lambda: self.selected_tab() == "Sun Salute", "the next exercise")
        self.app.kill()
        self.app.start()
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")
        self.tab("Welcome")
        self.assertEventually(
            lambda: self.history() == ["Squat", "Sun Salute", "Burpee"], "the history is whole")

    def press(self, text):
        self.browser.find_element(By.XPATH, f"//button[contains(., '{text}')]").click()

    def history(self):
        """What the history lists, once its sheet is opened and closed again."""
        self.press("History")
        lines = eventually(
            lambda: self.find("dialog").text.splitlines(), "the history is shown")
        self.assertEqual(self.find("dialog [role=heading]").text, "History")
        self.browser.find_element(By.XPATH, "//dialog//button[.='Done']").click()
        eventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "it is closed")
        return [line for line in lines if line in EXERCISES]

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
        file = Path(self.directory, "Library/Saved Application State/Scenes.plist")
        self.assertEventually(
            lambda: closed not in file.read_text() and session in file.read_text(),
            "the closed window's scene is gone, the other's is not")

    def test_the_pages_follow_a_file_that_is_edited_by_hand(self):
        self.open_window(first=True)
        self.tab("Step Up")
        self.rate(2)
        self.assertEventually(lambda: self.kept_ratings() == "0200", "the file has the rating")
        path = Path(self.directory, "Library/Preferences/com.example.HIITFit.plist")
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
        self.assertNotIn(token, self.browser.current_url)

        other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), QuietHandler)
        self.addCleanup(other.server_close)
        self.addCleanup(other.shutdown)
        threading.Thread(target=other.serve_forever, daemon=True).start()
        attempt = """
            const done = arguments[arguments.length - 1]
            const socket = new WebSocket(arguments[0], ["keepsake", "bearer." + arguments[1]])
            socket.onopen = () => done("open")
            socket.onerror = () => done("refused")"""
        address = f"ws://127.0.0.1:{self.app.port}/socket"
        self.assertEqual(self.browser.execute_async_script(attempt, address, token), "open")
        # Even with the token, which no other page can know.
        self.browser.get(f"http://127.0.0.1:{other.server_address[1]}/")
        self.assertEqual(self.browser.execute_async_script(attempt, address, token), "refused")
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
        self.assertEventually(lambda: len(self.bars(label)) == 2, "there are two")
        self.settle()
        self.assertEqual(self.bars(label), [[-68, -4], [4, 68]])

    def test_phases_follow_the_browser(self):
        first = self.open_window(first=True)
        phases = lambda: self.browser.find_element(
            By.XPATH, "//span[starts-with(., 'This window has been')]").text.split()[4:]
        self.assertEventually(lambda: phases()[-1] == "active", "a new window is active")
        self.open_window("tab")
        self.show(first)
        self.assertEventually(
            lambda: "background" in phases() and phases()[-1] == "active", "it is active again")
        self.app.kill()
        self.app.start()
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")
        self.assertIn("background", phases())


if __name__ == "__main__":
    unittest.main(verbosity=2)
