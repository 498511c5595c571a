"""Looks at HIITFit and Cards through the console in a real browser.

Run it with: python3 Examples/BrowserTests/test_console.py (see browser.py for what it needs)
"""

import http.server
import os
import plistlib
import re
import shutil
import subprocess
import threading
import time
import unittest
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import BrowserTest, PACKAGE, Program, eventually
from test_cards import CardsTest, png
from test_hiitfit import QuietHandler


class WatchedProgram(Program):
    """A running example that shows its console."""

    variables = {}

    def start(self):
        self.process = subprocess.Popen(
            self.command(), stdout=subprocess.PIPE, text=True,
            env={**os.environ, "KEEPSAKE_CONSOLE": "1", **self.variables})
        self.address = self.console = None
        while not (self.address and self.console):
            line = self.process.stdout.readline()
            address = re.search(r"http://\S+", line)
            if address and "console" in line:
                self.console = address.group()
            elif address:
                self.address = address.group()
        threading.Thread(target=self.process.stdout.read, daemon=True).start()


class ConsoleTest(BrowserTest):
    program_type = WatchedProgram

    def open_console(self, first=False):
        if not first:
            self.browser.switch_to.new_window("window")
        self.visit(self.app.console)
        self.find("#state.live")
        return self.browser.current_window_handle

    def value(self, name):
        return self.find(f"input[aria-label='{name}']")

    def type(self, name, text):
        field = self.value(name)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text + Keys.ENTER)

    def has(self, name, text):
        self.assertEventually(
            lambda: self.value(name).get_attribute("value") == text, f"{name} is {text}")


