"""Plays Cards in a real browser.

Run it with: python3 Examples/BrowserTests/test_cards.py (see browser.py for what it needs)
"""

import json
import os
import signal
import struct
import tempfile
import time
import unittest
import uuid
import zlib
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import BrowserTest, eventually


def png(width, height, color=(90, 120, 240)):
    """The bytes of an image of one color."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    rows = (b"\0" + bytes(color) * width) * height
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class CardsTest(BrowserTest):
    program = "Cards"

    def setUp(self):
        super().setUp()
        self.files = Path(tempfile.mkdtemp(prefix="stage-files-", dir=self.directory))

    def file(self, name, content):
        path = self.files / name
        path.write_bytes(content)
        return str(path)

    @property
    def documents(self):
        return Path(self.directory, "Documents")

    def kept_cards(self):
        return {path.stem: json.loads(path.read_text())
                for path in self.documents.glob("*.rwcard")}

    def kept_card(self):
        return next(iter(self.kept_cards().values()))

    def press(self, text, within=""):
        eventually(lambda: self.browser.find_element(
            By.XPATH, f"{within}//button[contains(., '{text}')]").click() or True, text)

    def element(self, label):
        return self.find(f"[data-movable][aria-label='{label}']")

    def elements(self):
        return self.browser.find_elements(By.CSS_SELECTOR, "[data-movable]")

    def place(self, label):
        """Width, height, distances from the middle, and degrees, as they are shown."""
        return [float(number) for number in self.browser.execute_script(
            "return arguments[0].shownPlace", self.element(label)).split()]

    def add_card(self):
        self.tap("[aria-label='Add a card']")
        self.find(".board.large")

    def add_text(self, text):
        self.press("Text")
        eventually(lambda: self.find("dialog textarea").send_keys(text) or True, "a field")
        self.press("Add", "//dialog")
        self.element(f"Text {text}")

    def add_image(self, content=None, name="picture.png"):
        count = len(self.elements())
        self.find("[data-upload]").send_keys(self.file(name, content or png(60, 40)))
        eventually(lambda: len(self.elements()) == count + 1, "the image is on the card")

    def drag(self, element, x, y):
        ActionChains(self.browser, duration=40).move_to_element(element).click_and_hold() \
            .move_by_offset(x // 2, y // 2).move_by_offset(x - x // 2, y - y // 2).release().perform()

    def middle(self, element):
        box = element.rect
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, x, y, count):
        """One of the clicks of a double click, the second a moment after the first, however long the test takes."""
        if count == 1:
            self.clicked_at = time.time()
        for kind, delay in [("Pressed", 0), ("Released", .05)]:
            self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": f"mouse{kind}", "x": x, "y": y, "button": "left", "clickCount": count,
                "timestamp": self.clicked_at + (count - 1) * .15 + delay})

    def touch(self, kind, *points):
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": f"touch{kind}",
            "touchPoints": [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]})

    def drag_slowly(self, element, x, y, steps=30):
        """Drags by finger, in so many steps."""
        left, top = self.browser.execute_script(
            "const { x, y, width, height } = arguments[0].getBoundingClientRect(); return [x + width / 2, y + height / 2]",
            element)
        self.touch("Start", (left, top))
        for step in range(1, steps + 1):
            self.touch("Move", (left + x * step / steps, top + y * step / steps))
            time.sleep(.02)
        self.touch("End")

    def focus(self, label):
        self.browser.execute_script("arguments[0].focus()", self.element(label))
        eventually(lambda: self.element(label).get_attribute("data-selected") is not None,
                   "it is chosen")

    def severe(self):
        return [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]

    def assertImageIsDrawn(self):
        self.assertEventually(lambda: self.browser.execute_script(
            "return document.querySelector('img.photo').naturalWidth") > 0, "the image is drawn")


class CardsTests(CardsTest):
    def test_everything_is_there_after_going_hidden_and_kill_9(self):
        window = self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.add_text("Hello")
        self.drag(self.element("Text Hello"), 60, -80)
        moved = self.place("Text Hello")
        self.assertNotEqual(moved[2:4], [0, 0])

        # The window is hidden without Done, which is what saves the move.
        self.browser.switch_to.new_window("tab")
        place = lambda: self.kept_card()["textElements"][0]["transform"]["offset"]
        self.assertEventually(lambda: place() == moved[2:4], "the move is in the file")
        self.app.kill()
        self.app.start()
        self.show(window)
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")
        self.assertEqual(self.place("Text Hello"), moved)
        self.assertImageIsDrawn()
        self.press("Done")
        self.find("[aria-label='Open Hello']")
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "[aria-label^=Open]")), 1)
        self.assertEqual(self.severe_without_connection(), [])

    def severe_without_connection(self):
        return [entry for entry in self.severe() if "WebSocket" not in entry["message"] and "/access" not in entry["message"]]

    def test_a_change_of_what_is_on_a_card_survives_kill_9_at_once(self):
        self.open_window(first=True)
        self.add_card()
        for index in range(3):
            self.add_text(f"Line {index}")
            self.app.kill()
            self.app.start()
            eventually(lambda: not self.find("#notice").is_displayed(), "it is back")
            self.assertEqual(len(self.elements()), index + 1)

    def test_a_move_is_saved_by_itself(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Alone")
        self.drag(self.element("Text Alone"), 30, 50)
        moved = self.place("Text Alone")
        self.assertEventually(
            lambda: self.kept_card()["textElements"][0]["transform"]["offset"] == moved[2:4],
            "the move is in the file")

    def test_a_program_that_is_asked_to_end_saves_first(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Last words")
        self.drag(self.element("Text Last words"), 30, 50)
        moved = self.place("Text Last words")
        self.assertEventually(
            lambda: self.browser.execute_script("return held.size") == 0, "the app knows")
        self.app.kill(signal.SIGTERM)
        self.assertEqual(self.app.process.returncode, 0)
        self.assertEqual(self.kept_card()["textElements"][0]["transform"]["offset"], moved[2:4])
        self.app.start()

    def test_two_windows_on_one_card_follow_each_other(self):
        first = self.open_window(first=True)
        self.add_card()
        self.add_text("Both")
        second = self.open_window()
        self.tap("[aria-label='Open Both']")
        self.drag(self.element("Text Both"), -40, 60)
        moved = self.place("Text Both")
        self.show(first)
        self.assertEventually(lambda: self.place("Text Both") == moved, "the first follows")
        self.focus("Text Both")
        self.element("Text Both").send_keys("]]]")
        self.add_image_after_deselecting()
        self.show(second)
        self.assertEventually(lambda: self.place("Text Both")[4] == 15, "the second follows")
        self.assertEventually(lambda: len(self.elements()) == 2, "the image is there too")
        self.assertImageIsDrawn()
        # A thumbnail in a third window is drawn of the same card.
        self.open_window()
        self.find("[aria-label='Open Both'] img.photo")

    def add_image_after_deselecting(self):
        self.element("Text Both").send_keys(Keys.ESCAPE)
        self.add_image()

    def test_handles_resize_and_turn(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.focus("Image 1")
        before = self.place("Image 1")
        self.drag(self.find(".handle.se"), 40, 40)
        resized = self.place("Image 1")
        self.assertGreater(resized[0], before[0] + 20)
        self.assertAlmostEqual(resized[0] / resized[1], before[0] / before[1], 2)
        # The corner across stays where it was.
        for axis in (0, 1):
            self.assertAlmostEqual(resized[2 + axis] - resized[axis] / 2,
                                   before[2 + axis] - before[axis] / 2, 0)
        self.drag(self.find(".handle.turn"), 60, 0)
        self.assertLess(self.place("Image 1")[4], -5)
        across = self.find(".handle.nw").rect
        self.drag(self.find(".handle.se"), 30, 10)
        self.assertNotEqual(self.place("Image 1")[:2], resized[:2])
        for axis in ("x", "y"):
            self.assertAlmostEqual(self.find(".handle.nw").rect[axis], across[axis], delta=1)
        handles = self.find(".handles").rect
        image = self.element("Image 1").rect
        self.assertAlmostEqual(handles["x"], image["x"], 0)
        self.assertAlmostEqual(handles["y"], image["y"], 0)

    def test_a_picture_keeps_its_form_where_it_can_be_no_smaller_and_no_larger(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.focus("Image 1")
        form = lambda: self.place("Image 1")[0] / self.place("Image 1")[1]
        for key, size in [("-", [30, 20]), ("+", [4000, 2666.67])]:
            self.element("Image 1").send_keys(key * 120)
            self.assertAlmostEqual(form(), 1.5, 2)
            for side in (0, 1):
                self.assertAlmostEqual(self.place("Image 1")[side], size[side], delta=size[side] / 200)
        self.element("Image 1").send_keys("-" * 50)
        before = self.place("Image 1")
        self.drag(self.find(".handle.se"), -200, -150)
        self.assertAlmostEqual(form(), 1.5, 2)
        self.assertAlmostEqual(self.place("Image 1")[1], 20, delta=0.1)
        for axis in (0, 1):
            self.assertAlmostEqual(self.place("Image 1")[2 + axis] - self.place("Image 1")[axis] / 2,
                                   before[2 + axis] - before[axis] / 2, 0)
        # With Shift the sides are chosen one by one, within the same limits.
        self.element("Image 1").send_keys("+" * 50)
        ActionChains(self.browser, duration=40).key_down(Keys.SHIFT).move_to_element(
            self.find(".handle.se")).click_and_hold().move_by_offset(-100, 40).move_by_offset(-100, 40) \
            .release().key_up(Keys.SHIFT).perform()
        self.assertEqual(self.place("Image 1")[0], 20)
        self.assertGreater(self.place("Image 1")[1], 200)
        self.assertEventually(
            lambda: self.kept_card()["imageElements"][0]["transform"]["size"] == self.place("Image 1")[:2],
            "the file has the same")

    def test_the_handles_of_a_very_large_element_are_in_view(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.focus("Image 1")
        self.element("Image 1").send_keys("+" * 120)
        in_view = """
            return [...document.querySelectorAll(".handle")].filter(node => {
              const box = node.getBoundingClientRect()
              return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === node
            }).map(node => node.dataset.handle)"""
        names = ["nw", "ne", "sw", "se", "turn"]
        for keys in ["", "]" * 6, "]" * 3, Keys.ARROW_RIGHT * 20 + Keys.ARROW_DOWN * 30]:
            self.element("Image 1").send_keys(keys)
            self.assertEqual(self.browser.execute_script(in_view), names, keys)
        self.show_as("light", 360, 740)
        self.assertEventually(lambda: self.browser.execute_script(in_view) == names, "on a phone")
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.element("Image 1").send_keys(Keys.ARROW_LEFT * 20 + Keys.ARROW_UP * 30 + "[" * 9)
        # It begins where it is taken hold of: the corner does not jump to the pointer.
        self.assertEventually(lambda: self.browser.execute_script(in_view) == names, "as before")
        before = self.place("Image 1")
        scale = self.browser.execute_script("return unitsPerPixel(document.querySelector('.board.large'))")
        self.drag(self.find(".handle.se"), -30, -20)
        after = self.place("Image 1")
        self.assertAlmostEqual(after[0], before[0] - 30 * scale, delta=4 * scale)
        self.assertAlmostEqual(after[0] / after[1], before[0] / before[1], 2)
        self.drag(self.find(".handle.turn"), 60, 0)
        self.assertLess(self.place("Image 1")[4], -5)

    def test_the_handles_of_a_wide_picture_are_beside_the_room_for_a_scroll_bar(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image(png(300, 20))
        self.focus("Image 1")
        self.element("Image 1").send_keys("+" * 120)
        self.show_as("light", 1200, 900)
        edges = """
            const right = Math.max(...[...document.querySelectorAll(".handle")].map(node => node.getBoundingClientRect().right))
            return [right, document.body.clientWidth, document.documentElement.clientWidth]"""
        self.assertEventually(lambda: self.browser.execute_script(edges)[0] > 1100, "they are at the edge")
        right, page, window = self.browser.execute_script(edges)
        self.assertLess(page, window)
        self.assertLess(right, page)

    def test_the_handles_of_a_narrow_picture_in_a_corner_are_apart(self):
        self.open_window(first=True)
        self.show_as("light", 390, 844)
        self.add_card()
        self.add_image(png(20, 300))
        self.focus("Image 1")
        for corner in [Keys.ARROW_RIGHT + Keys.ARROW_DOWN, Keys.ARROW_LEFT]:
            self.element("Image 1").send_keys(corner * 80)
            least = self.browser.execute_script("""
                const [turn, ...others] = [...document.querySelectorAll(".handle")].reverse().map(node => {
                  const { x, y } = node.getBoundingClientRect()
                  return { x, y }
                })
                return Math.min(...others.map(other => Math.hypot(other.x - turn.x, other.y - turn.y)))""")
            self.assertGreater(least, 24, corner)

    def test_a_box_of_a_file_that_is_too_low_for_its_text_is_shown_as_high_as_its_lines(self):
        self.app.kill()
        id = "11111111-1111-4111-8111-111111111111"
        self.documents.mkdir(parents=True, exist_ok=True)
        path = self.documents / f"{id}.rwcard"
        element = {"id": "22222222-2222-4222-8222-222222222222", "fontSize": 120, "text": "Many words on lines that need room",
                   "transform": {"size": [600, 100], "rotation": {"degrees": 0}, "offset": [0, -300]}}
        path.write_text(json.dumps({"id": id, "textElements": [element]}))
        written = path.read_text()
        self.app.start()
        self.open_window(first=True)
        fits = """
            const node = document.querySelector(".placed:has(.wrapped)"), text = node.querySelector(".wrapped")
            const range = document.createRange()
            range.selectNodeContents(text)
            const lines = range.getBoundingClientRect(), box = node.getBoundingClientRect()
            return lines.height > 0 && box.top <= lines.top + 1 && box.bottom >= lines.bottom - 1"""
        self.tap("[aria-label^='Open ']")
        label = "Text Many words on lines that need room"
        self.focus(label)
        self.assertTrue(self.browser.execute_script(fits))
        frame = lambda: [round(self.find(".handles").rect[part] - self.element(label).rect[part]) for part in
                         ("x", "y", "width", "height")]
        self.assertEqual(frame(), [0, 0, 0, 0])
        # Only what the user does with it is written.
        self.assertEqual(path.read_text(), written)
        shown = self.element(label).rect
        self.element(label).send_keys(Keys.ARROW_DOWN)
        kept = lambda: self.kept_card()["textElements"][0]["transform"]
        self.assertEventually(lambda: kept()["offset"] == [0, -280], "it is kept")
        # What it needs for its words is not a size that was chosen.
        self.assertEqual(kept()["size"], [600, 100])
        self.assertAlmostEqual(self.element(label).rect["height"], shown["height"], delta=1)
        self.assertEqual(frame(), [0, 0, 0, 0])

    def test_a_box_that_grew_for_its_words_is_as_high_as_fewer_words_need(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Words")
        unit = self.browser.execute_script("return unitsPerPixel(document.querySelector('.board.large'))")
        height = lambda: self.elements()[0].rect["height"] * unit
        lines = lambda: self.browser.execute_script("""
            const range = document.createRange()
            range.selectNodeContents(document.querySelector("[data-movable] .wrapped"))
            return new Set([...range.getClientRects()].map(box => Math.round(box.y))).size""")

        def write(words):
            self.browser.execute_script("arguments[0].focus()", self.elements()[0])
            self.press("Edit")
            self.tap("dialog textarea")
            ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).send_keys(words).perform()
            self.press("Change", "//dialog")
            self.element(f"Text {words}")
            self.assertEventually(lambda: self.browser.execute_script("return !pending.length"), "it is known")

        self.assertAlmostEqual(height(), 144, delta=3)
        long = " ".join(["Many words that need room"] * 5)
        write(long)
        self.assertGreater(lines(), 5)
        self.assertAlmostEqual(height(), 144 * lines(), delta=6)
        # Neither a move nor a resize in which the lines need the same or more is a height that was chosen.
        self.element(f"Text {long}").send_keys(Keys.ARROW_DOWN, "]", "[")
        self.drag(self.element(f"Text {long}"), 0, 10)
        self.drag(self.find(".handle.se"), -20, -30)
        self.assertGreater(height(), 144 * 6)
        write("Few")
        self.assertAlmostEqual(height(), 144, delta=3)
        # What lies where the box was is taken hold of again.
        box = self.element("Text Few").rect
        under = self.browser.execute_script(
            "return document.elementFromPoint(...arguments).className",
            box["x"] + box["width"] / 4, box["y"] + box["height"] + 20)
        self.assertEqual(under, "surface")

        # A height that was chosen stays.
        ActionChains(self.browser, duration=40).key_down(Keys.SHIFT).move_to_element(self.find(".handle.se")) \
            .click_and_hold().move_by_offset(0, 40).move_by_offset(0, 40).release().key_up(Keys.SHIFT).perform()
        chosen = height()
        self.assertGreater(chosen, 144 + 60 * unit)
        write(long)
        self.assertGreater(height(), chosen + 144)
        write("Few")
        self.assertAlmostEqual(height(), chosen, delta=3)

    def test_two_fingers_resize_and_turn(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        before = self.place("Image 1")
        box = self.element("Image 1").rect
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        self.touch("Start", (x - 20, y), (x + 20, y))
        self.touch("Move", (x - 25, y - 20), (x + 25, y + 20))
        self.touch("Move", (x - 30, y - 30), (x + 30, y + 30))
        self.touch("End")
        after = self.place("Image 1")
        self.assertAlmostEqual(after[0] / before[0], 2 ** 0.5 * 1.5, 1)
        self.assertAlmostEqual(after[4], 45, 0)
        self.assertEventually(
            lambda: self.kept_card()["imageElements"][0]["transform"]["rotation"]["degrees"]
            == after[4], "the app knows")

    def test_undo_takes_one_movement_of_a_finger_back_that_begins_slowly(self):
        self.open_window(first=True)
        self.show_as("light", 390, 844)
        self.add_card()
        self.add_image()
        before = self.place("Image 1")
        self.drag_slowly(self.element("Image 1"), 30, -40)
        moved = self.place("Image 1")
        self.assertEventually(lambda: self.browser.execute_script("return !held.size"), "the app knows")
        # At first it turns by less than what is taken for straight.
        self.drag_slowly(self.find(".handle.turn"), -90, 0)
        self.assertGreater(self.place("Image 1")[4], 10)
        self.tap("[aria-label=Undo]")
        self.assertEventually(lambda: self.place("Image 1") == moved, "the turn is undone")
        self.assertEventually(lambda: self.browser.execute_script("return !held.size && !pending.length"), "it knows")
        self.assertEqual(self.place("Image 1"), moved)
        self.tap("[aria-label=Undo]")
        self.assertEventually(lambda: self.place("Image 1") == before, "the move is undone")

    def test_remove_and_undo(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.add_text("Words")
        self.focus("Image 1")
        self.press("Remove")
        self.assertEventually(lambda: len(self.elements()) == 1, "the image is gone")
        self.assertEventually(lambda: self.kept_card()["imageElements"] == [], "the file knows")
        self.tap("[aria-label=Undo]")
        self.assertEventually(lambda: len(self.elements()) == 2, "the image is back")
        # It lies below the text again, as it did.
        labels = [element.get_attribute("aria-label") for element in self.elements()]
        self.assertEqual(labels, ["Image 1", "Text Words"])
        self.assertImageIsDrawn()

        self.press("Done")
        self.tap("[aria-label='Remove Words']")
        self.assertEventually(lambda: self.kept_cards() == {}, "the card's file is in the trash")
        self.assertEventually(lambda: not self.browser.find_elements(
            By.CSS_SELECTOR, "[aria-label='Open Words']"), "the page knows")
        self.browser.find_element(By.TAG_NAME, "body").send_keys(Keys.CONTROL, "z")
        self.find("[aria-label='Open Words']")
        self.assertEqual(len(list(self.documents.glob("*.png"))), 1)
        self.tap("[aria-label='Open Words']")
        self.assertImageIsDrawn()

    def test_cards_that_were_removed_come_back_one_after_the_other_and_from_the_trash(self):
        self.open_window(first=True)
        for card in ["One", "Two", "Three"]:
            self.add_card()
            self.add_text(card)
            self.press("Done")
        listed = lambda: {node.get_attribute("aria-label").split()[1] for node in
                          self.browser.find_elements(By.CSS_SELECTOR, "[aria-label^='Open ']")}
        for card, left in [("Two", {"One", "Three"}), ("One", {"Three"})]:
            self.tap(f"[aria-label='Remove {card}']")
            self.assertEventually(lambda: listed() == left, f"{card} is removed")
        for cards in [{"One", "Three"}, {"One", "Two", "Three"}]:
            self.browser.find_element(By.TAG_NAME, "body").send_keys(Keys.CONTROL, "z")
            self.assertEventually(lambda: listed() == cards, f"there are {cards}")
        self.assertEventually(
            lambda: not self.browser.find_elements(By.CSS_SELECTOR, "summary"), "nothing is removed")

        self.tap("[aria-label='Remove Three']")
        # The page knows, too: otherwise it asks the user to see whether it was done.
        self.assertEventually(lambda: listed() == {"One", "Two"} and len(self.kept_cards()) == 2, "it is removed")
        self.app.kill()
        self.app.start()
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")
        self.tap("summary")
        self.assertRegex(self.find("[aria-label='Removed cards']").text, r"Three\s+Removed \d.*\d:\d\d:\d\d")
        self.tap("[aria-label='Bring Three back']")
        self.assertEventually(lambda: listed() == {"One", "Two", "Three"}, "it is back")
        self.assertEqual(len(self.kept_cards()), 3)

    def test_a_message_goes_when_it_was_read_and_with_the_next_thing(self):
        self.open_window(first=True)
        said = lambda: self.find(".messages").text
        self.add_card()
        self.add_text("One")
        for goes in [lambda: None, lambda: self.tap("[aria-label=Undo]")]:
            self.focus("Text One")
            self.press("Remove")
            self.assertEventually(lambda: said() == "The element was removed.", "it is said")
            time.sleep(3)
            self.assertEqual(said(), "The element was removed.")
            goes()
            self.assertEventually(lambda: said() == "", "it goes")
            if not self.elements():
                self.tap("[aria-label=Undo]")
        self.element("Text One")
        for card in ["Two", "Three"]:
            self.press("Done")
            self.add_card()
            self.add_text(card)
        self.press("Done")
        removal = lambda name: f"“{name}” was removed.\nUndo"
        self.tap("[aria-label='Remove Two']")
        self.assertEventually(lambda: said() == removal("Two"), "it is said")
        self.tap("[aria-label='Open One']")
        self.find(".board.large")
        self.press("Done")
        self.find("[aria-label='Open One']")
        self.assertEqual(said(), "")
        self.tap("[aria-label='Remove Three']")
        self.assertEventually(lambda: said() == removal("Three"), "it is said")
        time.sleep(10)
        self.assertEqual(said(), removal("Three"))
        self.assertEventually(lambda: said() == "", "it goes")

    def test_every_step_is_undone_and_made_again_also_after_a_reload_and_a_restart(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Steps")
        places = [self.place("Text Steps")]
        for x, y in [(40, 60), (-30, 90)]:
            self.drag(self.element("Text Steps"), x, y)
            places.append(self.place("Text Steps"))
        self.element("Text Steps").send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, "]")
        places.append(self.place("Text Steps"))
        self.assertEqual(len({tuple(place) for place in places}), 4)
        body = lambda: self.find("body")
        for place in places[-2::-1]:
            body().send_keys(Keys.CONTROL, "z")
            self.assertEventually(lambda: self.place("Text Steps") == place, f"back at {place}")
            if place == places[1]:
                self.browser.refresh()
                self.element("Text Steps")
        body().send_keys(Keys.CONTROL, "z")
        self.assertEventually(lambda: self.elements() == [], "it was never there")
        self.app.kill(signal.SIGTERM)
        self.app.start()
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")
        body().send_keys(Keys.CONTROL, Keys.SHIFT, "z")
        self.element("Text Steps")
        for place in places[1:]:
            body().send_keys(Keys.CONTROL, "y")
            self.assertEventually(lambda: self.place("Text Steps") == place, f"again at {place}")
        self.assertIsNotNone(self.find("[aria-label=Redo]").get_attribute("disabled"))

    def test_undo_leaves_a_name_that_another_window_has_given_since(self):
        first = self.open_window(first=True)
        self.add_card()
        self.add_text("Words")

        def name(words):
            self.tap("[title='Name, duplicate and save the card']")
            field = self.find("dialog input")
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(words)
            self.press("Done", "//dialog")
            self.assertEventually(lambda: self.kept_card().get("name") == words, f"it is called {words}")

        name("Mine")
        self.open_window()
        self.tap("[aria-label='Open Mine']")
        self.find(".board.large")
        name("Theirs")
        self.show(first)
        self.assertEventually(lambda: self.browser.title == "Theirs", "it is known")
        self.find("body").send_keys(Keys.CONTROL, "z")
        self.assertEventually(lambda: "left as it is" in self.find(".messages").text, "the page says so")
        self.assertEqual(self.kept_card()["name"], "Theirs")
        self.assertEqual(len(self.elements()), 1)
        self.find("body").send_keys(Keys.CONTROL, "z")
        self.assertEventually(lambda: self.elements() == [], "the step before is undone")
        self.assertEqual(self.kept_card()["name"], "Theirs")

    def test_nothing_is_dragged_out_of_reach(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Far")

        def mouse(kind, x, y):
            self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": f"mouse{kind}", "x": x, "y": y, "button": "left", "clickCount": 1})

        # It is taken hold of where it is still on the card, and led far beside it.
        for x, y, far, corner in [(0, 0, -500, [-650, -1000]), (30, 15, 2000, [650, 1000])]:
            box = self.browser.execute_script(
                "return arguments[0].getBoundingClientRect()", self.element("Text Far"))
            x += box["x"] + box["width"] / 2
            y += box["y"] + box["height"] / 2
            mouse("Pressed", x, y)
            mouse("Moved", far, far)
            mouse("Released", far, far)
            self.assertEventually(lambda: self.place("Text Far")[2:4] == corner, "at the corner")
        self.assertEventually(
            lambda: self.kept_card()["textElements"][0]["transform"]["offset"]
            == self.place("Text Far")[2:4], "the file has the same")

        # What a file has beside the card does not scroll the card when it has the focus.
        path = next(self.documents.glob("*.rwcard"))
        card = json.loads(path.read_text())
        card["textElements"][0]["transform"]["offset"] = [1800, 0]
        path.write_text(json.dumps(card))
        self.assertEventually(lambda: self.place("Text Far")[2] == 1800, "it is beside the card")
        self.browser.execute_script(
            "document.activeElement.blur(); arguments[0].focus()", self.element("Text Far"))
        self.assertEqual(self.browser.execute_script(
            "return document.querySelector('.surface').scrollLeft + scrollX"), 0)
        self.press("Bring back")
        self.assertEventually(lambda: self.place("Text Far")[2] == 650, "it is back")

    def test_a_double_click_and_the_return_key_edit(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.add_text("Edit me")
        ActionChains(self.browser).double_click(self.element("Text Edit me")).perform()
        field = self.find("dialog textarea")
        eventually(lambda: field.get_attribute("value") == "Edit me", "its words")
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
        self.focus("Image 1")
        self.element("Image 1").send_keys(Keys.ENTER)
        self.find("dialog [aria-label=Heart]")
        described = self.browser.execute_script("""
            const id = document.querySelector("[data-movable]").getAttribute("aria-describedby")
            return document.getElementById(id).textContent""")
        self.assertIn("Enter edits", described)

    def test_a_second_click_on_what_adds_a_text_is_for_nothing_else(self):
        self.open_window(first=True)
        self.show_as("light", 1000, 900)
        self.add_card()
        self.add_text("Old")
        add = lambda: self.middle(self.browser.find_element(By.XPATH, "//dialog//button[. = 'Add']"))
        # The old text lies where the button is.
        self.press("Text")
        x, y = eventually(add, "a button")
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        gone = lambda: self.assertEventually(
            lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "the sheet is closed")
        gone()
        old = self.middle(self.element("Text Old"))
        self.drag(self.element("Text Old"), round(x - old[0]), round(y - old[1]))
        self.assertEqual(self.browser.execute_script(
            "return document.elementFromPoint(...arguments).closest('[data-movable]')?.ariaLabel", x, y), "Text Old")
        for is_late in [False, True]:
            self.focus("Text Old")
            self.press("Text")
            eventually(lambda: self.find("dialog textarea").send_keys("New") or True, "a field")
            self.assertEventually(lambda: self.browser.execute_script("return !pending.length"), "the words are known")
            if not is_late:
                self.app.process.send_signal(signal.SIGSTOP)
            self.click(*add(), 1)
            if is_late:
                self.element("Text New")
                gone()
            self.click(x, y, 2)
            self.app.process.send_signal(signal.SIGCONT)
            self.element("Text New")
            self.assertEventually(lambda: self.browser.execute_script("return !pending.length"), "all is known")
            time.sleep(.3)
            self.assertEqual(self.browser.find_elements(By.TAG_NAME, "dialog"), [], is_late)
            self.assertEqual(self.focused(), "Text New", is_late)
            self.assertEqual(len(self.elements()), 2)
            self.browser.switch_to.active_element.send_keys(Keys.DELETE)
            self.assertEventually(lambda: [node.get_attribute("aria-label") for node in self.elements()] == ["Text Old"],
                                  "the new text is removed")

    def test_a_second_click_is_not_for_what_the_first_has_brought_into_its_place(self):
        self.open_window(first=True)
        self.add_card()
        words = self.middle(self.browser.find_element(By.XPATH, "//button[contains(., 'Text')]"))
        self.click(*words, 1)
        self.find("dialog textarea")
        self.click(*words, 2)
        time.sleep(.3)
        state = "return [document.activeElement.tagName, String(getSelection())]"
        self.assertEqual(self.browser.execute_script(state), ["TEXTAREA", ""])
        self.press("Cancel", "//dialog")
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "the sheet is closed")
        tool = self.middle(self.browser.find_element(By.XPATH, "//button[contains(., 'Background')]"))
        self.click(*tool, 1)
        self.find("dialog")
        self.click(*tool, 2)
        time.sleep(.3)
        self.press("Done", "//dialog")
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "the sheet is closed")
        for name in ["One", "Two"]:
            self.add_text(name)
            self.press("Done")
            self.find(f"[aria-label='Open {name}']")
            if name == "One":
                self.add_card()
        remove = self.middle(self.find("[aria-label='Remove One']"))
        self.click(*remove, 1)
        label = "return document.elementFromPoint(...arguments).closest('button')?.ariaLabel"
        self.assertEventually(lambda: self.browser.execute_script(label, *remove) == "Remove Two", "it is in its place")
        self.click(*remove, 2)
        time.sleep(.3)
        self.assertEqual(len(self.kept_cards()), 1)

    def test_undo_by_keys_leaves_what_is_behind_a_sheet_and_works_where_no_text_is_written(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Stays")
        self.add_text("Goes")
        self.focus("Text Goes")
        self.element("Text Goes").send_keys(Keys.ENTER)
        self.find("dialog [aria-label=Coral]").click()
        undo = lambda: ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
        undo()
        undo()
        self.press("Change", "//dialog")
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
        self.assertEqual(len(self.elements()), 2)
        # The keyboard is on a control for files then, which is no text.
        self.browser.execute_script("document.querySelector('[type=file]').focus()")
        undo()
        undo()
        self.assertEventually(lambda: len(self.elements()) == 1, "the color and the second text are undone")
        self.find("[aria-label=Undo]").click()
        self.assertEventually(lambda: not self.elements(), "the first text is undone")
        self.assertTrue(self.browser.execute_script(
            "return document.activeElement.matches('button:enabled, a, input, [tabindex]')"), "the keyboard is on a control")

    def test_keys_are_for_the_chosen_element_also_while_a_tool_has_the_keyboard(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("One")
        self.add_text("Two")
        keys = lambda *keys: ActionChains(self.browser).send_keys(*keys).perform()
        chosen = lambda: self.browser.execute_script(
            "return document.querySelector('[data-selected]')?.getAttribute('aria-label')")
        focused = lambda: self.browser.switch_to.active_element.get_attribute("aria-label")
        labels = lambda: [node.get_attribute("aria-label") for node in self.elements()]
        # What was added is chosen, and has the keyboard.
        self.assertEventually(lambda: chosen() == focused() == "Text Two", "it is chosen")
        start = self.place("Text One")
        self.drag(self.element("Text One"), 30, 40)
        self.tap("[aria-label=Undo]")
        self.assertEventually(lambda: self.place("Text One") == start, "it is back")
        keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.place("Text One")[2], start[2] + 20)
        keys(Keys.DELETE)
        self.assertEventually(lambda: labels() == ["Text Two"], "it is removed")
        # The next key is for nothing else.
        keys(Keys.DELETE)
        self.tap("[aria-label=Undo]")
        self.assertEventually(lambda: labels() == ["Text One", "Text Two"], "it is back")
        self.assertEventually(lambda: chosen() == focused() == "Text One", "it is chosen")
        keys(Keys.DELETE)
        self.assertEventually(lambda: labels() == ["Text Two"], "it is removed")
        self.tap("[aria-label=Undo]")
        self.assertEventually(lambda: chosen() == focused() == "Text One", "it is chosen")
        ActionChains(self.browser).double_click(
            self.browser.find_element(By.XPATH, "//button[contains(., 'Remove')]")).perform()
        self.assertEventually(lambda: labels() == ["Text Two"], "one is removed")
        self.tap("[aria-label=Undo]")
        self.assertEventually(lambda: chosen() == "Text One", "it is chosen")

        # With the keyboard on a tool: arrows go along the bar, and Enter presses.
        self.browser.execute_script("document.querySelector('[aria-label=\"Bring forward\"]').focus()")
        place = self.place("Text One")
        keys(Keys.ARROW_LEFT)
        self.assertEqual(self.browser.switch_to.active_element.text.strip(), "Edit")
        keys("]")
        self.assertEqual(self.place("Text One"), [*place[:4], 5])
        # Not under a sheet, and not where text is written.
        keys(Keys.ENTER)
        field = self.find("dialog textarea")
        keys(Keys.END, Keys.BACKSPACE)
        self.assertEqual(field.get_attribute("value"), "On")
        self.find("dialog [aria-label=Coral]").click()
        keys(Keys.DELETE)
        self.press("Change", "//dialog")
        self.element("Text On")
        self.assertEqual(labels(), ["Text On", "Text Two"])
        self.assertEqual(self.browser.switch_to.active_element.text.strip(), "Edit")
        keys(Keys.DELETE)
        self.assertEventually(lambda: labels() == ["Text Two"], "it is removed")

    def test_a_tool_that_is_turned_off_gives_the_keyboard_to_none_that_removes(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Low")
        self.add_text("High")
        focused = lambda: self.browser.execute_script("""
            const { activeElement: node } = document
            return node.getAttribute("aria-label") ?? node.innerText.trim()""")

        def press(tool, then):
            self.browser.execute_script(
                "document.querySelector(`[aria-label='${arguments[0]}']`).focus()", tool)
            ActionChains(self.browser).send_keys(Keys.ENTER).perform()
            self.assertEventually(lambda: self.browser.execute_script("return !pending.length"), tool)
            self.assertEventually(lambda: focused() == then, f"from {tool} to {then}")

        press("Send backward", "Bring forward")
        press("Bring forward", "Edit")
        press("Undo", "Undo")
        press("Redo", "Undo")
        for _ in range(3):
            press("Undo", "Undo")
        # The first of its row goes on to the next.
        press("Undo", "Redo")
        self.assertEqual(self.elements(), [])

    def test_words_for_one_card_are_not_offered_in_another(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("First")
        self.press("Done")
        self.add_card()
        self.add_text("Second")
        self.press("Text")
        self.find("dialog textarea").send_keys("for the second")
        own = self.browser.current_window_handle
        self.open_window()
        other = self.browser.current_window_handle
        self.tap("[aria-label='Remove Second']")
        self.show(own)
        self.assertEventually(lambda: "for the second" in self.find("#notice").text, "kept")
        self.tap("[aria-label='Open First']")
        self.element("Text First")
        self.press("Text")
        field = self.find("dialog textarea")
        self.assertEqual(field.get_attribute("value"), "")
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
        self.press("Done")
        self.tap("summary")
        self.tap("[aria-label='Bring Second back']")
        self.tap("[aria-label='Open Second']")
        self.element("Text Second")
        self.press("Text")
        self.assertEventually(
            lambda: self.find("dialog textarea").get_attribute("value") == "for the second", "there again")
        # A sheet that is taken away and given back has them, too, and nobody is told that they are kept.
        self.show(other)
        self.tap("[aria-label='Remove Second']")
        self.tap(".messages button")
        self.show(own)
        self.assertEventually(
            lambda: self.find("dialog textarea").get_attribute("value") == "for the second", "still there")
        self.assertEventually(lambda: "for the second" not in self.find("#notice").text, "not said")
        self.assertEventually(lambda: self.find("#notice").text == "Your text is back.", "it is said")
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        self.tap("[value=discard]")
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
        # It is said of the sheet only, and not for as long as a remark may be seen.
        self.assertEqual(self.find("#notice").text, "")

    def test_what_is_kept_names_its_card_covers_no_card_and_is_not_said_on_another(self):
        self.open_window(first=True)
        for name in ["First", "Second"]:
            if name == "Second":
                self.press("Done")
            self.add_card()
            self.add_text(name)
        self.press("Text")
        self.find("dialog textarea").send_keys("many words " * 20)
        own = self.browser.current_window_handle
        self.open_window()
        self.tap("[aria-label='Remove Second']")
        self.show(own)
        notice = lambda: self.find("#notice").text
        self.assertEventually(lambda: "(Add text, “Second”)" in notice(), "it names the card")
        self.assertNotIn("many words " * 10, notice())
        self.assertEventually(lambda: self.browser.execute_script("""
            const { bottom } = document.querySelector("#notice").getBoundingClientRect()
            return bottom < document.querySelector(".grid > *").getBoundingClientRect().top"""), "it covers no card")
        self.tap("[aria-label='Open First']")
        self.element("Text First")
        self.assertEventually(lambda: notice() == "", "it is not said on another card")
        self.press("Done")
        self.assertEventually(lambda: "“Second”" in notice(), "it is said again")
        self.tap("#notice button:last-child")
        self.assertEventually(lambda: notice() == "", "it is discarded")
        self.assertEqual(self.browser.execute_script(
            "return getComputedStyle(document.querySelector('.toolbar.top')).marginBottom"), "0px")

    def test_a_text_that_is_too_long_is_not_cut_but_said_to_be(self):
        self.open_window(first=True)
        self.add_card()
        write = """
            document.querySelector("dialog .field").select()
            document.execCommand("insertText", false, "x".repeat(arguments[0]))"""

        def paste(count):
            self.find("dialog .field")
            self.browser.execute_script(write, count)

        button = lambda text: self.browser.find_element(By.XPATH, f"//dialog//button[. = '{text}']")
        for opener, what, end in [("Text", "text", "Add"), ("Empty card", "name", "Done")]:
            self.press(opener)
            paste(2345)
            self.assertEventually(
                lambda: f"The {what} can have 1,000 characters; yours has 2,345." in self.find("dialog").text, "it is said")
            self.assertFalse(button(end).is_enabled())
            self.assertAccessible(f"a {what} that is too long")
            paste(1000)
            self.assertEventually(lambda: button(end).is_enabled() and "characters" not in self.find("dialog").text,
                                  "it is short enough")
            paste(30_000)
            self.assertEventually(lambda: "What is beyond 20,000 characters" in self.find("#notice").text, "it is said")
            paste(1000)
            self.assertEventually(lambda: button(end).is_enabled(), "it is short enough")
            button(end).click()
            self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "the sheet is closed")
            if what == "text":
                self.assertEqual(self.kept_card()["textElements"][0]["text"], "x" * 1000)
                self.element(f"Text {'x' * 1000}").send_keys(Keys.DELETE)
                self.assertEventually(lambda: not self.elements(), "it is gone")
        self.assertEventually(lambda: self.kept_card().get("name") == "x" * 1000, "the name is kept")

    def test_nothing_sticks_out_on_the_narrowest_phone(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Hello")
        self.show_as("light", 320, 640)
        # What is written in a button, or its symbol, ends within its padding.
        outside = """
            return [...document.querySelectorAll(arguments[0])].flatMap(button => {
              const box = button.getBoundingClientRect(), range = document.createRange()
              range.selectNodeContents(button)
              return [...range.getClientRects()].filter(({ left, right, width }) =>
                width && (left < box.left + 7 || right > box.right - 7)).map(() => button.textContent)
            })"""
        self.assertEqual(self.browser.execute_script(outside, ".toolbar.bottom :is(button, [data-button])"), [])
        self.press("Edit")
        self.find("dialog")
        widths = self.browser.execute_script("""
            return [...document.querySelectorAll("dialog [aria-label=Size] svg")].map(node => node.getBoundingClientRect().width)""")
        self.assertEqual(len(widths), 2)
        for width in widths:
            self.assertGreater(width, 14)
        self.tap("dialog [data-cancel]")
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "the sheet is closed")
        self.press("Done")
        self.find("select")
        shown, needed = self.browser.execute_script("""
            const select = document.querySelector("select"), shown = select.getBoundingClientRect().width
            select.style.width = "max-content"
            return [shown, select.getBoundingClientRect().width]""")
        self.assertGreaterEqual(shown, needed)

    def test_large_letters_fit_on_a_phone(self):
        self.open_window(first=True)
        self.show_as("light", 390, 844)
        closed = lambda: self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
        for letters in [24, 32]:
            self.assertFits("no card", letters)
            self.add_card()
            self.add_image()
            self.add_text("Hello words")
            for label, tools in [("Text Hello words", ["Edit", "Background", "Hello"]), ("Image 1", ["Frame"])]:
                self.focus(label)
                self.assertFits(label, letters)
                for tool in tools:
                    self.press(tool)
                    self.find("dialog")
                    self.assertFits(tool, letters)
                    self.find("dialog button, dialog input").send_keys(Keys.ESCAPE)
                    closed()
            self.press("Done")
            self.find("[aria-label='Open Hello words']")
            self.assertFits("the list", letters)
            self.tap("[aria-label='Remove Hello words']")
            self.find(".messages button")
            self.browser.execute_script("document.querySelector('details').open = true")
            self.assertFits("a message and removed cards", letters)
            self.tap(".messages button")
            self.find("[aria-label='Open Hello words']").send_keys(Keys.ENTER)
            self.find(".board.large")
            self.press("Done")
            self.find("[aria-label='Remove Hello words']").send_keys(Keys.ENTER)
            self.find(".messages button")

    def test_the_chosen_color_has_a_ring_and_the_sheet_keeps_its_place(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Hello")
        rings = lambda: self.browser.execute_script("""
            return [...document.querySelectorAll("dialog [aria-label=Colors] button")]
              .filter(node => /5px/.test(getComputedStyle(node).boxShadow)).map(node => node.getAttribute("aria-label"))""")
        for scheme in ["light", "dark"]:
            self.show_as(scheme, 1200, 800)
            self.press("Background")
            for color in ["Coral", "Ink", "White"]:
                self.tap(f"dialog [aria-label={color}]")
                self.assertEventually(lambda: rings() == [color], f"{color} has a ring")
            self.press("Done", "//dialog")
            self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "the sheet is closed")
        self.press("Edit")
        self.assertEventually(lambda: rings() == ["Ink"], "the color of the text has a ring")
        buttons = lambda: self.browser.execute_script("""
            return [...document.querySelectorAll("dialog button")].map(node => {
              const { x, y, width, height } = node.getBoundingClientRect()
              return [x, y, width, height]
            })""")
        before = buttons()
        self.press("One line that fills the box", "//dialog")
        self.assertEventually(lambda: "Fills the box" in self.find("dialog").text, "it is chosen")
        self.assertEqual(buttons(), before)

    def test_back_leaves_a_sheet_before_the_card(self):
        self.open_window(first=True)
        self.add_card()
        self.press("Text")
        self.find("dialog textarea").send_keys("Half")
        sheets = lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#root dialog"))
        for answer in ["keep", "discard"]:
            self.browser.back()
            if answer == "keep":
                # Back closes the question, as the escape key does.
                self.find("dialog button[value=keep]")
                self.browser.back()
                self.assertEventually(lambda: not self.browser.find_elements(By.CSS_SELECTOR, "[value=keep]"), "no question")
                self.assertEqual(self.find("dialog textarea").get_attribute("value"), "Half")
                self.browser.back()
            self.tap(f"dialog button[value={answer}]")
            self.assertEventually(lambda: sheets() == (answer == "keep"), answer)
        self.find(".board.large")
        self.browser.back()
        self.find("[aria-label='Open Empty card']")
        self.assertEventually(
            lambda: not self.browser.execute_script("return history.state?.isDeep"), "nothing is left to leave")

    def test_a_copy_has_the_focus_in_the_list(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("One")
        self.press("Done")
        self.tap("[aria-label='Open One']")
        self.press("One")
        self.find("dialog input").send_keys("Name")
        self.press("Duplicate", "//dialog")
        self.assertEventually(lambda: "Name copy" in self.find("[role=heading]").text, "the copy is open")
        self.press("Done")
        self.assertEventually(lambda: self.focused() == "Open Name copy", "the copy has the focus")
        self.tap("[aria-label='Open Name']")
        self.find(".board.large")
        self.press("Done")
        self.assertEventually(lambda: self.focused() == "Open Name", "the card that was opened has it")

    def test_a_text_wraps_at_its_size_and_one_of_an_older_file_fills_its_box(self):
        self.open_window(first=True)
        self.add_card()
        self.press("Text")
        self.find("dialog textarea").send_keys(
            "A text that is far too long for a line", Keys.ENTER, "and a second paragraph")
        self.press("Add", "//dialog")
        label = "Text A text that is far too long for a line and a second paragraph"
        shown = lambda: self.browser.execute_script("""
            const node = document.querySelector(".wrapped"), range = document.createRange()
            range.selectNodeContents(node)
            const lines = new Set([...range.getClientRects()].map(box => Math.round(box.y))).size
            return [lines, parseFloat(getComputedStyle(node).fontSize),
              node.scrollHeight <= node.clientHeight + 1]""")
        self.element(label)
        lines, size, fits = shown()
        self.assertGreater(lines, 3)
        self.assertTrue(fits, "the box is as high as its lines")
        self.assertEqual(self.kept_card()["textElements"][0]["fontSize"], 120)
        self.press("Edit")
        self.tap("dialog [aria-label='Smaller letters']")
        self.press("Change", "//dialog")
        self.assertEventually(lambda: self.kept_card()["textElements"][0]["fontSize"] == 96, "smaller")
        self.assertEventually(lambda: abs(shown()[1] / size - 0.8) < 0.01, "they are seen smaller")
        # Its box cannot be made so small that lines do not fit.
        box = self.element(label).rect
        self.drag(self.find(".handle.se"), -60, -120)
        self.assertLess(self.element(label).rect["width"], box["width"] - 20)
        self.assertTrue(shown()[2], "the box is as high as its lines")
        for axis in ("x", "y"):
            self.assertAlmostEqual(self.element(label).rect[axis], box[axis], delta=1)
        self.element(label).send_keys("-" * 20)
        self.assertTrue(shown()[2], "the box is as high as its lines")
        before = self.place(label)
        self.element(label).send_keys(Keys.ARROW_LEFT)
        self.assertEqual(self.place(label)[:2], before[:2])
        self.assertEventually(
            lambda: self.kept_card()["textElements"][0]["transform"]["offset"] == self.place(label)[2:4],
            "the move is in the file")

        path = next(self.documents.glob("*.rwcard"))
        card = json.loads(path.read_text())
        card["textElements"] = [{"id": card["textElements"][0]["id"], "text": "Older",
                                 "transform": {"size": [600, 300], "offset": [0, 0]}}]
        path.write_text(json.dumps(card))
        box = self.element("Text Older").rect
        text = self.element("Text Older").find_element(By.CSS_SELECTOR, "svg.fitted text").rect
        self.assertAlmostEqual(text["width"], box["width"], delta=2)
        self.focus("Text Older")
        self.press("Edit")
        self.find("dialog textarea").send_keys("!")
        self.press("Change", "//dialog")
        self.element("Text Older!")
        self.assertNotIn("fontSize", self.kept_card()["textElements"][0])

    def test_a_text_that_is_cut_off_at_the_edge_of_the_card_is_said_to_be(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Small")
        hint = lambda: " ".join(node.text for node in self.browser.find_elements(By.CSS_SELECTOR, ".cut") if node.is_displayed())
        said = lambda words: self.assertEventually(lambda: hint() == words, words or "nothing is said")
        # Its box is partly beside the card, its words are not.
        self.element("Text Small").send_keys(Keys.ARROW_DOWN * 20 + Keys.ARROW_RIGHT * 12)
        self.assertGreater(self.place("Text Small")[2], 200)
        said("")
        self.element("Text Small").send_keys(Keys.ARROW_RIGHT * 18)
        said("“Small” is cut off at the edge of the card.")
        self.element("Text Small").send_keys("]" * 18)
        said("")
        self.assertEqual(self.place("Text Small")[4], 90)
        long = " ".join(["Many words that need room"] * 14)
        self.press("Text")
        eventually(lambda: self.find("dialog textarea").send_keys(long) or True, "a field")
        self.press("Add", "//dialog")
        said("“Many words that need room Many…” is cut off at the edge of the card.")
        self.assertAccessible("a text that is cut off")
        self.browser.refresh()
        said("“Many words that need room Many…” is cut off at the edge of the card.")
        for _ in range(4):
            self.browser.execute_script("arguments[0].focus()", self.elements()[1])
            self.press("Edit")
            self.tap("dialog [aria-label='Smaller letters']")
            self.press("Change", "//dialog")
            self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
        said("")
        self.tap("[aria-label=Undo]")
        self.tap("[aria-label=Undo]")
        self.tap("[aria-label=Undo]")
        said("“Many words that need room Many…” is cut off at the edge of the card.")
        self.press("Remove")
        said("")

    def saved(self, css, name):
        """The bytes that a link saves."""
        self.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {
            "behavior": "allow", "downloadPath": str(self.files)})
        self.tap(css)
        path = self.files / name
        eventually(lambda: path.exists() and path.stat().st_size, f"{name} is saved")
        return path

    def test_a_card_is_named_copied_saved_and_added_again(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image(png(60, 40, (0, 200, 0)))
        self.add_text("Words")
        self.press("Words")
        self.find("dialog input").send_keys("My card")
        self.press("Done", "//dialog")
        self.assertEventually(lambda: self.kept_card().get("name") == "My card", "the name is kept")
        self.press("My card")
        file = self.saved("dialog a[download]", "My card.card")
        archive = json.loads(file.read_text())
        self.assertEqual(len(archive["images"]), 1)

        # The picture is as large as the card, and what is on it is where it is shown.
        image = self.saved("dialog a[data-picture]", "My card.png").read_bytes()
        self.assertEqual(struct.unpack(">II", image[16:24]), (1300, 2000))
        x, y = archive["card"]["imageElements"][0]["transform"]["offset"]
        colors = self.browser.execute_async_script("""
            const [bytes, points, done] = arguments
            createImageBitmap(new Blob([new Uint8Array(bytes)])).then(bitmap => {
              const canvas = document.createElement("canvas")
              Object.assign(canvas, { width: bitmap.width, height: bitmap.height })
              const context = canvas.getContext("2d")
              context.drawImage(bitmap, 0, 0)
              done(points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]))
            })""", list(image), [[650 + x, 1000 + y], [4, 4]])
        background = [round(part * 255) for part in archive["card"]["backgroundColor"]]
        self.assertEqual(colors[0], [0, 200, 0, 255])
        for shown, kept in zip(colors[1], background):
            self.assertAlmostEqual(shown, kept, delta=1)

        # What is saved has the name that is written, also before that is the card's.
        field = self.find("dialog input")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("Other: name")
        self.find("dialog a[download='Other_ name.card']")
        saved = json.loads(self.saved("dialog a[download]", "Other_ name.card").read_text())
        self.assertEqual(saved["card"]["name"], "Other: name")
        self.saved("dialog a[data-picture]", "Other_ name.png")
        self.assertEqual(self.kept_card()["name"], "My card")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("My card")

        self.press("Duplicate")
        self.assertEventually(lambda: len(self.kept_cards()) == 2, "the copy is kept")
        self.find("[data-movable]")
        self.press("Done")
        field = lambda: self.find("[data-upload=file]")
        field().send_keys(str(file))
        self.find(".board.large")
        self.assertEventually(lambda: len(self.kept_cards()) == 3, "the file's card is kept")
        self.assertImageIsDrawn()
        self.press("Done")
        field().send_keys(self.file("broken & 2.card", file.read_bytes()[:200]))
        self.assertEventually(
            lambda: "“broken & 2.card” is not a card" in self.find(".window [role=status]").text,
            "the page says so, and which file it is")
        large = self.file("large.card", b"")
        os.truncate(large, 65 << 20)
        field().send_keys(large)
        self.assertEventually(lambda: "too large" in self.find("#notice").text, "the page says so")
        self.assertEqual(len(self.kept_cards()), 3)

    def test_a_picture_that_is_missing_or_damaged_says_which(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        path = next(self.documents.glob("*.png"))
        path.write_bytes(b"damaged")
        self.browser.refresh()
        self.assertEventually(lambda: path.name in self.browser.execute_script(
            "return document.querySelector('.board.large img.photo.missing').alt"), "its name")
        self.assertAccessible("a missing picture")

    def test_a_name_is_written_on_where_it_ends(self):
        self.open_window(first=True)
        self.add_card()
        for words in ["First", " card"]:
            self.tap("[title='Name, duplicate and save the card']")
            self.assertEventually(
                lambda: self.browser.switch_to.active_element.get_attribute("type") == "text", "the field")
            ActionChains(self.browser).send_keys(words).perform()
            self.press("Done", "//dialog")
            self.assertEventually(
                lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
        self.assertEventually(lambda: self.kept_card().get("name") == "First card", "both")

    def test_frames_colors_and_levels(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.focus("Image 1")
        self.press("Frame")
        self.assertEventually(
            lambda: len(self.browser.find_elements(
                By.CSS_SELECTOR, "dialog .grid > button")) == 11, "eleven frames")
        self.tap("dialog [aria-label=Heart]")
        self.assertEventually(lambda: self.kept_card()["imageElements"][0]["frame"] == 3, "a heart")
        self.assertEventually(lambda: "url(" in self.browser.execute_script(
            "return getComputedStyle(arguments[0].querySelector('.fill')).clipPath",
            self.element("Image 1")), "the image is cut out")
        self.element("Image 1").send_keys(Keys.ESCAPE)

        self.press("Background")
        self.tap("dialog [aria-label=Slate]")
        self.press("Done", "//dialog")
        background = lambda: self.browser.execute_script(
            "return getComputedStyle(document.querySelector('.surface')).backgroundColor")
        self.assertEventually(lambda: background().startswith("rgb(64"), "the background")
        self.app.kill()
        self.assertEventually(
            lambda: self.kept_card()["backgroundColor"] == [0.25, 0.3, 0.4, 1], "what is seen is kept")
        self.assertEventually(lambda: self.find("#notice").is_displayed(), "the page says so")
        self.app.start()
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it is back")

        self.add_text("Above")
        self.focus("Image 1")
        self.tap("[aria-label='Bring forward']")
        self.assertEventually(
            lambda: self.elements()[-1].get_attribute("aria-label") == "Image 1", "it is above")
        card = self.kept_card()
        self.assertEqual(card["order"][-1], card["imageElements"][0]["id"])

    def test_the_keyboard_is_enough(self):
        self.open_window(first=True)

        def focused():
            return self.browser.switch_to.active_element

        def press(*keys):
            ActionChains(self.browser).send_keys(*keys).perform()

        def go(label):
            for _ in range(20):
                press(Keys.TAB)
                if label in (focused().get_attribute("aria-label"), focused().text.strip()):
                    return
            self.fail(f"{label} is not reached")

        go("Add a card")
        press(Keys.ENTER)
        self.find(".board.large")
        go("Text")
        for key, tool in [(Keys.ARROW_RIGHT, "Background"), (Keys.ARROW_LEFT, "Text"),
                          (Keys.END, "Background"), (Keys.ARROW_LEFT, "Text")]:
            press(key)
            self.assertEqual(focused().text.strip(), tool)
        press(Keys.ENTER)
        self.assertEventually(lambda: focused().tag_name == "textarea", "the field")
        press("Typed")
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys(Keys.ENTER) \
            .key_up(Keys.CONTROL).perform()
        self.element("Text Typed")
        go("Text Typed")
        start = self.place("Text Typed")
        press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        ActionChains(self.browser).key_down(Keys.SHIFT).send_keys(Keys.ARROW_UP) \
            .key_up(Keys.SHIFT).perform()
        press("+", "]", "]", "[")
        w, h, x, y, r = self.place("Text Typed")
        self.assertEqual([x - start[2], y - start[3], r], [40, 19, 5])
        self.assertAlmostEqual(w, start[0] * 1.05, 0)
        outline = self.browser.execute_script(
            "return getComputedStyle(document.activeElement).outlineStyle")
        self.assertEqual(outline, "solid")
        go("Edit")
        press(Keys.ENTER)
        self.assertEventually(lambda: focused().tag_name == "textarea", "the field")
        press(Keys.ESCAPE)
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
        self.assertEqual(focused().text.strip(), "Edit")
        self.focus("Text Typed")
        press(Keys.DELETE)
        self.assertEventually(lambda: self.elements() == [], "it is gone")
        self.find("body").send_keys(Keys.CONTROL, "z")
        self.element("Text Typed")
        kept = lambda: self.kept_card()["textElements"][0]["transform"]
        self.assertEventually(lambda: kept()["offset"] == [x, y], "the place is kept")

    def test_a_text_that_is_not_discarded_keeps_the_keyboard(self):
        self.open_window(first=True)
        self.add_card()
        self.press("Text")
        self.find("dialog textarea").send_keys("Kept")
        questions = lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "[value=discard]"))
        state = lambda: (questions(), self.browser.execute_script("return document.activeElement.value"))
        for count in [2, 2, 4, 1]:
            for _ in range(count):
                ActionChains(self.browser, duration=0).send_keys(Keys.ESCAPE).perform()
            if count > 1:
                self.assertEventually(lambda: state() == (0, "Kept"), f"the field has it after {count} keys")
        self.assertEventually(lambda: questions() == 1, "it is asked")
        # Two keys before the browser says that the first has closed the question.
        self.browser.execute_script("""
            for (const _ of [1, 2])
              document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }))""")
        self.assertEventually(lambda: questions() == 1, "only one is left")
        self.assertTrue(self.find("dialog:has([value=discard])").get_attribute("open"))

    def test_a_palette_is_one_stop_of_the_keyboard_and_arrows_choose(self):
        self.open_window(first=True)
        self.add_card()
        self.press("Background")
        self.tap("dialog [aria-label=Sand]")
        keys = lambda *keys: ActionChains(self.browser).send_keys(*keys).perform()
        state = lambda: self.browser.execute_script("""
            const radios = [...document.querySelectorAll("dialog [role=radiogroup][aria-label=Colors] [role=radio]")]
            const names = test => radios.filter(test).map(node => node.getAttribute("aria-label"))
            return [radios.length, names(node => node.getAttribute("aria-checked") === "true"),
              names(node => node.tabIndex === 0), names(node => node === document.activeElement)]""")
        is_at = lambda name: self.assertEventually(lambda: state() == [10, [name], [name], [name]], name)
        is_at("Sand")
        for key, name in [(Keys.ARROW_RIGHT, "Slate"), (Keys.ARROW_DOWN, "White"), (Keys.ARROW_UP, "Slate"),
                          (Keys.END, "Ink"), (Keys.ARROW_RIGHT, "Sunflower"), (Keys.ARROW_LEFT, "Ink"),
                          (Keys.HOME, "Sunflower"), (Keys.ARROW_RIGHT, "Coral")]:
            keys(key)
            is_at(name)
        # What has the keyboard is not only what is chosen.
        shown = "return [getComputedStyle(arguments[0]).outlineStyle, getComputedStyle(arguments[0]).boxShadow !== 'none']"
        self.assertEqual(self.browser.execute_script(shown, self.find("[aria-label=Coral]")), ["solid", True])
        keys(Keys.TAB)
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("type"), "color")
        self.assertEqual(self.browser.execute_script(shown, self.find("[aria-label=Coral]"))[0], "none")
        ActionChains(self.browser).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
        is_at("Coral")
        self.press("Done", "//dialog")
        self.assertEventually(lambda: self.kept_card()["backgroundColor"] == [.97, .47, .4, 1], "it is kept")
        # The one that is chosen has the keyboard first; where none is, the first can be reached.
        self.press("Background")
        is_at("Coral")
        self.browser.execute_script("""
            arguments[0].value = "#123456"
            arguments[0].dispatchEvent(new Event("input", { bubbles: true }))""", self.find("dialog [type=color]"))
        self.assertEventually(lambda: state()[:3] == [10, [], ["Sunflower"]], "none is chosen")

    def test_letters_and_frames_are_one_stop_of_the_keyboard(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.add_text("Words")
        keys = lambda *keys: ActionChains(self.browser).send_keys(*keys).perform()
        focused = lambda: self.browser.switch_to.active_element

        def state(group):
            return self.browser.execute_script("""
                const radios = [...document.querySelectorAll(`dialog [role=radiogroup][aria-label=${arguments[0]}] [role=radio]`)]
                const names = test => radios.filter(test).map(node => node.getAttribute("aria-label"))
                return [radios.length, names(node => node.getAttribute("aria-checked") === "true"),
                  names(node => node.tabIndex === 0), names(node => node === document.activeElement)]""", group)

        self.press("Edit")
        self.browser.execute_script("arguments[0].focus()", self.find("dialog [type=color]"))
        keys(Keys.TAB)
        is_at = lambda name: self.assertEventually(lambda: state("Letters") == [4, [name], [name], [name]], name)
        is_at("Default")
        for key, name in [(Keys.ARROW_RIGHT, "Serif"), (Keys.END, "Monospaced"), (Keys.ARROW_DOWN, "Default"),
                          (Keys.ARROW_LEFT, "Monospaced"), (Keys.ARROW_UP, "Rounded")]:
            keys(key)
            is_at(name)
        keys(Keys.TAB)
        self.assertEqual(focused().get_attribute("aria-label"), "Smaller letters")
        self.press("Change", "//dialog")
        self.assertEventually(lambda: self.kept_card()["textElements"][0]["textFont"] == "rounded", "it is kept")
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")

        # Arrow keys go along the frames, and choose none: to choose one ends the sheet.
        self.focus("Image 1")
        self.press("Frame")
        is_at = lambda name, chosen: self.assertEventually(
            lambda: state("Frames") == [11, chosen, [name], [name]], name)
        is_at("Circle", [])
        keys(Keys.ARROW_RIGHT)
        second = focused().get_attribute("aria-label")
        self.assertNotEqual(second, "Circle")
        is_at(second, [])
        keys(Keys.TAB)
        self.assertEqual(focused().text, "Cancel")
        ActionChains(self.browser).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
        is_at(second, [])
        self.assertNotIn("frame", self.kept_card()["imageElements"][0])
        keys(Keys.ENTER)
        self.assertEventually(lambda: self.kept_card()["imageElements"][0].get("frame") == 1, "it is kept")
        self.assertEventually(lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
        self.press("Frame")
        is_at(second, [second])

    def test_the_keyboard_goes_along_the_bar_as_it_is_seen(self):
        self.open_window(first=True)
        self.add_card()
        self.press("Done")
        self.find("[role=searchbox]")
        for width in [360, 640, 1280]:
            self.show_as("light", width, 740)
            self.browser.execute_script("root.focus()")
            names, places = [], []
            for _ in range(4):
                ActionChains(self.browser).send_keys(Keys.TAB).perform()
                node = self.browser.switch_to.active_element
                box = self.browser.execute_script("""
                    return (arguments[0].closest("[data-button]") ?? arguments[0]).getBoundingClientRect()""", node)
                names.append(node.get_attribute("aria-label"))
                # In rows, and along each.
                places.append((round(box["y"] / 30), box["x"]))
            self.assertEqual(names[1:], ["Add a card", "Search", "Order"])
            self.assertEqual(places, sorted(places), width)

    def test_every_view_is_accessible_on_every_screen(self):
        self.open_window(first=True)
        for screen in self.screens():
            self.assertAccessible(("no card", screen))
            self.add_card()
            self.assertAccessible(("an empty card", screen))
            self.add_image()
            self.add_text("Words")
            for label in ["Image 1", "Text Words"]:
                self.focus(label)
                self.assertAccessible((label, screen))
            for tool in ["Edit", "Text", "Background", "Frame"]:
                if tool == "Frame":
                    self.focus("Image 1")
                self.press(tool)
                self.find("dialog")
                self.assertAccessible((tool, screen))
                if tool == "Text":
                    self.find("dialog textarea").send_keys("Lost")
                    self.find("dialog textarea").send_keys(Keys.ESCAPE)
                    self.find("[value=discard]")
                    self.assertAccessible(("a question", screen))
                    self.tap("[value=discard]")
                else:
                    self.find("dialog button").send_keys(Keys.ESCAPE)
                self.assertEventually(
                    lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
            self.tap("[title='Name, duplicate and save the card']")
            self.find("dialog")
            self.assertAccessible(("Card", screen))
            self.press("Done", "//dialog")
            self.assertEventually(
                lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
            self.assertEqual(self.browser.title, "Words")
            self.press("Done")
            self.find("[role=list] > [role=listitem] [aria-label='Open Words']")
            self.assertEqual(self.browser.title, "Cards")
            self.assertAccessible(("the list", screen))
            tile = self.find("[role=listitem]")
            self.assertNotIn("A name", tile.text)
            self.tap("[aria-label='Open Words']")
            self.tap("[title='Name, duplicate and save the card']")
            name = "A name that is far too long for the line below its tile"
            eventually(lambda: self.find("dialog input").send_keys(name) or True, "a field")
            self.press("Done", "//dialog")
            self.assertEventually(
                lambda: not self.browser.find_elements(By.TAG_NAME, "dialog"), "closed")
            self.press("Done")
            eventually(lambda: name in self.find("[role=listitem]").text, "the tile says the name")
            self.assertTrue(self.browser.execute_script("""
                const node = document.querySelector("[role=listitem] [title^='A name']")
                const { lineHeight } = getComputedStyle(node)
                return node.scrollWidth > node.clientWidth && node.clientHeight < 1.5 * parseFloat(lineHeight)"""),
                "the name is cut off in one line")
            self.assertAccessible(("a named card", screen))
            self.tap(f"[aria-label='Open {name}']")
            self.tap("[aria-label=Undo]")
            self.assertEventually(lambda: self.browser.title == "Words", "the name is undone")
            self.press("Done")
            self.find("[aria-label='Open Words']")
            # The message of the screen before may lie on the button.
            self.find("[aria-label='Remove Words']").send_keys(Keys.ENTER)
            self.assertEventually(lambda: not self.browser.find_elements(
                By.CSS_SELECTOR, "[aria-label='Open Words']"), "it is removed")
            self.assertIn("Undo", self.find(".messages").text)
            self.assertAccessible(("a message", screen))
            self.tap("summary")
            self.find("[aria-label='Bring Words back']")
            self.assertAccessible(("removed cards", screen))

    def test_everything_that_can_be_pressed_has_a_name(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.press("Background")
        self.find("dialog")
        nameless = self.browser.execute_script("""
            return [...document.querySelectorAll('button, [role=button], [role=group], input')]
              .filter(node => !node.textContent.trim() && !node.getAttribute('aria-label')
                && !node.labels?.[0]?.textContent.trim()).length""")
        self.assertEqual(nameless, 0)
        named = self.browser.execute_script("""
            const dialog = document.querySelector('dialog')
            return document.getElementById(dialog.getAttribute('aria-labelledby')).textContent""")
        self.assertEqual(named, "Background")

    def open_many(self, count=120):
        """Opens the list with so many cards, and returns what selects a tile."""
        self.app.kill()
        self.documents.mkdir(parents=True, exist_ok=True)
        for index in range(count):
            card = {"id": str(uuid.uuid4()).upper(), "created": f"2026-01-01T00:{index // 60:02}:{index % 60:02}Z",
                    "name": f"Card {index}"}
            (self.documents / f"{card['id']}.rwcard").write_text(json.dumps(card))
        self.app.start()
        self.open_window(first=True)
        tile = "[aria-label='Open Card {}']".format
        self.find(tile(0))
        return tile

    def test_what_a_search_finds_has_no_empty_room_around_it(self):
        tile = self.open_many()
        tiles = lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".grid > *"))
        room = lambda: self.browser.execute_script("""
            const tiles = [...document.querySelectorAll(".grid > *")].map(tile => tile.getBoundingClientRect())
            const grid = document.querySelector(".grid").getBoundingClientRect()
            return [tiles[0].top - grid.top, grid.bottom - tiles.at(-1).bottom, document.documentElement.scrollHeight]""")
        for edge, words, count in [(0, "card 11", 11), (119, "card 11", 11), (119, "card 77", 1)]:
            self.browser.execute_script("scrollTo(0, arguments[0] && document.documentElement.scrollHeight)", edge)
            self.find(tile(edge))
            self.find("[role=searchbox]").send_keys(words)
            self.assertEventually(lambda: tiles() == count, "those found")
            self.assertEventually(lambda: room()[0] < 2 and room()[1] < 2, f"no room around {words}")
            self.find("[role=searchbox]").send_keys(Keys.BACKSPACE * len(words))
            self.assertEventually(lambda: tiles() > 11 and room()[2] > 4000, "all are there again")

    def test_the_list_keeps_its_place_and_back_leaves_a_card(self):
        tile = self.open_many()
        self.assertLess(len(self.browser.find_elements(By.CSS_SELECTOR, ".grid > *")), 60)
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, tile(119)), [])
        height = self.browser.execute_script("return document.documentElement.scrollHeight")
        self.browser.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
        self.find(tile(119))
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, tile(0)), [])
        self.assertAlmostEqual(
            self.browser.execute_script("return document.documentElement.scrollHeight"), height, delta=80)
        position = self.browser.execute_script("scrollBy(0, -300); return scrollY")

        def is_in_place():
            return abs(self.browser.execute_script("return scrollY") - position) < 2

        focused = lambda: self.browser.switch_to.active_element.get_attribute("aria-label")

        def open_and(leave):
            self.browser.execute_script("arguments[0].focus({ preventScroll: true })", self.find(tile(110)))
            self.browser.switch_to.active_element.send_keys(Keys.ENTER)
            self.find(".board.large")
            leave()
            self.find(tile(110))
            self.assertEventually(is_in_place, "the list is where it was")
            self.assertEventually(lambda: focused() == "Open Card 110", "the tile has the focus")

        time.sleep(.2)
        open_and(lambda: self.press("Done"))
        open_and(self.browser.back)
        open_and(lambda: self.browser.refresh() or self.press("Done"))
        # Done has taken away what Back would have left.
        self.assertEventually(
            lambda: not self.browser.execute_script("return history.state?.isDeep"), "it is not deep")
        self.browser.refresh()
        self.find(tile(110))
        self.assertEventually(is_in_place, "a reload keeps the place")

        self.browser.execute_script("scrollTo(0, 0)")
        self.find("[role=searchbox]").send_keys("card 11")
        self.assertEventually(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".grid > *")) == 11, "those found")
        self.find("select").send_keys("Newest first")
        self.assertEventually(lambda: self.find(".grid [aria-label^='Open']").get_attribute("aria-label")
                              == "Open Card 119", "the newest is first")
        self.browser.refresh()
        self.assertEventually(lambda: self.find(".grid [aria-label^='Open']").get_attribute("aria-label")
                              == "Open Card 119", "the search stays")

    def test_pictures_of_cards_are_drawn_once(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.add_text("Drawn")
        self.press("Done")
        thumbnails = Path(self.directory, "Library/Caches")
        drawn = lambda: [path for path in thumbnails.rglob("*") if "thumbnails" in str(path) and path.is_file()]
        self.assertEventually(lambda: len(drawn()) == 1, "a picture is drawn")
        self.assertEqual(drawn()[0].read_bytes()[8:12], b"WEBP")
        self.assertEventually(lambda: self.browser.execute_script("""
            const image = document.querySelector(".grid .photo")
            return !document.querySelector("[data-draw]") && image.naturalWidth === 400"""), "it is shown")
        self.app.kill()
        time_drawn = drawn()[0].stat().st_mtime_ns
        self.app.start()
        self.browser.get(self.app.address)
        self.assertEventually(lambda: self.browser.execute_script(
            "return document.querySelector('.grid .photo')?.naturalWidth === 400"), "it is shown again")
        self.assertEqual(drawn()[0].stat().st_mtime_ns, time_drawn)

    def test_hostile_files(self):
        self.open_window(first=True)
        self.add_card()
        for name, content in [
            ("evil.png", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
            ("page.png", b"<!doctype html><script>alert(1)</script>"),
            ("short.png", png(4, 4)[:20]),
            ("empty.png", b""),
        ]:
            self.find("[data-upload]").send_keys(self.file(name, content))
            self.assertEventually(
                lambda: f"“{name}”" in self.find("#notice").text, f"{name} is refused")
            self.find("#notice button").click()
        self.assertEqual(self.elements(), [])
        self.add_image(name="..%2f<img src=x onerror=alert(1)>\u202egnp.png")
        self.add_text("<img src=x onerror=alert(1)>")
        self.assertImageIsDrawn()
        # Past the page, the app refuses them as well, and a stranger altogether.
        post = """
            const [token, body, done] = arguments
            const element = document.querySelector("[data-upload]")
            const query = new URLSearchParams({ session: sessionStorage.session, element: element.id,
              upload: crypto.randomUUID() })
            fetch(`/upload?${query}`, { method: "POST", body,
              headers: token ? { Authorization: `Bearer ${localStorage.token}` } : {} })
              .then(reply => done(reply.status), () => done(0))"""
        evil = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"
        self.assertEqual(self.browser.execute_async_script(post, True, evil), 415)
        self.assertEqual(self.browser.execute_async_script(post, False, "GIF89a"), 403)
        self.assertEqual(len(self.elements()), 2)
        names = {path.name for path in self.documents.iterdir() if not path.name.startswith(".")}
        self.assertEqual(len([name for name in names if name.endswith(".png")]), 1)
        self.assertFalse([name for name in names if "<" in name or "%" in name])
        reply = self.browser.execute_async_script("""
            const done = arguments[0]
            fetch(document.querySelector("img.photo").src).then(reply =>
              done(["content-type", "x-content-type-options", "content-security-policy"]
                .map(name => reply.headers.get(name))))""")
        self.assertEqual(reply[:2], ["image/png", "nosniff"])
        self.assertIn("default-src 'none'", reply[2])

    def test_what_is_said_of_a_refused_file_goes_with_the_next_thing_that_is_done(self):
        self.open_window(first=True)
        self.add_card()

        def refuse():
            self.find("[data-upload]").send_keys(self.file("notes.txt", b"no picture"))
            self.assertEventually(lambda: "“notes.txt”" in self.find("#notice").text, "it is refused")

        gone = lambda: self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it goes")
        refuse()
        self.find("#notice button").click()
        gone()
        refuse()
        self.add_image()
        gone()
        refuse()
        # Nothing is done yet.
        time.sleep(1)
        self.assertIn("“notes.txt”", self.find("#notice").text)
        self.element("Image 1").send_keys(Keys.ARROW_DOWN)
        gone()
        refuse()
        self.tap("[aria-label=Undo]")
        gone()
        # Of two files the one that is added does not take the other's message away.
        self.find("[data-upload]").send_keys("\n".join(
            [self.file("notes.txt", b"no picture"), self.file("other.png", png(30, 20))]))
        self.assertEventually(lambda: len(self.elements()) == 2, "the picture is on the card")
        self.assertEventually(lambda: "“notes.txt”" in self.find("#notice").text, "it is refused")
        time.sleep(1)
        self.assertIn("“notes.txt”", self.find("#notice").text)

    def focused(self):
        return self.browser.execute_script(
            "const { activeElement: node } = document; return node.getAttribute('aria-label') ?? node.innerText")

    def test_the_focus_is_back_where_it_was_once_a_message_was_read(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        for dismiss in [lambda button: button.send_keys(Keys.ENTER), lambda button: button.click()]:
            self.focus("Image 1")
            self.find("[data-upload]").send_keys(self.file("notes.txt", b"no picture"))
            self.assertEventually(lambda: "“notes.txt”" in self.find("#notice").text, "it is refused")
            self.focus("Image 1")
            dismiss(self.find("#notice button"))
            self.assertEventually(lambda: not self.find("#notice").is_displayed(), "it goes")
            self.assertEqual(self.focused(), "Image 1")
        self.press("Done")
        self.find("[aria-label^='Open ']")
        self.find("[data-upload]").send_keys(self.file("notes.rwcard", b"no card"))
        self.find("[aria-label=Dismiss]")
        self.browser.execute_script("document.querySelector('[aria-label^=\"Open \"]').focus()")
        self.find("[aria-label=Dismiss]").send_keys(Keys.ENTER)
        self.assertEventually(lambda: not self.browser.find_elements(By.CSS_SELECTOR, "[aria-label=Dismiss]"), "it goes")
        self.assertTrue(self.focused().startswith("Open "), self.focused())

    def test_what_brings_the_last_card_back_gives_the_keyboard_to_none_that_removes(self):
        self.open_window(first=True)
        for card in ["One", "Two"]:
            self.add_card()
            self.add_text(card)
            self.press("Done")
        self.tap("[aria-label='Remove One']")
        self.tap("summary")
        self.find("[aria-label='Bring One back']").send_keys(Keys.ENTER)
        self.find("[aria-label='Open One']")
        self.assertEventually(lambda: self.focused().startswith("Open "), "a card has the focus")

    def test_a_card_that_is_brought_back_has_the_keyboard(self):
        self.open_window(first=True)
        for card in ["One", "Two", "Three", "Four"]:
            self.add_card()
            self.add_text(card)
            self.press("Done")
        for card in ["Two", "Three"]:
            self.tap(f"[aria-label='Remove {card}']")
            self.assertEventually(lambda: not self.browser.find_elements(
                By.CSS_SELECTOR, f"[aria-label='Open {card}']"), "it is removed")
        self.tap("summary")
        for card, press in [("Two", lambda button: button.send_keys(Keys.ENTER)), ("Three", lambda button: button.click())]:
            press(self.find(f"[aria-label='Bring {card} back']"))
            self.find(f"[aria-label='Open {card}']")
            self.assertEventually(lambda: self.focused() == f"Open {card}", f"{card} has the focus")

    def test_a_card_that_is_brought_back_into_a_long_list_is_in_view(self):
        tile = self.open_many(39)
        for size in [(1280, 800), (390, 844)]:
            self.show_as("light", *size)
            for number in [36, 37, 38]:
                self.browser.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
                self.find(f"[aria-label='Remove Card {number}']").send_keys(Keys.ENTER)
                self.find(f"[aria-label='Bring Card {number} back']")
            self.browser.execute_script("document.querySelector('details').open = true")
            for number in [36, 38, 37]:
                back = self.find(f"[aria-label='Bring Card {number} back']")
                self.browser.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
                back.click()
                self.find(tile(number))
                self.assertEventually(lambda: self.focused() == f"Open Card {number}", f"{number} has the focus at {size}")
                time.sleep(1)
                box = self.browser.execute_script("""
                    const { top, bottom } = document.activeElement.getBoundingClientRect()
                    return [top, innerHeight - bottom]""")
                self.assertTrue(all(edge >= 0 for edge in box), (size, number, box))
        # So has what an undo brings back.
        self.tap("[aria-label='Remove Card 37']")
        self.assertEventually(lambda: "was removed" in self.find(".messages").text, "it is removed")
        self.browser.execute_script("scrollTo(0, 0)")
        self.find("body").send_keys(Keys.CONTROL, "z")
        self.assertEventually(lambda: self.focused() == "Open Card 37", "it has the focus")
        in_view = """
            const { top, bottom } = document.activeElement.getBoundingClientRect()
            return top >= 0 && bottom <= innerHeight"""
        self.assertEventually(lambda: self.browser.execute_script(in_view), "it is in view")

    def test_a_card_that_is_new_in_a_long_list_is_in_view(self):
        tile = self.open_many(80)
        content = json.dumps({"card": {"id": str(uuid.uuid4()), "name": "One of a file"}, "images": {}}).encode()

        def assert_shown(name):
            self.assertEventually(lambda: self.focused() == f"Open {name}", f"{name} has the focus")
            self.assertEventually(lambda: self.browser.execute_script("""
                const { top, bottom } = document.activeElement.getBoundingClientRect()
                return top >= 0 && bottom <= innerHeight"""), f"{name} is in view")

        # What is new has not the words that are searched for.
        self.find("[role=searchbox]").send_keys("card 79")
        self.assertEventually(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".grid > *")) == 1, "those found")
        self.find("[data-upload=file]").send_keys(self.file("one.card", content))
        self.find(".board.large")
        self.press("Done")
        assert_shown("One of a file")
        self.assertEqual(self.find("[role=searchbox]").get_property("value"), "")
        # A user who scrolls on at once is not brought back.
        ActionChains(self.browser).scroll_by_amount(0, -20_000).perform()
        time.sleep(1)
        self.find(tile(0))
        # A new card is the last one, far below.
        self.add_card()
        self.press("Done")
        assert_shown("Empty card")
        ActionChains(self.browser).scroll_by_amount(0, -20_000).perform()
        time.sleep(1)
        self.find(tile(0))
        self.drop(".grid", *[(f"{name}.card", content.replace(b"One of a file", name.encode())) for name in ["Two", "Three"]])
        assert_shown("Three")
        # Also in a field that has the keyboard, a search is over that would hide it.
        self.find("[role=searchbox]").send_keys("card 79")
        self.assertEventually(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".grid > *")) == 1, "those found")
        self.drop(".grid", *[(f"{name}.card", content.replace(b"One of a file", name.encode())) for name in ["Four", "Five"]])
        assert_shown("Five")
        self.assertEqual(self.find("[role=searchbox]").get_property("value"), "")
        # On a phone the newest is at the top, below two rows of the bar.
        self.show_as("light", 390, 844)
        self.find("select").send_keys("Newest first")
        self.find("[aria-label='Open Five']")
        for name in ["Six", "Seven"]:
            self.browser.execute_script("scrollTo(0, 3000)")
            time.sleep(.5)
            self.find("[data-upload=file]").send_keys(
                self.file(f"{name}.card", content.replace(b"One of a file", name.encode())))
            self.find(".board.large")
            self.press("Done")
            assert_shown(name)
            self.assertEventually(lambda: self.browser.execute_script("""
                const { bottom } = document.querySelector(".toolbar.top").getBoundingClientRect()
                return document.activeElement.getBoundingClientRect().top >= bottom"""), f"{name} is below the bar")
            time.sleep(1)
            assert_shown(name)
        self.show_as("light", 1280, 800)
        self.find("select").send_keys("Oldest first")
        self.find(tile(0))
        # A page that is loaded again stays where it is.
        self.browser.execute_script("scrollTo(0, 0)")
        self.find(tile(0))
        self.browser.refresh()
        self.find(tile(0))
        time.sleep(.5)
        self.assertEqual(self.browser.execute_script("return scrollY"), 0)

    def test_escape_while_something_is_dragged_leaves_it_where_it_was(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Held")
        before = self.place("Text Held")
        x, y = self.middle(self.element("Text Held"))

        def mouse(kind, x, y):
            self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": f"mouse{kind}", "x": x, "y": y, "button": "left", "clickCount": 1})

        mouse("Pressed", x, y)
        mouse("Moved", x + 40, y + 30)
        self.assertEventually(lambda: self.place("Text Held") != before, "it follows")
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        mouse("Moved", x + 80, y + 60)
        mouse("Released", x + 80, y + 60)
        self.assertEventually(lambda: self.browser.execute_script("return !pending.length"), "the app knows")
        self.assertEqual(self.place("Text Held"), before)
        self.assertEqual(self.focused(), "Text Held")
        # It is no step: what is undone is what was done before.
        self.find("body").send_keys(Keys.CONTROL, "z")
        self.assertEventually(lambda: self.elements() == [], "the text is gone")

    def test_what_is_said_in_the_list_can_be_scrolled_off_what_it_lies_on(self):
        self.open_many(20)
        self.tap("[aria-label='Remove Card 3']")
        back = "[aria-label='Bring Card 3 back']"
        self.find(back)
        self.browser.execute_script("document.querySelector('details').open = true")
        free = """
            scrollTo(0, document.documentElement.scrollHeight)
            const node = document.querySelector(arguments[0]), { x, y, width, height } = node.getBoundingClientRect()
            return [.1, .5, .9].every(part => node.contains(document.elementFromPoint(x + width / 2, y + height * part)))"""
        height = lambda: self.browser.execute_script("return document.documentElement.scrollHeight")
        for size in [(900, 700), (390, 844)]:
            self.show_as("light", *size)
            self.assertEventually(lambda: self.browser.execute_script(free, back), f"it is free at {size}")
            self.assertIn("was removed", self.find(".messages").text)
        self.find("[data-upload]").send_keys(self.file("notes.rwcard", b"no card"))
        self.find("[aria-label=Dismiss]")
        self.assertEventually(lambda: self.browser.execute_script(free, back), "it is free below two messages")
        before = height()
        self.tap("[aria-label=Dismiss]")
        self.assertEventually(lambda: height() < before - 30, "the room goes with the message")

    def test_a_message_with_a_long_name_leaves_its_button_whole(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Words" * 30)
        self.press("Done")
        self.show_as("light", 390, 844)
        self.tap("[aria-label^='Remove Words']")
        text, button, room = eventually(lambda: self.browser.execute_script("""
            const button = document.querySelector(".messages button"), box = button.getBoundingClientRect()
            const range = document.createRange()
            range.selectNodeContents(button.querySelector("span:last-child"))
            const label = range.getBoundingClientRect()
            const text = document.querySelector(".messages span").getBoundingClientRect()
            return [text.right, box.left, box.right - label.right]"""), "the message")
        self.assertLess(text, button)
        self.assertGreaterEqual(room, 8)

    def test_a_large_image_is_made_smaller(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image(png(3000, 1500))
        image = next(self.documents.glob("*.png")).read_bytes()
        self.assertEqual(struct.unpack(">II", image[16:24]), (2000, 1000))
        width, height = self.place("Image 1")[:2]
        self.assertEqual(width / height, 2)

    def test_images_can_be_dropped_and_pasted(self):
        self.open_window(first=True)
        self.add_card()
        event = """
            const [kind, bytes] = arguments
            const transfer = new DataTransfer()
            for (let count = 0; count < (kind === "drop" ? 2 : 1); count++)
              transfer.items.add(new File([new Uint8Array(bytes)], "dropped.png", { type: "image/png" }))
            const target = document.querySelector(".surface"), box = target.getBoundingClientRect()
            const init = { bubbles: true, cancelable: true,
              clientX: box.x + box.width / 4, clientY: box.y + box.height / 4 }
            if (kind === "drop") target.dispatchEvent(new DragEvent("drop", { ...init, dataTransfer: transfer }))
            else document.dispatchEvent(new ClipboardEvent("paste", { ...init, clipboardData: transfer }))"""
        for kind, count in [("drop", 2), ("paste", 3)]:
            self.browser.execute_script(event, kind, list(png(8, 8)))
            self.assertEventually(lambda: len(self.elements()) == count, kind)
        # Where they were dropped, one beside the other; what was pasted is in the free place.
        for label, x, y in [("Image 1", -325, -500), ("Image 2", -265, -440)]:
            place = self.place(label)
            self.assertAlmostEqual(place[2], x, delta=5)
            self.assertAlmostEqual(place[3], y, delta=5)
        self.assertGreater(self.place("Image 3")[3], 200)

    def drop(self, css, *files):
        self.browser.execute_script("""
            const [target, files] = arguments, dataTransfer = new DataTransfer()
            for (const [name, bytes] of files) dataTransfer.items.add(new File([new Uint8Array(bytes)], name))
            const { x, y } = target.getBoundingClientRect()
            const init = { bubbles: true, cancelable: true, dataTransfer, clientX: x + 2, clientY: y + 2 }
            for (const kind of ["dragover", "drop"]) target.dispatchEvent(new DragEvent(kind, init))
            """, self.find(css), [[name, list(content)] for name, content in files])

    def test_the_files_of_cards_can_be_dropped_on_the_list(self):
        self.open_window(first=True)
        notice = lambda: self.find("#notice").text
        tiles = lambda: sorted(node.get_attribute("aria-label") for node in
                               self.browser.find_elements(By.CSS_SELECTOR, "[aria-label^='Open ']"))
        card = lambda name: (f"{name}.card", json.dumps(
            {"card": {"id": str(uuid.uuid4()), "name": name}, "images": {}}).encode())
        self.drop(".window", card("One"))
        self.find(".board.large")
        self.assertEqual([card["name"] for card in self.kept_cards().values()], ["One"])

        # Beside a card that is open nothing is added, and the page says where.
        self.drop(".toolbar.bottom", ("picture.png", png(8, 8)))
        self.assertEventually(lambda: "Drop pictures on the card itself" in notice(), "it is said")
        self.assertEqual(self.elements(), [])
        self.press("Done")
        self.find("[aria-label='Open One']")
        self.drop(".grid", card("Two"), card("Three"), ("picture.png", png(8, 8)))
        self.assertEventually(lambda: tiles() == ["Open One", "Open Three", "Open Two"], "both are listed")
        self.assertEventually(lambda: "“picture.png” is not the file of a card. To add a picture, open a card" in notice(),
                              "it is said")
        self.drop(".grid", ("broken.card", b"{"))
        self.assertEventually(
            lambda: "“broken.card” is not a card" in self.find(".window [role=status]").text, "it is said")
        self.assertEqual(len(self.kept_cards()), 3)

    def test_several_images_can_be_chosen_at_once(self):
        self.open_window(first=True)
        self.add_card()
        self.find("[data-upload]").send_keys("\n".join(
            self.file(f"{index}.png", png(30 + index, 20)) for index in range(3)))
        self.assertEventually(lambda: len(self.elements()) == 3, "all are there")

    def test_files_from_elsewhere(self):
        """A card of the book, one of a newer version, one by an attacker, and one that is broken."""
        self.app.kill()
        good = "11111111-1111-4111-8111-111111111111"
        newer = "22222222-2222-4222-8222-222222222222"
        evil = "33333333-3333-4333-8333-333333333333"
        broken = "44444444-4444-4444-8444-444444444444"
        self.documents.mkdir(parents=True, exist_ok=True)
        transform = {"size": [250, 180], "rotation": {"degrees": 5}, "offset": [0, 0]}

        def write(id, **card):
            (self.documents / f"{id}.rwcard").write_text(json.dumps({"id": id, **card}))

        write(good, imageElements=[{"transform": transform, "imageFilename": good}])
        write(newer, imageElements=[{"transform": transform, "frame": 99, "glow": [1, 2]}],
              stickers=[{"name": "star"}], textElements=[], backgroundColor=[0, 0, 1, 1])
        write(evil, imageElements=[{"imageFilename": "../../../etc/passwd", "frame": -7,
                                    "transform": {"size": [-1e300, 1e300], "offset": [1e308, 0]}}],
              textElements=[{"text": "</script><script>alert(1)</script>", "textFont": "x;}*{"}])
        (self.documents / f"{broken}.rwcard").write_text('{"id": "44444444-')
        old = os.stat(self.documents).st_mtime - 100
        os.utime(self.documents / f"{broken}.rwcard", (old, old))
        self.app.start()
        self.open_window(first=True)
        cards = lambda: self.browser.find_elements(By.CSS_SELECTOR, "[aria-label^=Open]")
        self.assertEventually(lambda: len(cards()) == 3, "three cards are listed")
        message = eventually(lambda: self.find("[role=status]").text, "a message")
        self.assertIn("damaged", message)
        # Where exactly, only those see who open it.
        self.assertNotIn(broken, message)
        self.tap("[role=status] summary")
        self.assertEventually(lambda: broken in self.find("[role=status]").text, "the details")
        self.assertAccessible("a problem")
        self.assertTrue(list(self.documents.glob(f"Quarantine/{broken}*")))

        self.tap("[role=status] [aria-label=Dismiss]")
        # Work on the newer version's card loses nothing that only the newer version knows.
        cards()[1].click()
        self.element("Image 1")
        self.add_text("Mine")
        kept = lambda: self.kept_cards()[newer]
        self.assertEventually(lambda: kept()["textElements"], "the text is kept")
        self.assertEqual(kept()["imageElements"][0]["frame"], 99)
        self.assertEqual(kept()["imageElements"][0]["glow"], [1, 2])
        self.assertEqual(kept()["stickers"], [{"name": "star"}])

    def test_an_update_that_changes_a_type(self):
        """What another version wrote in a form of its own stays, and is shown once it can be read."""
        self.open_window(first=True)
        self.add_card()
        self.add_text("Words")
        self.press("Done")
        self.find("[aria-label='Open Words']")
        card = self.kept_card()
        self.app.kill(signal.SIGTERM)
        other = "22222222-2222-4222-8222-222222222222"
        path = self.documents / f"{other}.rwcard"
        text = json.dumps(dict(card, id=other, textElements={"en": "Words"}), indent=2)
        path.write_text(text)

        self.app.start()
        self.find("[aria-label='Open Words']")
        self.assertEventually(
            lambda: "textElements" in self.find("[role=status] details").get_attribute("textContent"),
            "the page says so")
        self.assertEqual(path.read_text(), text)
        self.assertFalse((self.documents / "Quarantine").exists())
        if shots := os.environ.get("SCREENSHOTS"):
            self.browser.save_screenshot(os.path.join(shots, "changed-type.png"))

        self.app.kill(signal.SIGTERM)
        elements = [dict(card["textElements"][0], text="Newer")]
        path.write_text(json.dumps(dict(card, id=other, textElements=elements)))
        self.app.start()
        self.find("[aria-label='Open Newer']")
        self.find("[aria-label='Open Words']")

    def test_a_file_that_an_editor_changes_is_followed(self):
        self.open_window(first=True)
        self.add_card()
        self.add_text("Before")
        path = next(self.documents.glob("*.rwcard"))
        path.write_text(path.read_text().replace("Before", "After"))
        self.element("Text After")

    def test_only_the_place_is_sent_for_a_move(self):
        self.open_window(first=True)
        self.add_card()
        self.add_image()
        self.add_text("Light")
        self.focus("Text Light")
        self.browser.execute_script("""
            window.received = []
            socket.addEventListener("message", event => {
              if (event.data.includes("patches")) received.push(event.data)
            })""")
        self.element("Text Light").send_keys(Keys.ARROW_RIGHT)
        messages = eventually(lambda: self.browser.execute_script("return received"), "an answer")
        self.assertEqual(len(messages), 1)
        self.assertLess(len(messages[0]), 200)
        self.assertEqual(list(json.loads(messages[0])["update"]["patches"][0]["set"]["attributes"]), ["data-place"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
