"""Uses Cards while it hangs, ends, comes back and refuses, in a real browser.

Run it with: python3 Examples/BrowserTests/test_connection.py (see browser.py for what it needs)
"""

import signal
import struct
import subprocess
import time
import unittest
import zlib
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import eventually, free_port
from test_cards import CardsTest, png


class ConnectionTests(CardsTest):
    def setUp(self):
        super().setUp()
        # One that is stopped could not be asked to end.
        self.addCleanup(lambda: self.app.process.poll() is None
                        and self.app.process.send_signal(signal.SIGCONT))

    def stop(self):
        self.app.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.app.process.send_signal(signal.SIGCONT)

    def line(self, key):
        """What the page says about something, or nothing."""
        return self.browser.execute_script(
            f"return document.querySelector('#notice [data-key={key}] span')?.textContent ?? ''")

    def says(self, key, text):
        self.assertEventually(lambda: text in self.line(key), f"{key}: {text}")

    def is_back(self):
        self.assertEventually(lambda: self.browser.execute_script(
            "return isOnline && !pending.length && !held.size"), "the app answers again")

    def kept_texts(self):
        return sorted(element["text"] for card in self.kept_cards().values()
                      for element in card["textElements"])

    def kept_offset(self):
        return self.kept_card()["textElements"][0]["transform"]["offset"]

    def begin_text(self, text):
        self.press("Text")
        eventually(lambda: self.find("dialog .field").send_keys(text) or True, "a field")
        self.is_back()

    def field(self):
        return self.find("dialog .field")

    def start_with_card(self, text=None):
        self.open_window(first=True)
        self.add_card()
        if text:
            self.add_text(text)

    def hold(self, element, x, y):
        ActionChains(self.browser, duration=40).move_to_element(element).click_and_hold() \
            .move_by_offset(x, y).perform()

    # The app hangs.

    def test_an_app_that_hangs_is_noticed_and_receives_everything_later(self):
        self.start_with_card("Here")
        self.begin_text("Be")
        self.stop()
        start = time.monotonic()
        self.says("connection", "does not answer")
        self.assertLess(time.monotonic() - start, 8)
        self.assertTrue(self.browser.execute_script(
            "return document.querySelector('dialog').contains(notice)"))
        self.field().send_keys("fore")
        # A button that would do nothing looks like that, and keeps the text.
        self.assertNotEqual(self.browser.execute_script(
            "return getComputedStyle(document.querySelector('dialog button:enabled')).filter"), "none")
        self.press("Add", "//dialog")
        self.assertEqual(self.field().get_attribute("value"), "Before")
        self.go_on()
        self.is_back()
        self.assertEqual(self.line("connection"), "")
        self.press("Add", "//dialog")
        self.assertEventually(lambda: self.kept_texts() == ["Before", "Here"], "it is kept once")

    def test_what_is_tapped_before_the_page_notices_is_done_once(self):
        self.start_with_card()
        self.begin_text("Once")
        self.stop()
        self.press("Add", "//dialog")
        self.says("connection", "does not answer")
        self.go_on()
        self.element("Text Once")
        self.is_back()
        # The same event again, as after a lost answer.
        self.browser.execute_script("""
            pending.push({ event: { kind: "input", id: "none", value: "", number: 1 }, name: "" })
            sent = 0; socket.close()""")
        self.is_back()
        self.assertEqual(self.kept_texts(), ["Once"])

    def test_an_event_is_performed_once_also_over_a_new_connection(self):
        self.open_window(first=True)
        self.find("[aria-label='Add a card']")
        # The answer is lost with the connection.
        self.browser.execute_script("""
            socket.onmessage = () => {}
            document.querySelector("[aria-label='Add a card']").click()""")
        self.assertEventually(lambda: len(self.kept_cards()) == 1, "it was performed")
        self.browser.execute_script("socket.close()")
        self.find(".board.large")
        self.is_back()
        self.assertEqual(len(self.kept_cards()), 1)

    # The app ends and is started again.

    def test_a_drag_goes_on_over_a_restart(self):
        self.start_with_card("Moved")
        element = self.element("Text Moved")
        before = self.place("Text Moved")
        self.hold(element, 30, 0)
        self.app.kill()
        self.says("connection", "not running")
        ActionChains(self.browser, duration=40).move_by_offset(30, 20).perform()
        self.app.start()
        self.assertEventually(lambda: self.browser.execute_script("return isOnline"), "it is back")
        ActionChains(self.browser, duration=40).move_by_offset(20, 20).release().perform()
        after = self.place("Text Moved")
        scale = self.browser.execute_script("""
            const board = document.querySelector(".board.large")
            return board.dataset.width / board.getBoundingClientRect().width""")
        self.assertAlmostEqual(after[2] - before[2], 80 * scale, delta=2 * scale)
        self.assertAlmostEqual(after[3] - before[3], 40 * scale, delta=2 * scale)
        self.is_back()
        self.assertEqual(self.place("Text Moved"), after)
        self.assertEventually(lambda: self.kept_offset() == after[2:4], "it is kept")

    def test_a_drag_that_ends_while_the_app_is_away_is_kept(self):
        self.start_with_card("Dropped")
        self.app.kill()
        self.says("connection", "not running")
        self.drag(self.element("Text Dropped"), 40, 60)
        dropped = self.place("Text Dropped")
        time.sleep(1)
        self.assertEqual(self.place("Text Dropped"), dropped)
        self.app.start()
        self.is_back()
        self.assertEqual(self.place("Text Dropped"), dropped)
        self.assertEventually(lambda: self.kept_offset() == dropped[2:4], "it is kept")

    def test_a_drag_that_the_app_heard_but_did_not_save_is_sent_again(self):
        self.start_with_card("Heard")
        self.drag(self.element("Text Heard"), 40, 60)
        dropped = self.place("Text Heard")
        self.is_back()
        self.app.kill()
        self.app.start()
        self.assertEventually(lambda: self.kept_offset() == dropped[2:4], "it is kept")
        self.is_back()
        self.assertEqual(self.place("Text Heard"), dropped)

    def test_the_chosen_element_is_chosen_after_a_restart(self):
        self.start_with_card("Other")
        self.add_text("Chosen")
        chosen = lambda: self.browser.execute_script("""
            const node = document.querySelector("[data-selected]"), frame = document.querySelector(".handles")
            return node && frame && handles.node === node && [node.getAttribute("aria-label"),
              ...["x", "y"].map(side => Math.abs(node.getBoundingClientRect()[side]
                - frame.getBoundingClientRect()[side]) < 1)]""")
        self.assertEventually(lambda: chosen() == ["Text Chosen", True, True], "it has its frame")
        self.is_back()
        for is_loaded_again in [False, True]:
            self.app.kill()
            self.says("connection", "not running")
            self.app.start()
            if is_loaded_again:
                self.browser.refresh()
            self.assertEventually(lambda: chosen() == ["Text Chosen", True, True], "it has its frame")
            self.assertTrue(self.browser.find_elements(By.XPATH, "//button[contains(., 'Remove')]"))
            self.is_back()
        # Not on another card, also on one with the same elements.
        self.tap("[title='Name, duplicate and save the card']")
        self.press("Duplicate", "//dialog")
        self.assertEventually(lambda: len(self.kept_cards()) == 2 and self.sheet_count() == 0, "the copy is shown")
        self.assertIsNone(chosen())

    def test_a_text_in_a_sheet_survives_the_app(self):
        self.start_with_card()
        self.begin_text("Half a sentence")
        self.assertEventually(lambda: self.browser.execute_script("return !pending.length"), "heard")
        self.app.kill()
        self.says("connection", "not running")
        self.field().send_keys(", and more")
        self.app.start()
        self.is_back()
        self.assertEqual(self.field().get_attribute("value"), "Half a sentence, and more")
        # Also when the page is loaded again, which still asks before it is lost.
        self.browser.refresh()
        self.assertEventually(
            lambda: self.field().get_attribute("value") == "Half a sentence, and more", "it is back")
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        self.assertEventually(self.asked, "it asks")
        self.answer("keep")
        self.assertEqual(self.line("draft"), "")
        self.press("Add", "//dialog")
        self.assertEventually(
            lambda: self.kept_texts() == ["Half a sentence, and more"], "it is kept")

    def restart(self):
        self.is_back()
        self.app.kill()
        self.says("connection", "not running")
        self.app.start()
        self.is_back()

    def test_an_open_sheet_is_open_after_a_restart_with_what_was_chosen_in_it(self):
        self.start_with_card()
        pressed = lambda: self.browser.execute_script("""
            return [...document.querySelectorAll("dialog [aria-pressed=true], dialog [aria-checked=true]")]
              .map(node => node.getAttribute("aria-label"))""")
        heading = lambda: self.find("dialog [role=heading]").text
        self.begin_text("New")
        for choice in ["Coral", "Serif", "Larger letters"]:
            self.tap(f"dialog [aria-label='{choice}']")
        self.assertEventually(lambda: pressed() == ["Coral", "Serif"] and "150" in self.find("dialog").text, "chosen")
        self.restart()
        self.assertEqual(heading(), "Add text")
        self.assertEqual(pressed(), ["Coral", "Serif"])
        self.press("Add", "//dialog")
        self.element("Text New")
        kept = self.kept_card()["textElements"][0]
        self.assertEqual([kept["textFont"], kept["fontSize"]], ["serif", 150])
        self.restart()
        self.assertEqual(self.sheet_count(), 0)

        # What is changed is the same element, and a new page has the sheet as well.
        self.press("Edit")
        self.tap("dialog [aria-label=Sky]")
        self.assertEventually(lambda: pressed() == ["Sky", "Serif"], "chosen")
        self.is_back()
        self.app.kill()
        self.app.start()
        self.browser.refresh()
        self.assertEventually(lambda: heading() == "Edit text" and pressed() == ["Sky", "Serif"], "it is open")
        self.press("Change", "//dialog")
        color = lambda: self.kept_card()["textElements"][0]["textColor"]
        self.assertEventually(lambda: color() != kept["textColor"], "it is changed")
        self.assertEqual(self.kept_card()["textElements"][0]["id"], kept["id"])

        self.add_image()
        for tool, name in [("Background", "Background"), ("Frame", "Frame"), ("New", "Card")]:
            self.press(tool)
            self.assertEventually(lambda: heading() == name, "it is open")
            if name == "Card":
                self.field().send_keys("My name")
            self.restart()
            self.assertEqual(heading(), name)
            self.press("Cancel" if name == "Frame" else "Done", "//dialog")
            self.assertEventually(lambda: self.sheet_count() == 0, "it is closed")
        self.assertEventually(lambda: self.kept_card().get("name") == "My name", "the name is kept")

    def test_a_tap_that_may_not_have_been_done_is_said(self):
        self.start_with_card()
        self.begin_text("Added?")
        self.is_back()
        self.stop()
        self.press("Add", "//dialog")
        self.app.kill()
        self.app.start()
        self.says("lost", "“Add”")
        self.assertEqual(self.field().get_attribute("value"), "Added?")

    def test_a_text_is_kept_when_its_sheet_is_taken_away(self):
        self.start_with_card("Shared")
        self.begin_text("Unfinished")
        own = self.browser.current_window_handle
        self.open_window()
        self.tap("[aria-label='Remove Shared']")
        self.assertEventually(lambda: self.kept_cards() == {}, "it is removed")
        self.show(own)
        self.says("draft", "Unfinished")

    def test_an_upload_that_is_cut_is_sent_again(self):
        self.start_with_card()
        # Larger than what the kernel receives for an app that hangs.
        rows = b"".join(b"\0" + bytes((x * y * 7919 + x * x) % 256 for x in range(3 * 1600))
                        for y in range(1600))
        noise = png(1600, 1600)
        header, tail = noise[:33], noise[-12:]
        data = zlib.compress(rows, 1)
        body = struct.pack(">I", len(data)) + b"IDAT" + data \
            + struct.pack(">I", zlib.crc32(b"IDAT" + data))
        self.stop()
        self.find("[data-upload]").send_keys(self.file("noise.png", header + body + tail))
        self.says("progress", "Sending “noise.png”: ")
        self.assertRegex(self.line("progress"), r"\d+ %")
        self.app.kill()
        self.says("connection", "not running")
        self.assertEqual(self.elements(), [])
        self.app.start()
        self.assertEventually(lambda: len(self.elements()) == 1, "it is on the card")
        self.assertEventually(lambda: self.line("progress") == "", "it is sent")
        self.assertImageIsDrawn()

    def test_an_upload_whose_answer_is_lost_with_the_app_is_added_once(self):
        self.start_with_card()
        # The answer does not come before the app has ended.
        self.browser.execute_script("""
            const { send } = XMLHttpRequest.prototype
            XMLHttpRequest.prototype.send = function (body) {
              XMLHttpRequest.prototype.send = send
              this.onload = () => { window.cut = this.onerror }
              send.call(this, body)
            }""")
        self.find("[data-upload]").send_keys(self.file("once.png", png(60, 40)))
        self.assertEventually(lambda: self.browser.execute_script("return window.cut !== undefined"), "it is kept")
        self.assertEqual(len(self.kept_card()["imageElements"]), 1)
        self.app.kill()
        self.says("connection", "not running")
        self.browser.execute_script("cut()")
        self.app.start()
        self.assertEventually(lambda: self.browser.execute_script("return !uploadCount"), "it is sent")
        self.is_back()
        self.assertEqual(self.line("upload"), "")
        self.assertEqual(len(self.elements()), 1)
        self.tap("[aria-label=Undo]")
        self.assertEventually(lambda: self.elements() == [], "it is undone")
        self.assertIsNotNone(self.find("[aria-label=Undo]").get_attribute("disabled"))

    # Access.

    def test_a_window_without_the_token_says_what_to_do(self):
        self.start_with_card("Mine")
        self.browser.execute_script("localStorage.clear(); socket.close()")
        self.says("connection", "Open the address that the app prints")
        own = self.browser.current_window_handle
        # Its other windows then work again.
        self.open_window()
        self.show(own)
        self.is_back()
        self.app.kill()
        next(Path(self.directory).rglob("window-access-token")).unlink()
        self.app.start()
        self.says("connection", "Open the address that the app prints")
        self.app.kill()
        self.says("connection", "not running")
        self.app.start()

    def test_a_new_window_without_the_token_says_so_at_once(self):
        self.browser.get(self.app.address.split("#")[0])
        self.says("connection", "Open the address that the app prints")

    # Two programs with the same data.

    def second(self):
        command = self.app.command()
        command[command.index("--port") + 1] = str(free_port())
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def test_a_second_start_says_where_the_app_is(self):
        second = self.second()
        said, _ = second.communicate(timeout=30)
        self.assertEqual(second.returncode, 0)
        self.assertEqual(said, f"Cards is already running at {self.app.address}\n")
        # Also while the first hangs, and not once it has been killed.
        self.stop()
        self.assertIn(self.app.address, self.second().communicate(timeout=30)[0])
        self.app.kill()
        third = self.second()
        self.addCleanup(third.communicate)
        self.addCleanup(third.kill)
        self.assertRegex(third.stdout.readline(), "^Cards is running at")

    # What is chosen.

    def test_what_is_no_picture_or_too_large_is_refused_at_once(self):
        self.start_with_card("Stays")
        film = self.files / "film.mp4"
        with open(film, "wb") as file:
            file.truncate(500 << 20)

        def claiming(side):
            """A picture of one pixel that says it is a large one."""
            picture = png(1, 1)
            head = b"IHDR" + struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
            return picture[:12] + head + struct.pack(">I", zlib.crc32(head)) + picture[33:]

        svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
        for path, reason in [
            (str(film), "500 MB"), (self.file("large.png", claiming(12_000)), "12,000 × 12,000 pixels"),
            (self.file("huge.png", claiming(30_000)), "far too large"),
            (self.file("drawing.svg", svg), "PNG, JPEG, GIF or WebP"),
            (self.file("text.png", b"words"), "PNG, JPEG, GIF or WebP"),
            (self.file("cut.jpg", b"\xff\xd8\xff\xe0 and no more"), "damaged"),
        ]:
            self.find("[data-upload]").send_keys(path)
            self.says("upload", reason)
            self.find("[data-key=upload] button").click()
        self.find("[data-upload]").send_keys(self.file("wide.png", png(30_000, 30)))
        self.assertEventually(lambda: len(self.elements()) == 2, "a wide one is made smaller")
        self.assertEqual(self.line("upload"), "")

    # Messages.

    def test_messages_lie_above_all_and_move_nothing(self):
        self.start_with_card("Moved by nothing")
        place = self.find(".board.large").rect
        self.assertEqual(self.find("#notice").get_attribute("role"), "status")
        self.browser.execute_script("mention('A remark')")
        self.press("Text")
        self.field()
        isAbove = """
            const [node] = arguments, box = node.getBoundingClientRect()
            return node.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))"""
        self.assertTrue(self.browser.execute_script(isAbove, self.find("#notice [data-key=remark]")))
        self.assertEqual(self.find(".board.large").rect, place)
        self.press("Cancel", "//dialog")
        self.assertEventually(lambda: self.sheet_count() == 0, "it is closed")
        self.assertTrue(self.browser.execute_script(isAbove, self.find("#notice [data-key=remark]")))
        self.press("Done")
        self.find("[aria-label='Remove Moved by nothing']").click()
        undo = self.find(".messages button")
        self.assertEqual(self.find(".messages").get_attribute("role"), "status")
        self.assertEventually(lambda: self.browser.execute_script(isAbove, undo), "it can be pressed")
        undo.click()
        self.find("[aria-label='Open Moved by nothing']")

    def test_a_message_over_a_sheet_can_be_used(self):
        self.start_with_card("Words")
        own = self.browser.current_window_handle
        self.open_window()
        self.tap("[aria-label='Open Words']")
        self.press("Done")
        other = self.browser.current_window_handle

        def cause_problem():
            self.show(other)
            self.find("[data-upload=file]").send_keys(self.file("broken.card", b"{"))
            self.show(own)
            self.assertEventually(lambda: "not a card" in message(), "it is said")

        message = lambda: self.find(".messages").text
        dismiss = lambda: self.tap(".messages [aria-label=Dismiss]")
        self.show(own)
        self.begin_text("Written")
        cause_problem()
        dismiss()
        self.assertEventually(lambda: message() == "", "it is dismissed")
        # A page that connects again, a question, and the end of the sheet put it where it belongs.
        cause_problem()
        self.browser.execute_script("socket.close()")
        self.is_back()
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        self.assertEventually(self.asked, "it asks")
        self.answer("keep")
        self.tap(".messages summary")
        self.assertEventually(lambda: self.find(".messages details").get_attribute("open"), "it is opened")
        self.assertEqual(self.field().get_attribute("value"), "Written")
        self.field().send_keys(Keys.CONTROL, Keys.ENTER)
        self.element("Text Written")
        self.assertEqual(self.browser.execute_script(
            "return [document.querySelectorAll('#root template').length, document.querySelectorAll('.messages').length]"),
            [0, 1])
        dismiss()
        self.assertEventually(lambda: message() == "", "it is dismissed")
        self.press("Done")
        self.find("[aria-label='Open Words Written']")

    # Sheets.

    def click_at(self, x, y, release=None):
        actions = ActionChains(self.browser, duration=0)
        actions.w3c_actions.pointer_action.move_to_location(int(x), int(y)).pointer_down()
        if release:
            actions.w3c_actions.pointer_action.move_to_location(*map(int, release))
        actions.w3c_actions.pointer_action.pointer_up()
        actions.perform()

    def asked(self):
        return self.browser.execute_script("return question !== undefined")

    def sheet_count(self):
        return len(self.browser.find_elements(By.CSS_SELECTOR, "#root dialog"))

    def answer(self, value):
        self.find(f"body > dialog [value={value}]").click()
        self.assertEventually(lambda: not self.asked(), "it is answered")

    def test_a_sheet_is_only_closed_on_purpose(self):
        self.start_with_card()
        self.press("Text")
        self.field()
        time.sleep(0.3)
        box = self.find("dialog").rect
        inside, outside = (box["x"] + 5, box["y"] + box["height"] / 2), (box["x"] - 60, 300)
        self.click_at(*inside)
        self.click_at(*inside, release=outside)
        self.click_at(*outside, release=inside)
        self.is_back()
        self.assertEqual(self.sheet_count(), 1)
        # Without a text there is nothing to ask.
        self.click_at(*outside)
        self.assertEventually(lambda: self.sheet_count() == 0, "it is closed")
        for leave in [lambda: self.click_at(*outside), lambda: self.press("Cancel", "//dialog"),
                      lambda: ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()]:
            self.begin_text("Written")
            leave()
            self.assertEventually(self.asked, "it asks")
            self.answer("keep")
            self.is_back()
            self.assertEqual(self.field().get_attribute("value"), "Written")
            leave()
            self.assertEventually(self.asked, "it asks")
            self.answer("discard")
            self.assertEventually(lambda: self.sheet_count() == 0, "it is closed")
        self.assertEqual(self.line("draft"), "")
        self.assertEqual(self.kept_texts(), [])

    def test_a_sheet_asks_before_it_discards_a_color_a_font_or_a_size(self):
        self.start_with_card("Plain")
        self.element("Text Plain").send_keys(Keys.ENTER)
        escape = lambda: ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        choose = lambda label: self.tap(f"dialog [aria-label='{label}']")
        changed = lambda: self.browser.execute_script("return document.querySelector('[data-changed]') !== null")
        for other, own in [("Coral", "Ink"), ("Serif", "Default"), ("Larger letters", "Smaller letters")]:
            choose(other)
            self.assertEventually(changed, "it is another")
            escape()
            self.assertEventually(self.asked, "it asks")
            self.answer("keep")
            choose(own)
            self.assertEventually(lambda: not changed(), "it is as it was")
        escape()
        self.assertEventually(lambda: self.sheet_count() == 0, "without a change there is nothing to ask")
        self.press("Edit")
        self.browser.execute_script("""
            arguments[0].value = "#123456"
            arguments[0].dispatchEvent(new Event("input", { bubbles: true }))""", self.find("dialog [type=color]"))
        self.assertEventually(changed, "it is another")
        self.press("Cancel", "//dialog")
        self.assertEventually(self.asked, "it asks")
        self.answer("discard")
        self.assertEventually(lambda: self.sheet_count() == 0, "it is closed")
        # What has its effect at once is not lost.
        self.press("Background")
        choose("Slate")
        self.assertEventually(lambda: self.kept_card()["backgroundColor"][0] == .25, "it is kept")
        escape()
        self.assertEventually(lambda: self.sheet_count() == 0, "it is closed")

    def test_escape_pressed_often_loses_nothing(self):
        self.start_with_card()
        self.begin_text("Stays")
        for _ in range(6):
            ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        time.sleep(0.5)
        if self.asked():
            self.answer("keep")
        self.assertEqual(self.field().get_attribute("value"), "Stays")
        self.press("Add", "//dialog")
        self.assertEventually(lambda: self.kept_texts() == ["Stays"], "it is kept")


if __name__ == "__main__":
    unittest.main(verbosity=2)