class HIITFitConsoleTests(ConsoleTest):
    def rating(self):
        return len(self.browser.find_elements(
            By.CSS_SELECTOR, "[aria-label^='Rate '][aria-pressed=true]"))

    def open_both(self):
        app = self.open_window(first=True)
        eventually(lambda: self.browser.find_element(
            By.XPATH, "//button[@role='tab'][contains(., 'Squat')]").click() or True, "Squat")
        self.tap("[aria-label='Rate 3 of 5']")
        self.assertEventually(lambda: self.rating() == 3, "it is rated")
        return app, self.open_console()

    def test_app_and_console_follow_each_other(self):
        app, console = self.open_both()
        self.has("ratings", "3000")
        self.show(app)
        self.tap("[aria-label='Rate 5 of 5']")
        self.show(console)
        self.has("ratings", "5000")
        self.assertEventually(lambda: "5000" in self.find("#log").text, "the change is listed")
        self.find("#chart rect")
        self.type("ratings", "1000")
        self.show(app)
        self.assertEventually(lambda: self.rating() == 1, "the app follows")
        self.show(console)
        self.assertFalse(self.browser.get_log("browser"))

    def test_an_edit_is_undone(self):
        app, console = self.open_both()
        self.has("ratings", "3000")
        self.assertFalse(self.find("#undo").is_enabled())
        self.type("ratings", "2000")
        self.assertEventually(lambda: self.find("#undo").is_enabled(), "it can be undone")
        self.find("body").send_keys(Keys.CONTROL, "z")
        self.has("ratings", "3000")
        self.assertEventually(lambda: not self.find("#undo").is_enabled(), "no more to undo")

    def test_a_value_of_another_type_is_refused(self):
        self.open_console(first=True)
        self.find("#add-name").send_keys("goal")
        self.find("#add-type option:nth-child(2)").click()
        self.find("#add-text").send_keys("5" + Keys.ENTER)
        self.has("goal", "5")
        self.type("goal", "five")
        self.assertEventually(
            lambda: "not of the type integer" in self.find("#refusal").text, "the refusal is shown")
        self.has("goal", "5")

    def test_a_refusal_disappears_with_the_next_change(self):
        app, _ = self.open_both()
        self.has("ratings", "3000")
        self.find("#add-name").send_keys("goal")
        self.find("#add-type option:nth-child(2)").click()
        self.find("#add-text").send_keys("5" + Keys.ENTER)
        self.has("goal", "5")
        self.type("goal", "five")
        self.assertEventually(lambda: self.find("#refusal").is_displayed(), "it is refused")
        console = self.browser.current_window_handle
        self.show(app)
        self.tap("[aria-label='Rate 2 of 5']")
        self.show(console)
        self.has("ratings", "2000")
        self.assertEventually(lambda: not self.find("#refusal").is_displayed(), "it is gone")

    def preferences(self):
        return Path(self.directory, "Library/Preferences/com.example.HIITFit.plist")

    def restart(self, **values):
        """Kills the app, changes its settings as another program does, and starts it again."""
        self.app.kill()
        path = self.preferences()
        kept = plistlib.loads(path.read_bytes()) if path.exists() else {}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(plistlib.dumps({**kept, **values}))
        self.app.start()

    def test_the_page_finds_the_app_again_after_a_restart(self):
        self.open_both()
        self.has("ratings", "3000")
        address = self.app.console
        self.app.kill()
        self.assertEventually(lambda: "waiting" in self.find("#state").text, "the app has gone")
        self.app.start()
        self.assertEqual(self.app.console, address)
        self.find("#state.live")
        self.restart(ratings="4000", goal=7)
        self.has("goal", "7")
        self.has("ratings", "4000")
        self.type("goal", "8")
        self.assertEventually(
            lambda: plistlib.loads(self.preferences().read_bytes()).get("goal") == 8
            or b"8" in self.kept(), "the change is kept")
        self.restart()
        self.has("goal", "8")

    def kept(self):
        return b"".join(path.read_bytes() for path in self.preferences().parent.iterdir())

    def row(self, name):
        return eventually(lambda: next(
            row for row in self.browser.find_elements(By.CSS_SELECTOR, ".row")
            if row.find_element(By.CSS_SELECTOR, ".name").text == name), name)

    def test_long_and_strange_values_are_shown_safely_and_in_full_on_request(self):
        values = {"lines": "one\ntwo", "long": "x" * 3000, "reversed": "abc\u202edef",
                  "name\u202e": "1", "plain": "\u05e9\u05dc\u05d5\u05dd"}
        self.restart(**values)
        self.open_console(first=True)
        self.has("plain", values["plain"])
        output = lambda name: self.row(name).find_element(By.CSS_SELECTOR, "output").text
        self.assertEqual(output("lines"), "one\\ntwo")
        self.assertEqual(output("long"), "x" * 200 + "…")
        self.assertEqual(output("reversed"), "abc\\u{202e}def")
        self.row("name\\u{202e}")
        for name in ["lines", "long", "reversed"]:
            self.row(name).find_element(By.XPATH, ".//button[text()='Show']").click()
        field = lambda name: self.row(name).find_element(By.CSS_SELECTOR, "textarea")
        self.assertEventually(
            lambda: field("long").get_attribute("value") == values["long"], "all of it")
        self.assertEventually(
            lambda: field("lines").get_attribute("value") == "one\ntwo", "the lines")
        # What could not be typed as it is cannot be changed here.
        self.assertEventually(lambda: self.row("reversed").find_element(
            By.CSS_SELECTOR, "pre").text == "abc\\u{202e}def", "the mark is seen")
        field("lines").send_keys("\nthree" + Keys.TAB)
        self.assertEventually(lambda: output("lines") == "one\\ntwo\\nthree", "it is changed")
        self.assertEventually(
            lambda: b"one\ntwo\nthree" in self.kept(), "it is kept with its lines")

    def test_the_keyboard_is_enough(self):
        self.open_both()
        self.has("ratings", "3000")
        self.find("body").send_keys("/")
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("id"), "search")
        self.browser.switch_to.active_element.send_keys("nothing like this")
        self.assertEventually(lambda: "Nothing" in self.find("#values").text, "nothing matches")
        self.browser.switch_to.active_element.send_keys(Keys.CONTROL, "a")
        self.browser.switch_to.active_element.send_keys("ratings")
        self.assertEventually(
            lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".row")) == 1, "one matches")
        for _ in range(9):
            self.browser.switch_to.active_element.send_keys(Keys.TAB)
            if self.browser.switch_to.active_element.get_attribute("aria-label") == "ratings":
                break
        self.browser.switch_to.active_element.send_keys(Keys.CONTROL, "a")
        self.browser.switch_to.active_element.send_keys("4000" + Keys.ENTER)
        self.has("ratings", "4000")

    def test_names_and_values_are_never_markup(self):
        self.open_console(first=True)
        hostile = "<img src=x onerror=document.title='taken'>"
        self.find("#add-name").send_keys(hostile)
        self.find("#add-text").send_keys(hostile + Keys.ENTER)
        self.assertEventually(lambda: hostile in self.find("#values").text, "it is shown as it is")
        time.sleep(0.3)
        self.assertNotEqual(self.browser.title, "taken")
        self.assertFalse(self.browser.find_elements(By.CSS_SELECTOR, "main img"))

    def test_other_pages_are_refused(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), QuietHandler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        authority, token = re.match(r"http://(.*)/#(.*)", self.app.console).groups()
        script = """
          const [address, token, done] = arguments
          const socket = new WebSocket(address, ["keepsake", "bearer." + token])
          socket.onopen = () => done("open")
          socket.onerror = () => done("refused")
        """
        address = f"ws://{authority}/socket"
        self.browser.get(f"http://127.0.0.1:{server.server_port}/")
        self.assertEqual(self.browser.execute_async_script(script, address, token), "refused")
        self.browser.get(f"http://{authority}/")
        self.assertEqual(self.browser.execute_async_script(script, address, ""), "refused")
        self.assertEqual(self.browser.execute_async_script(script, address, "0" * 64), "refused")
        self.assertEqual(self.browser.execute_async_script(script, address, token), "open")
        # A name that was made to point here (DNS rebinding) shows nothing, whatever it knows.
        port = authority.split(":")[1]
        self.browser.get(f"http://rebound.test:{port}/")
        self.assertIn("403", self.find("body").text)
        self.browser.get(f"http://rebound.test:{server.server_port}/")
        rebound = f"ws://rebound.test:{port}/socket"
        self.assertEqual(self.browser.execute_async_script(script, rebound, token), "refused")
        # The token is in no address that anyone is sent.
        self.open_console(first=True)
        self.assertNotIn(token, self.browser.current_url)


