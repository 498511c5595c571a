"""Chooses a working directory, drags one in, and finds it again, in a real browser.

Run it with: python3 Examples/BrowserTests/test_directories.py (see browser.py for what it needs)
"""

import os
import shutil
import stat
import tempfile
import unittest
from pathlib import Path

from selenium.webdriver.common.by import By

from browser import BrowserTest, eventually


class DirectoriesTests(BrowserTest):
    program = "WorkingDirectory"

    def setUp(self):
        # The sheet begins in the home directory, and the browser drags from there.
        self.home = Path(os.path.realpath(self.temporary_directory()))
        old = os.environ["HOME"]
        self.addCleanup(os.environ.__setitem__, "HOME", old)
        os.environ["HOME"] = str(self.home)
        super().setUp()

    def temporary_directory(self):
        # In memory if possible: some tests make thousands of files.
        memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
        directory = tempfile.mkdtemp(prefix="stage-home-", dir=memory)
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        return directory

    @property
    def dropped(self):
        return Path(self.directory, "Library", "Application Support", "Dropped Files")

    def write(self, path, text="text"):
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def all_texts(self, css):
        """In one call: there may be hundreds."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(node => node.textContent)", css)

    def texts(self, inside="#root"):
        return self.all_texts(f"{inside} span")

    def shows(self, text, inside="#root"):
        self.assertEventually(lambda: text in self.texts(inside), f"the text {text}")

    def press(self, text, inside="#root"):
        eventually(lambda: self.browser.execute_script("""
            return [...document.querySelectorAll(arguments[0])].findLast(node => node.textContent === arguments[1])
            """, f"{inside} button", text).click() or True, f"a click on {text}")

    def names(self):
        return self.all_texts(".names button")

    def begin_choosing(self):
        self.press("Choose …")
        self.find("dialog .names")

    def is_closed(self):
        self.assertEventually(
            lambda: not self.browser.find_elements(By.CSS_SELECTOR, "dialog"), "the sheet is closed")

    def drag(self, *paths):
        """Drags files of the disk from a file manager to the page."""
        box = self.find("[data-drop]").rect
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ["dragEnter", "dragOver", "drop"]:
            self.browser.execute_cdp_cmd("Input.dispatchDragEvent", {
                "type": kind, "x": box["x"] + 20, "y": box["y"] + 20, "data": data})

    def notice(self, text):
        self.assertEventually(lambda: text in self.find("#notice").text, f"the notice {text}")

    def screenshot(self, name):
        if shots := os.environ.get("SCREENSHOTS"):
            self.browser.save_screenshot(os.path.join(shots, f"{name}.png"))

    def restart(self, meanwhile=lambda: None):
        """Kills the app and starts it; returns when the page shows what the new one says."""
        self.browser.execute_script("root.firstElementChild.dataset.old = ''")
        self.app.kill()
        meanwhile()
        self.app.start()
        self.assertEventually(lambda: self.browser.execute_script(
            "return root.children.length && !root.querySelector('[data-old]')"), "the page is back")

    def test_a_chosen_directory_is_found_again_also_after_it_was_moved(self):
        self.write("Projects/Site/index.html")
        self.write("Projects/Site/images/logo.txt")
        (self.home / "Projects/Site/away").symlink_to("/etc")
        (self.home / "Shortcut").symlink_to(self.home / "Projects")
        (self.home / "Outside").symlink_to("/etc")
        self.write(".hidden/secret.txt")
        self.open_window(first=True)
        self.shows("No folder has been chosen.")
        self.begin_choosing()
        self.assertEqual(self.names(), ["Projects", "Shortcut"])
        self.shows("1 link leads out and is not followed.", "dialog")
        self.assertEqual(self.find("[aria-label='Enclosing folder']").get_attribute("disabled"), "true")
        # A link in the root is the directory that it leads to.
        self.press("Shortcut", ".names")
        self.shows(str(self.home / "Projects"), "dialog")
        self.press("Site", ".names")
        self.shows("1 link leads out and is not followed.", "dialog")
        self.screenshot("sheet")
        self.tap("[aria-label='Enclosing folder']")
        self.press("Site", ".names")
        self.shows(str(self.home / "Projects/Site"), "dialog")
        self.press("Choose", "dialog")
        self.shows("images/logo.txt")
        self.shows("2 files")
        self.shows("Left out: 'away': a symbolic link to '/etc', which is not followed")
        self.screenshot("chosen")

        self.restart()
        self.shows("images/logo.txt")
        self.restart(lambda: (self.home / "Projects/Site").rename(self.home / "Website"))
        self.shows(str(self.home / "Website"))
        shutil.rmtree(self.home / "Website")
        self.restart()
        self.assertEventually(lambda: any(
            "was not found: it was removed, or its disk is not mounted" in text for text in self.texts()),
            "the reason")
        self.screenshot("missing")
        self.press("Forget")
        self.shows("No folder has been chosen.")

    def test_the_sheet_stays_usable_and_explains_itself(self):
        for number in range(10_000):
            (self.home / f"folder {number:05}").mkdir()
        self.open_window(first=True)
        self.begin_choosing()
        self.shows("9500 more folders: use the filter.", "dialog")
        self.assertEqual(len(self.names()), 500)
        self.find("dialog input").send_keys("R 0987")
        self.assertEventually(lambda: self.names() == [f"folder 0987{digit}" for digit in range(10)], "ten")
        self.screenshot("filter")
        shutil.rmtree(self.home / "folder 09870")
        self.press("folder 09870", ".names")
        self.assertEventually(lambda: any("is no longer there." in text for text in self.texts("dialog")), "why")
        self.tap("[aria-label='Enclosing folder']")
        self.shows("9499 more folders: use the filter.", "dialog")
        self.press("Cancel", "dialog")
        self.is_closed()
        self.shows("No folder has been chosen.")

    def test_a_dragged_directory_is_copied_and_found_again(self):
        for number in range(250):
            self.write(f"Notes/note {number:03}.txt", str(number))
        self.write("Notes/sub/größe.txt", "")
        (self.home / "Notes/empty").mkdir()
        file = self.write("single.txt")
        self.open_window(first=True)
        self.find("[data-drop]")
        self.drag(file)
        self.find("dialog")
        self.shows("Drag a folder instead.", "dialog")
        self.screenshot("instead")
        self.press("OK", "dialog")
        self.is_closed()
        self.assertEventually(lambda: list(self.dropped.iterdir()) == [], "the copy of the file is removed")

        self.drag(self.home / "Notes")
        self.shows("251 files")
        self.shows("sub/größe.txt")
        self.assertLessEqual(*self.browser.execute_script(
            "return [document.documentElement.scrollWidth, innerWidth]"), "a long path is not cut off")
        self.screenshot("dragged")
        copy, = self.dropped.glob("*/Notes")
        self.assertTrue((copy / "empty").is_dir())
        self.assertEqual((copy / "note 200.txt").read_text(), "200")
        for path in [self.dropped, copy.parent, copy, copy / "sub", copy / "note 000.txt"]:
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o700 if path.is_dir() else 0o600)
        self.restart()
        self.shows("251 files")
        # Another choice removes the copy.
        self.begin_choosing()
        self.press("Notes", ".names")
        self.press("Choose", "dialog")
        self.shows(str(self.home / "Notes"))
        self.assertEventually(lambda: list(self.dropped.iterdir()) == [], "the copy is removed")

    def test_too_much_is_refused_before_anything_is_sent(self):
        for directory in range(100):
            parent = self.home / "Many" / str(directory)
            parent.mkdir(parents=True)
            for number in range(1000):
                os.mknod(parent / str(number))
        with open(self.home / "large.bin", "wb") as large:
            large.truncate((64 << 20) + 1)
        self.open_window(first=True)
        self.find("[data-drop]")
        self.drag(self.home / "Many")
        self.notice("More than 10,000 files and folders cannot be dropped at once.")
        self.screenshot("many")
        self.drag(self.home / "large.bin")
        self.notice("large.bin is larger than 64 MB.")
        self.assertFalse(self.dropped.exists())

    def test_progress_is_shown_and_an_incomplete_drop_is_never_seen(self):
        # Large enough that each is sent with only two others.
        (self.home / "Films").mkdir()
        for number in range(60):
            with open(self.home / f"Films/{number}", "wb") as film:
                film.truncate(1_300_000)
        self.open_window(first=True)
        self.find("[data-drop]")
        self.browser.execute_script("""
            const { send } = XMLHttpRequest.prototype
            window.delay = 1000
            XMLHttpRequest.prototype.send = function (body) {
              setTimeout(() => send.call(this, body), window.delay)
            }""")
        self.drag(self.home / "Films")
        self.notice("of 60 files …")
        self.screenshot("progress")
        incomplete, = self.dropped.iterdir()
        self.assertTrue(incomplete.name.startswith("."))
        self.assertIn("No folder has been chosen.", self.texts())
        self.restart()
        # What was cut off is sent again, and nothing of the first attempt is left.
        self.browser.execute_script("window.delay = 0")
        self.shows("60 files")
        self.assertEventually(lambda: self.browser.execute_script("return !isSendingDrop"), "it has ended")
        copy, = self.dropped.iterdir()
        self.assertNotEqual(copy.name, incomplete.name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
