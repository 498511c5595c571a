"""Mirrors one window in another, in a real browser.

Run it with: python3 Examples/BrowserTests/test_mirror.py (see browser.py for what it needs)
"""

import unittest
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import BrowserTest, eventually


class MirrorTests(BrowserTest):
    program = "SideMirror"

    def button(self, text, inside="#root"):
        return eventually(lambda: [
            button for button in self.browser.find_elements(By.CSS_SELECTOR, f"{inside} button")
            if button.text == text and button.is_displayed()][-1], f"the button {text}")

    def press(self, text, inside="#root"):
        eventually(lambda: self.button(text, inside).click() or True, f"a click on {text}")

    def is_mirroring(self):
        return bool(self.browser.find_elements(By.CSS_SELECTOR, ".mirror"))

    def start(self):
        # While the other window is not connected, the button does nothing.
        eventually(lambda: self.button("Start").get_attribute("disabled") is None, "it can start")
        self.press("Start")
        eventually(self.is_mirroring, "it mirrors")

    def hands(self, inside="#root"):
        return [element.text for element in self.browser.find_elements(By.CSS_SELECTOR, f"{inside} span")
                if element.text.startswith("Hands up")]

    def key(self, key):
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def open_both(self):
        slide = self.open_window(first=True)
        mirror = self.open_window()
        self.browser.set_window_size(1400, 1000)
        self.tap("[role=tab]:nth-child(2)")
        return slide, mirror

    def test_a_window_is_mirrored_at_every_scale(self):
        slide, mirror = self.open_both()
        self.show(slide)
        self.find("input.field").send_keys("Welcome")
        eventually(lambda: self.browser.title == "Welcome", "the window's title")
        self.show(mirror)
        self.press("Welcome")
        eventually(lambda: self.button("Start").get_attribute("disabled") is None, "it can start")
        self.key("m")
        eventually(self.is_mirroring, "the shortcut starts it")
        for count, scale in enumerate(["50 %", "75 %", "100 %"], 1):
            self.press(scale)
            eventually(lambda: self.hands(".mirror") == [f"Hands up: {count - 1}"], scale)
            # At the place where it is seen.
            self.press("Raise", ".mirror")
            eventually(lambda: self.hands(".mirror") == [f"Hands up: {count}"], scale)
        width = lambda: self.browser.execute_script(
            "return document.querySelector('.mirror').getBoundingClientRect().right - innerWidth")
        self.browser.set_window_size(700, 1000)
        eventually(lambda: width() <= 0, "as large as fits")
        self.show(slide)
        self.assertEqual(self.hands(), ["Hands up: 3"])

        self.show(mirror)
        field = self.find(".mirror input.field")
        field.click()
        field.send_keys("!")
        self.key("b")
        eventually(lambda: self.browser.switch_to.active_element.text == "Return", "the keyboard is back")
        self.key("m")
        eventually(lambda: not self.is_mirroring(), "the shortcut stops it")
        self.show(slide)
        eventually(lambda: self.browser.title == "Welcome!", "what was written in the mirror")

    def test_the_pointer_and_the_end_of_the_other_window_show(self):
        slide, mirror = self.open_both()
        self.press("Untitled")
        self.start()
        self.show(slide)
        ActionChains(self.browser).move_to_element(self.find("input.field")).perform()
        self.show(mirror)
        color = lambda: self.browser.execute_script(
            "return getComputedStyle(document.querySelector('.mirror')).outlineColor")
        eventually(lambda: color() == "rgb(242, 183, 5)", "the hint")
        self.show(slide)
        self.browser.close()
        self.show(mirror)
        eventually(lambda: not self.is_mirroring(), "it has stopped")
        self.assertEqual(self.button("Start").get_attribute("disabled"), "true")

    def test_the_last_scene_is_selected_after_a_restart(self):
        slide, mirror = self.open_both()
        self.show(slide)
        self.find("input.field").send_keys("Welcome")
        self.show(mirror)
        self.press("Welcome")
        is_selected = lambda: self.button("Welcome").get_attribute("aria-pressed") == "true"
        eventually(is_selected, "it is selected")
        self.app.kill()
        self.app.start()
        eventually(is_selected, "it is selected again")
        self.start()

    def test_the_page_follows_a_file_that_is_edited_by_hand(self):
        self.open_both()
        pressed = lambda text: self.button(text).get_attribute("aria-pressed") == "true"
        self.press("75 %")
        path = Path(self.directory, "Library/Preferences/com.example.SideMirror.plist")
        eventually(lambda: path.exists() and b"0.75" in path.read_bytes(), "the file has the scale")
        self.assertTrue(pressed("75 %"))
        path.write_bytes(path.read_bytes().replace(b"0.75", b"0.5"))
        eventually(lambda: pressed("50 %"), "the page follows the file")


if __name__ == "__main__":
    unittest.main(verbosity=2)