class ConfiguredProgram(WatchedProgram):
    """A running example whose configuration is a file of its own, and whose environment has a value."""

    variables = {"WELCOME_TEXT": "by the environment"}

    def command(self):
        self.file = Path(self.directory) / "config.plist"
        if not self.file.exists():
            shutil.copy(PACKAGE / "Sources" / self.name / "config.plist", self.file)
        return super().command() + ["--config", self.file, "--config-environment", "Local"]


class ConfigurationConsoleTests(ConsoleTest):
    program_type = ConfiguredProgram

    def row(self, name):
        """What a key's row says of where its value comes from."""
        return self.value(name).find_element(By.XPATH, "./..").find_element(
            By.CSS_SELECTOR, ".kind").text

    def comes_from(self, name, layer):
        self.assertEventually(lambda: layer in self.row(name), f"{name} comes from {layer}")

    def app_says(self, text):
        self.assertEventually(
            lambda: text in self.find("main").text, f"the app says {text}")

    def test_each_value_is_shown_with_the_layer_that_won(self):
        self.open_console(first=True)
        self.has("WelcomeTitle", "Get fit (local)")
        self.comes_from("WelcomeTitle", "section 'Local'")
        self.has("HistoryDays", "3")
        self.comes_from("HistoryDays", "section 'Local'")
        self.has("WelcomeText", "by the environment")
        self.comes_from("WelcomeText", "environment variables")
        self.assertIn("LOCAL", self.find("#values").text.upper())
        self.assertTrue(self.browser.execute_script(
            "return [...document.querySelectorAll('.row input')].every(i => i.scrollWidth <= i.clientWidth)"),
            "every value has room")
        self.tap("[aria-label='Show WelcomeTitle']")
        shown = eventually(lambda: self.find(".row pre:not([hidden])").text, "all layers are shown")
        self.assertIn("→ section 'Local': Get fit (local)", shown)
        self.assertIn("section 'Common': Get fit", shown)

    def test_an_override_acts_at_once_until_it_is_removed(self):
        app = self.open_window(first=True)
        self.app_says("Get fit (local)")
        console = self.open_console()
        self.has("WelcomeTitle", "Get fit (local)")
        self.type("WelcomeTitle", "Up and about")
        self.comes_from("WelcomeTitle", "overrides")
        self.show(app)
        self.app_says("Up and about")
        # What was overridden stays so in the next run.
        self.app.kill()
        self.app.start()
        self.open_window()
        self.app_says("Up and about")
        app = self.browser.current_window_handle
        self.show(console)
        self.open_console(first=True)
        self.comes_from("WelcomeTitle", "overrides")
        self.tap("[aria-label='Remove WelcomeTitle']")
        self.has("WelcomeTitle", "Get fit (local)")
        self.comes_from("WelcomeTitle", "section 'Local'")
        self.show(app)
        self.app_says("Get fit (local)")

    def test_an_override_of_the_wrong_type_is_refused(self):
        self.open_console(first=True)
        self.has("HistoryDays", "3")
        self.type("HistoryDays", "a week")
        self.assertEventually(
            lambda: "expected Int" in self.find("#refusal").text, "the refusal is shown")
        self.assertIn("HistoryDays", self.find("#refusal").text)
        self.assertNotIn("a week", self.find("#refusal").text)
        self.has("HistoryDays", "3")
        self.comes_from("HistoryDays", "section 'Local'")
        self.type("HistoryDays", "5")
        self.comes_from("HistoryDays", "overrides")
        self.assertFalse(self.find("#refusal").is_displayed())

    def test_an_edit_of_the_file_is_seen_without_a_reload(self):
        app = self.open_window(first=True)
        self.app_says("Get fit (local)")
        self.open_console()
        self.has("WelcomeTitle", "Get fit (local)")
        self.browser.execute_script("window.isTheSamePage = true")
        text = self.app.file.read_text()
        self.app.file.write_text(text.replace("Get fit (local)", "Get going"))
        self.has("WelcomeTitle", "Get going")
        self.assertIn("Get going", self.find("#log").text)
        # A file in the middle of being written leaves what was there.
        self.app.file.write_text(text[:200])
        self.app.file.write_text(text.replace("Get fit (local)", "Get up"))
        self.has("WelcomeTitle", "Get up")
        self.assertTrue(self.browser.execute_script("return window.isTheSamePage"))
        self.show(app)
        self.app_says("Get up")
        self.assertFalse(self.browser.get_log("browser"))


