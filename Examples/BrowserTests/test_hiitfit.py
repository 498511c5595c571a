"""Plays HIITFit and Bars in a real browser.

Run it with: python3 Examples/BrowserTests/test_hiitfit.py (see browser.py for what it needs)
"""

import datetime
import http.server
import json
import os
import plistlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import PACKAGE, BrowserTest, Program, eventually, free_port, programs

EXERCISES = ["Squat", "Step Up", "Burpee", "Sun Salute"]


class QuietHandler(http.server.BaseHTTPRequestHandler):
    """Serves an empty page, as another program on this machine might."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_):
        pass


class TimedProgram(Program):
    """HIITFit with exercises of a second, or of as many as a test sets, which the app then follows."""

    def __init__(self, name, directory):
        self.configuration = Path(directory, "config.plist")
        self.options = ["--config", self.configuration]
        self.set_seconds(1)
        super().__init__(name, directory)

    def set_seconds(self, seconds):
        values = plistlib.loads((PACKAGE / "Sources/HIITFit/config.plist").read_bytes())
        values["Common"]["ExerciseSeconds"] = seconds
        self.configuration.write_bytes(plistlib.dumps(values))


class HIITFitTests(BrowserTest):
    program_type = TimedProgram

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

    def test_a_double_click_on_a_rating_selects_no_text(self):
        self.open_window(first=True)
        self.tab("Squat")
        ActionChains(self.browser).double_click(self.find("[aria-label='Rate 5 of 5']")).perform()
        self.assertEventually(lambda: self.rating() == 5, "it is rated")
        self.assertEqual(self.browser.execute_script("return String(getSelection())"), "")

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
        self.finish()
        self.assertEventually(lambda: self.selected_tab() == "Step Up", "the next exercise")
        self.tab("Sun Salute")
        self.finish()
        self.assertEventually(lambda: self.selected_tab() == "Welcome", "the last one is done")
        self.assertEqual(self.history(), ["Sun Salute", "Squat"])

        # A file for each day, which a person can read.
        path = next(Path(self.directory, "Documents").glob("*.workouts"))
        self.assertEqual([entry["exercise"] for entry in json.loads(path.read_text())["entries"]],
                         ["Squat", "Sun Salute"])
        self.app.kill()
        self.app.start()
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")
        self.tab("Burpee")
        self.finish()
        self.assertEventually(lambda: self.selected_tab() == "Sun Salute", "the next exercise")
        self.app.kill()
        self.app.start()
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")
        self.tab("Welcome")
        self.assertEventually(
            lambda: self.history() == ["Burpee", "Sun Salute", "Squat"], "the history is whole")

    def press(self, text):
        eventually(lambda: self.button(text).click() or True, f"{text} is pressed")

    def button(self, text):
        return self.browser.find_element(
            By.XPATH, f"//main//*[not(ancestor::dialog)]/button[contains(., '{text}')]")

    def finish(self):
        self.press("Start")
        eventually(lambda: self.button("Done").is_enabled(), "the time is up")
        self.press("Done")

    def history(self):
        """What the history lists, once its sheet is opened, unless it is, and closed again."""
        if not self.browser.find_elements(By.TAG_NAME, "dialog"):
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
        press(Keys.TAB)
        self.assertEqual(focused().text, "Start")
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

    def focused(self):
        return self.browser.switch_to.active_element

    def view(self):
        """The name of the view that has the focus as a whole."""
        return self.browser.execute_script("""
            const view = document.activeElement
            return view.role === "tabpanel" && document.getElementById(view.getAttribute("aria-labelledby")).innerText""")

    def comes_back(self):
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")

    def restart(self):
        self.app.kill()
        self.app.start()
        self.comes_back()

    def timer(self):
        found = self.browser.find_elements(By.CSS_SELECTOR, "[role=timer]")
        return found[0].text if found else None

    def test_a_timer_earns_done_through_kill_9_and_a_reload(self):
        self.app.set_seconds(12)
        self.open_window(first=True)
        self.tab("Squat")
        self.assertEventually(lambda: "0:12" in self.find(".panel").text, "the exercise's seconds")
        self.assertFalse(self.button("Done").is_enabled())
        self.press("Start")
        self.assertEventually(lambda: re.fullmatch(r"0:(12|11|10)", self.timer()), "it counts")

        # By itself, without a message.
        self.browser.execute_script("""
            window.messages = 0
            const original = receive
            receive = message => { messages += !!(message.elements ?? message.patches); original(message) }""")
        seen = self.timer()
        self.assertEventually(lambda: self.timer() < seen, "it counts down")
        self.assertEqual(self.browser.execute_script("return messages"), 0)

        self.app.kill()
        self.assertEventually(lambda: self.find("#notice").is_displayed(), "the page waits")
        self.app.start()
        self.comes_back()
        self.assertFalse(self.button("Done").is_enabled())
        seen = self.timer()
        self.browser.refresh()
        self.assertEventually(lambda: self.timer() <= seen, "it goes on")
        self.assertEventually(lambda: self.button("Done").is_enabled(), "the time is up")
        self.assertIn("Time is up", self.find(".panel").text)

        # What is over is over after a restart, too.
        self.restart()
        self.assertTrue(self.button("Done").is_enabled())
        self.press("Done")
        self.assertEventually(lambda: self.selected_tab() == "Step Up", "the next exercise")
        self.assertFalse(self.button("Done").is_enabled())
        self.tab("Squat")
        self.assertFalse(self.button("Done").is_enabled())

    def test_each_window_has_its_own_timer_which_can_be_stopped(self):
        self.app.set_seconds(600)
        first = self.open_window(first=True)
        self.tab("Burpee")
        self.assertEventually(lambda: "10:00" in self.find(".panel").text, "the exercise's time")
        self.press("Start")
        self.assertEventually(self.timer, "it runs")
        self.open_window()
        self.tab("Burpee")
        self.assertIsNone(self.timer())
        self.show(first)
        self.tab("Squat")
        self.assertIsNone(self.timer())
        self.tab("Burpee")
        self.assertIsNotNone(self.timer())
        self.press("Stop")
        self.assertEventually(lambda: not self.timer(), "it is stopped")
        # The second click of a double click does not take the first back.
        time.sleep(0.6)
        ActionChains(self.browser, duration=0).double_click(self.button("Start")).perform()
        self.assertEventually(self.timer, "it runs")
        time.sleep(0.6)
        self.assertIsNotNone(self.timer())
        ActionChains(self.browser, duration=0).double_click(self.button("Stop")).perform()
        self.assertEventually(lambda: not self.timer(), "it is stopped")
        time.sleep(0.6)
        self.assertIsNone(self.timer())
        self.restart()
        self.assertIsNone(self.timer())
        self.assertEqual(self.button("Start").text, "Start")

    def test_a_rating_is_cleared_by_the_same_tap(self):
        self.open_window(first=True)
        self.tab("Step Up")
        self.rate(3)
        self.tap("[aria-label='Rate 3 of 5']")
        self.assertEventually(lambda: self.rating() == 0, "it is cleared")
        self.assertEventually(lambda: self.kept_ratings() == "0000", "the file knows")
        self.restart()
        self.assertEqual(self.rating(), 0)
        # A double click is not two taps, whose second would take back what the first has set.
        star = self.find("[aria-label='Rate 4 of 5']")
        ActionChains(self.browser, duration=0).double_click(star).perform()
        self.assertEventually(lambda: self.rating() == 4, "it is set")
        self.assertEventually(lambda: self.browser.execute_script("return !pending.length"), "the app knows")
        self.assertEqual(self.rating(), 4)
        star.send_keys(Keys.ENTER)
        self.assertEventually(lambda: self.rating() == 0, "the keyboard clears it")

    def write_day(self, name, exercises):
        """A day of the history, with an exercise each minute from noon."""
        documents = Path(self.directory, "Documents")
        documents.mkdir(parents=True, exist_ok=True)
        Path(documents, f"{name}.workouts").write_text(json.dumps({"id": name, "entries": [
            {"id": f"00000000-0000-0000-0000-{index:012}", "exercise": exercise,
             "date": f"{name}T12:{index:02}:00Z"} for index, exercise in enumerate(exercises)]}))

    def test_what_is_removed_from_the_history_stays_away_and_what_is_brought_back_stays(self):
        self.app.kill()
        self.write_day("2026-01-05", ["Squat", "Step Up", "Burpee"])
        self.write_day("2026-01-04", ["Sun Salute"])
        self.app.start()
        self.open_window(first=True)
        self.assertEventually(
            lambda: self.history() == ["Burpee", "Step Up", "Squat", "Sun Salute"], "the history")

        self.press("History")
        self.tap("dialog [aria-label^='Remove Step Up']")
        self.assertEventually(
            lambda: self.focused().get_attribute("aria-label").startswith("Remove Squat"), "the next has the focus")
        # A key that is held removes one, and presses nothing that the keyboard goes to next.
        for is_repeated in [False] + 8 * [True]:
            self.browser.execute_cdp_cmd("Input.dispatchKeyEvent", {
                "type": "keyDown", "key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13,
                "autoRepeat": is_repeated})
            time.sleep(.1)
        self.browser.execute_cdp_cmd("Input.dispatchKeyEvent", {
            "type": "keyUp", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13})
        self.assertEventually(lambda: "Squat removed" in self.find("dialog").text, "it is gone")
        self.tap("dialog [aria-label^='Remove Sun Salute']")
        self.assertEventually(
            lambda: "4 January" not in self.find("dialog").text, "a day without entries is gone")
        self.restart()
        self.assertEventually(lambda: self.history() == ["Burpee"], "gone after kill -9")

        self.press("History")
        self.tap("dialog [aria-label^='Remove Burpee']")
        self.assertEventually(lambda: "Nothing yet" in self.find("dialog").text, "nothing is left")
        self.browser.find_element(By.XPATH, "//dialog//button[contains(., 'Undo')]").click()
        self.assertEventually(lambda: "5 January" in self.find("dialog").text, "the day is back")
        self.restart()
        self.assertEventually(lambda: self.history() == ["Burpee"], "back after kill -9")

    def test_back_leaves_the_history_and_not_the_app(self):
        self.open_window(first=True)
        self.press("History")
        self.find("dialog")
        self.browser.back()
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "the history is closed")
        self.assertEqual(self.selected_tab(), "Welcome")
        self.press("History")
        self.find("dialog")
        eventually(lambda: self.browser.find_element(By.XPATH, "//dialog//button[. = 'Done']").click() or True, "Done")
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog")
                              and not self.browser.execute_script("return history.state?.isDeep"), "nothing is left to leave")

    def test_the_welcome_is_centered_where_it_wraps(self):
        self.open_window(first=True)
        self.show_as("light", 320, 640)
        self.assertEqual(self.browser.execute_script("""
            return [...document.querySelectorAll(".panel span")].filter(node => node.getClientRects().length)
              .map(node => getComputedStyle(node).textAlign).filter(align => align !== "center")"""), [])

    def test_done_stays_in_view_in_a_long_history(self):
        self.app.kill()
        self.write_day("2026-01-05", EXERCISES * 15)
        self.app.start()
        self.open_window(first=True)
        self.assertEventually(lambda: len(self.history()) == 60, "the history is read")
        self.press("History")
        hit = eventually(lambda: self.browser.execute_script("""
            const dialog = document.querySelector("dialog")
            dialog.scrollTo(0, dialog.scrollHeight)
            const done = [...dialog.querySelectorAll("button")].find(node => node.innerText === "Done")
            const { x, y, width, height } = done.getBoundingClientRect()
            const hit = document.elementFromPoint(x + width / 2, y + height / 2)
            return dialog.scrollTop > 500 && done.contains(hit)"""), "Done is there at the end")
        self.assertTrue(hit)
        above = self.browser.execute_script("""
            const bar = document.querySelector("dialog .toolbar").getBoundingClientRect()
            return bar.top - document.querySelector("dialog").getBoundingClientRect().top""")
        self.assertEqual(above, 0, "No strip of the list is above the bar.")

    def test_a_long_history_is_where_it_was_after_kill_9(self):
        self.app.kill()
        for day in range(1, 29):
            self.write_day(f"2026-01-{day:02}", EXERCISES * 2)
        self.app.start()
        self.open_window(first=True)
        self.press("History")
        self.find("dialog")
        for _ in range(3):
            self.browser.execute_script("""
                const dialog = document.querySelector("dialog")
                dialog.querySelectorAll("[aria-label^=Remove]")[100].focus()
                window.least = Infinity
                window.watch?.disconnect()
                window.watch = new MutationObserver(() => {
                  least = Math.min(least, dialog.isConnected ? dialog.querySelectorAll("[aria-label^=Remove]").length : 0)
                })
                watch.observe(root, { childList: true, subtree: true })""")
            before = self.browser.execute_script(
                "return [document.querySelector('dialog').scrollTop, document.activeElement.id]")
            self.assertGreater(before[0], 1000)
            self.restart()
            self.assertEqual(self.browser.execute_script(
                "return [document.querySelector('dialog').scrollTop, document.activeElement.id]"), before)
            # The first that the page is told is the whole list.
            self.assertGreaterEqual(self.browser.execute_script("return least") or 9999, 224)

    def test_the_days_of_the_chart_are_in_one_line_on_a_narrow_phone(self):
        self.app.kill()
        self.write_day("2026-01-05", EXERCISES)
        self.app.start()
        self.open_window(first=True)
        self.show_as("light", 320, 700)
        self.press("History")
        self.find("dialog")
        heights = self.browser.execute_script("""
            return [...document.querySelectorAll("[aria-label='Exercises of the last days'] > *")].map(day =>
              day.lastElementChild.getClientRects().length > 1 ? 99 : day.lastElementChild.getBoundingClientRect().height)""")
        self.assertEqual(len(heights), 7)
        self.assertLess(max(heights), 30, heights)

    def test_large_letters_and_narrow_phones_cut_nothing_off(self):
        self.app.kill()
        today = datetime.date.today()
        for days in range(3):
            self.write_day(str(today - datetime.timedelta(days)), (EXERCISES * 3)[:12 - days])
        self.app.start()
        self.open_window(first=True)
        for width, height, letters in [(320, 640, 16), (390, 844, 24), (390, 844, 32)]:
            self.show_as("light", width, height)
            for name in ["Welcome", "Squat"]:
                self.tab(name)
                self.assertFits(name, letters)
            self.press("Start")
            eventually(lambda: self.button("Done").is_enabled(), "the time is up")
            self.assertFits("Time is up", letters)
            self.tab("Welcome")
            self.press("History")
            self.find("dialog [aria-label^='Remove']").send_keys(Keys.ENTER)
            self.assertEventually(lambda: "Undo" in self.find("dialog").text, "it is removed")
            self.assertFits("History", letters)
            bars = self.browser.execute_script("""
                return [...document.querySelectorAll("[aria-label='Exercises of the last days'] > *")].map(day =>
                  day.children[1].getBoundingClientRect().bottom)""")
            self.assertEqual(len(bars), 7)
            self.assertLess(max(bars) - min(bars), 1, "The bars line up.")
            self.press_in_sheet("Undo")
            self.press_in_sheet("Done")
            self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "it is closed")

    def test_the_focus_is_back_where_it_was_once_a_message_was_read(self):
        self.open_window(first=True)
        self.tab("Squat")
        self.rate(3)
        before = self.focused().get_attribute("aria-label")
        self.assertEqual(before, "Rate 3 of 5")
        self.browser.execute_script("say('lost', 'Something was lost.', { OK: () => {} })")
        self.find("#notice button").click()
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it goes")
        self.assertEqual(self.focused().get_attribute("aria-label"), before)

    def test_the_edge_of_the_window_is_as_dark_as_the_page_while_a_sheet_is_open(self):
        self.open_window(first=True)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "light"}, {"name": "prefers-reduced-motion", "value": "reduce"}]})
        # The page at its left edge, and where a scroll bar is, or its room.
        brightness = lambda: self.browser.execute_async_script("""
            const [image, done] = arguments
            createImageBitmap(new Blob([Uint8Array.from(atob(image), letter => letter.charCodeAt(0))])).then(bitmap => {
              const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext("2d")
              context.drawImage(bitmap, 0, 0)
              const { width, height } = bitmap
              done([[3, height / 2], [width - 8, 30], [width - 8, height / 2], [width - 8, height - 30]].map(point =>
                context.getImageData(...point, 1, 1).data.slice(0, 3).reduce((sum, part) => sum + part / 3, 0)))
            })""", self.browser.get_screenshot_as_base64())
        places = lambda: self.browser.execute_script("""
            return [document.body.clientWidth, scrollY,
              ...[...document.querySelectorAll("[role=tab]")].map(tab => tab.getBoundingClientRect().x)]""")
        for height in [760, 400]:
            self.browser.set_window_size(900, height)
            can_scroll = height == 400
            self.assertEventually(lambda: self.browser.execute_script(
                "return document.documentElement.scrollHeight > innerHeight") == can_scroll, height)
            self.browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", self.button("History"))
            before = places()
            self.assertLess(before[0], 900, "There is room for a scroll bar.")
            self.assertEqual(before[1] > 0, can_scroll)
            self.press("History")
            self.find("dialog")
            self.assertEqual(places(), before)
            page, *edge = brightness()
            self.assertLess(page, 150)
            for place in edge:
                self.assertAlmostEqual(place, page, delta=4)
            self.find("dialog button").send_keys(Keys.ESCAPE)
            self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
            self.assertGreater(brightness()[0], 200)
            self.assertEqual(places(), before)

    def test_the_focus_goes_on_with_the_view(self):
        self.open_window(first=True)
        self.button("Get Started").send_keys(Keys.ENTER)
        self.assertEventually(lambda: self.view() == "Squat", "the exercise has the focus")
        self.focused().send_keys(Keys.TAB)
        self.assertEqual(self.focused().text, "Start")
        self.focused().send_keys(Keys.ENTER)
        self.assertEventually(lambda: self.button("Done").is_enabled(), "the time is up")
        self.assertEqual(self.focused().text, "Start Again")
        self.focused().send_keys(Keys.TAB)
        self.assertEqual(self.focused().text, "Done")
        self.focused().send_keys(Keys.ENTER)
        self.assertEventually(lambda: self.view() == "Step Up", "the next exercise has the focus")

        self.tab("Welcome")
        for close in [Keys.ENTER, Keys.ESCAPE]:
            self.button("History").send_keys(Keys.ENTER)
            self.assertEventually(lambda: self.focused().text == "Done", "the sheet has the focus")
            self.focused().send_keys(close)
            self.assertEventually(lambda: self.focused().text == "History", "what opened it")

    def test_the_focus_stays_through_kill_9(self):
        self.open_window(first=True)
        # Tabs that were seen count in the names of elements, and the next run has not seen them.
        for exercise in EXERCISES:
            self.tab(exercise)
        self.rate(3)
        self.restart()
        self.assertEventually(
            lambda: self.focused().get_attribute("aria-label") == "Rate 3 of 5", "the same control")
        self.tab("Welcome")
        self.press("History")
        self.assertEventually(lambda: self.focused().text == "Done", "the sheet has the focus")
        # It is open again, and is left to where it was opened.
        self.restart()
        self.assertEqual(self.find("dialog [role=heading]").text, "History")
        self.assertEqual(self.focused().text, "Done")
        self.focused().send_keys(Keys.ENTER)
        self.assertEventually(
            lambda: self.view() == "Welcome" or self.focused().text == "History",
            "the view that is left, or what opened the sheet")

    def test_the_tabs_fit_on_a_phone(self):
        self.open_window(first=True)
        self.show_as("light", 360, 740)
        tabs = self.browser.execute_script("""
            return [...document.querySelectorAll("[role=tab]")].map(tab => {
              const { left, right, top } = tab.getBoundingClientRect()
              return { name: tab.innerText, left, right, top, hasSymbol: !!tab.querySelector("svg"),
                       isWhole: tab.scrollWidth <= tab.clientWidth && tab.scrollHeight <= tab.clientHeight }
            })""")
        self.assertEqual([tab["name"] for tab in tabs], ["Welcome", *EXERCISES])
        self.assertEqual(len({tab["top"] for tab in tabs}), 1, "They are in one row.")
        for tab in tabs:
            self.assertTrue(tab["hasSymbol"] and tab["isWhole"], tab)
            self.assertTrue(0 <= tab["left"] and tab["right"] <= 360, tab)

    def test_every_view_is_accessible_on_every_screen(self):
        self.app.kill()
        self.write_day("2026-01-05", EXERCISES)
        self.app.start()
        self.open_window(first=True)
        for screen in self.screens():
            for name in ["Welcome", *EXERCISES]:
                self.tab(name)
                self.assertEqual(self.browser.title, "HIITFit" if name == "Welcome" else name)
                self.assertAccessible((name, screen))
            self.press("Start")
            eventually(lambda: self.button("Done").is_enabled(), "the time is up")
            self.assertAccessible(("Time is up", screen))
            self.press("Start Again")
            self.assertAccessible(("a timer", screen))
            self.tab("Welcome")
            self.press("History")
            self.tap("dialog [aria-label^='Remove']")
            self.assertEventually(lambda: "Undo" in self.find("dialog").text, "it is removed")
            self.assertAccessible(("History", screen))
            self.press_in_sheet("Undo")
            self.assertEventually(lambda: "Undo" not in self.find("dialog").text, "it is back")
            self.press_in_sheet("Done")
            self.assertEventually(
                lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "it is closed")
        self.app.kill()
        eventually(lambda: self.find("#notice").is_displayed(), "the page waits")
        self.assertAccessible("the app has ended")

    def press_in_sheet(self, text):
        eventually(lambda: self.browser.find_element(
            By.XPATH, f"//dialog//button[contains(., '{text}')]").click() or True, text)

    def test_barriers_are_found(self):
        self.open_window(first=True)
        self.assertAccessible("Welcome")
        for change, barrier in [
            ("document.querySelector('.panel').style.color = 'var(--line)'", "color-contrast"),
            ("document.querySelector('.panel button').replaceChildren()", "button-name"),
            ("document.querySelector('[role=heading]').removeAttribute('aria-level')", "aria-required"),
            ("document.querySelector('.panel').style.width = '2000px'", "too wide"),
        ]:
            self.browser.execute_script(change)
            self.assertTrue([found for found in self.barriers() if barrier in found], barrier)

    def test_the_printed_folder_is_the_one_that_is_used(self):
        self.check_printed_folder()

    def check_printed_folder(self):
        self.open_window(first=True)
        line = eventually(
            lambda: next(line for line in self.app.printed if "file://" in line), "it is printed")
        folder = Path(re.search(r"file://([^\]]*)", line).group(1))
        self.assertEqual(list(folder.glob("*.workouts")), [])
        self.tab("Squat")
        self.finish()
        self.assertEventually(lambda: list(folder.glob("*.workouts")), "the day is there")
        self.assertTrue(folder.is_relative_to(self.directory))

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


class SimultaneousStartTests(unittest.TestCase):
    def test_two_that_start_at_the_same_moment_say_one_address_that_works(self):
        for round in range(8):
            with tempfile.TemporaryDirectory(prefix="stage-browser-") as directory:
                command = [programs() / "HIITFit", "--root", directory, "--port", str(free_port())]
                both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
                try:
                    addresses = [next(found.group() for line in one.stdout if (found := re.search(r"http://\S+", line)))
                                 for one in both]
                    self.assertEqual(*addresses, f"round {round}")
                    address, token = addresses[0].split("#")
                    request = urllib.request.Request(f"{address}access", method="POST", headers={
                        "Authorization": f"Bearer {token}", "Origin": address.rstrip("/")})
                    self.assertLess(urllib.request.urlopen(request).status, 300)
                finally:
                    for one in both:
                        one.kill()
                        one.wait()
                        one.stdout.close()


class HomeProgram(TimedProgram):
    """HIITFit as it is started without `--root`, by a user with an empty home directory."""

    def command(self):
        return ["env", "-u", "XDG_DATA_HOME", "-u", "XDG_CONFIG_HOME", "-u", "XDG_STATE_HOME",
                f"HOME={self.directory}", programs() / self.name, "--port", str(self.port),
                *self.options]


class HomeTests(BrowserTest):
    program_type = HomeProgram
    tab, selected_tab = HIITFitTests.tab, HIITFitTests.selected_tab
    press, button, finish = HIITFitTests.press, HIITFitTests.button, HIITFitTests.finish
    check_printed_folder = HIITFitTests.check_printed_folder

    def test_the_printed_folder_is_the_one_that_is_used(self):
        self.check_printed_folder()


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
