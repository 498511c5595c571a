"""Signs in to the example SignIn with its local provider, in a real browser.

Run it with: python3 Examples/BrowserTests/test_signin.py (see browser.py for what it needs).
"""

import unittest

from browser import BrowserTest, eventually


class SignInTests(BrowserTest):
    program = "SignIn"

    def text(self, css):
        return self.find(css).text

    def begin(self):
        self.tap("#begin")
        self.find("[data-person]")

    def sign_in(self, person):
        """Signs in as one of the provider's users; returns the account, name and remark that are shown."""
        self.begin()
        self.tap(f"[data-person='{person}']")
        eventually(lambda: self.text("#remark"), "the user is signed in")
        return self.text("#account"), self.text("#name"), self.text("#remark")

    def test_profile_comes_once(self):
        self.visit(self.app.address)
        account, name, remark = self.sign_in("000001.kurt")
        self.assertEqual((name, remark), ("Kurt Cobain", "You have a new account."))
        self.assertEqual(self.text("#email"), "kurt@example.com")
        # The provider sends no name any more, also after the program was killed.
        self.assertEqual(self.sign_in("000001.kurt"), (account, "Kurt Cobain", "Welcome back."))
        self.app.kill()
        self.app.start()
        self.visit(self.app.address)
        self.assertEqual(self.sign_in("000001.kurt"), (account, "Kurt Cobain", "Welcome back."))
        other, name, remark = self.sign_in("000002.mary")
        self.assertEqual((name, remark), ("Mary Shelley", "You have a new account."))
        self.assertNotEqual(other, account)

    def test_replayed_token_is_refused(self):
        self.visit(self.app.address)
        self.sign_in("000001.kurt")
        self.tap("#replay")
        self.assertEventually(lambda: "(usedNonce)" in self.text("#refusal"), "the replay is refused")
        # Nor with another session's nonce.
        callback = self.browser.execute_script("return sessionStorage.callback")
        self.begin()
        self.visit(self.app.address.split("#")[0])
        self.browser.execute_script(
            "const [callback] = arguments;"
            "sessionStorage.callback = JSON.stringify({ ...JSON.parse(callback), session: sessionStorage.session });"
            "element('replay').hidden = false", callback)
        self.tap("#replay")
        self.assertEventually(lambda: "(wrongNonce)" in self.text("#refusal"), "the token is refused")

    def test_lost_profile_says_what_to_do(self):
        self.visit(self.app.address)
        self.begin()
        # The provider sends the profile, and the user closes the page.
        self.browser.execute_script(
            "window.lost = post('/provider/authorize?person=000001.kurt&nonce=lost').then(() => document.title = 'lost')")
        self.assertEventually(lambda: self.browser.title == "lost", "the profile is lost")
        self.tap("[data-person='000001.kurt']")
        self.assertEventually(lambda: "(noProfile)" in self.text("#refusal"), "there is no profile")
        self.assertIn("Remove the app", self.text("#refusal"))
        self.begin()
        self.tap("#remove")
        self.assertEventually(lambda: self.text("#remark") == "The app was removed.", "the app is removed")
        self.tap("[data-person='000001.kurt']")
        self.assertEventually(lambda: self.text("#name") == "Kurt Cobain", "the profile came again")


if __name__ == "__main__":
    unittest.main()