class CardsConsoleTests(ConsoleTest, CardsTest):
    def test_documents_are_shown_as_they_change(self):
        app = self.open_window(first=True)
        console = self.open_console()
        self.show(app)
        self.add_card()
        card = eventually(lambda: next(self.documents.glob("*.rwcard")), "the card is kept")
        self.show(console)
        self.assertEventually(lambda: card.stem in self.find("#values").text, "it is listed")
        self.tap(f"[aria-label='Show {card.stem}']")
        self.assertEventually(
            lambda: "backgroundColor" in self.find(".row pre:not([hidden])").text, "its text is shown")
        self.show(app)
        self.add_text("Summer")
        self.show(console)
        self.assertEventually(lambda: "Summer" in self.find(".row pre:not([hidden])").text, "its text follows")
        card.unlink()
        self.assertEventually(
            lambda: not self.browser.find_elements(By.CSS_SELECTOR, f"[aria-label='Show {card.stem}']"),
            "it is not listed any more")

    def test_the_configuration_limits_images_at_once(self):
        app = self.open_window(first=True)
        console = self.open_console()
        self.has("LargestImageMegabytes", "16.0")
        self.has("ListTitle", "Cards")
        self.type("LargestImageMegabytes", "0.00001")
        self.find("[aria-label='Remove LargestImageMegabytes']")
        self.show(app)
        self.add_card()
        self.find("[data-upload]").send_keys(self.file("picture.png", png(60, 40)))
        self.assertEventually(lambda: "larger than" in self.find("main").text, "it is refused")

    def test_a_damaged_card_is_brought_back(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Summer")
        self.add_text("Winter")
        card = eventually(lambda: next(self.documents.glob("*.rwcard")), "the card is kept")
        self.assertEventually(lambda: "Winter" in card.read_text(), "all of it is kept")
        self.app.kill()
        card.write_text(card.read_text()[:40])
        os.utime(card, (time.time() - 60, time.time() - 60))
        self.app.start()
        self.open_window()
        self.open_console()
        recover = f"[aria-label^='Recover {card.stem}']"
        self.find(recover)
        self.assertIn("(line ", self.find("#values").text)
        self.tap(recover)
        self.assertEventually(lambda: "Summer" in card.read_text(), "the last version is back")


if __name__ == "__main__":
    unittest.main(verbosity=2)
