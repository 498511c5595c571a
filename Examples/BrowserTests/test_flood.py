"""Floods a running app from the same machine, as any web page or program there can, while its own window is used.

Run it with: python3 Examples/BrowserTests/test_flood.py (see browser.py for what it needs). It prints what the app
held.
"""

import http.server
import os
import resource
import signal
import socket
import threading
import time
import unittest

from selenium.webdriver.common.by import By

from browser import BrowserTest, eventually
from test_hiitfit import QuietHandler

MEGABYTE = 1 << 20


class FloodTests(BrowserTest):
    def memory(self):
        """The resident memory of the app, in megabytes."""
        with open(f"/proc/{self.app.process.pid}/status") as status:
            return int(next(line for line in status if line.startswith("VmRSS")).split()[1]) / 1024

    def processor_time(self):
        with open(f"/proc/{self.app.process.pid}/stat") as stat:
            fields = stat.read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.app.process.pid}/fd"))

    def load(self, seconds=2):
        """How much of a processor the app uses."""
        before = self.processor_time()
        time.sleep(seconds)
        return (self.processor_time() - before) / seconds

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.app.port), timeout=10)

    def send(self, start, block, count):
        """Sends blocks until the app closes the connection; returns the number of bytes it took, and what it
        answered."""
        with self.connect() as client:
            sent = 0
            try:
                client.sendall(start)
                for _ in range(count):
                    client.sendall(block)
                    sent += len(block)
            except OSError:
                pass
            try:
                return sent, client.recv(100).split(b"\r\n")[0].decode()
            except OSError:
                return sent, "reset"

    def use(self):
        """Rates in the app's own window; returns the milliseconds until the rating is shown."""
        self.rating = 1 if self.rating == 5 else self.rating + 1
        start = time.monotonic()
        self.tap(f"[aria-label='Rate {self.rating} of 5']")
        eventually(lambda: len(self.browser.find_elements(
            By.CSS_SELECTOR, "[aria-label^='Rate '][aria-pressed=true]")) == self.rating, "the rating")
        return (time.monotonic() - start) * 1000

    def while_used(self, what, flood):
        """Uses the window until a flood has ended."""
        thread = threading.Thread(target=flood)
        thread.start()
        times = [self.use()]
        while thread.is_alive():
            times.append(self.use())
        thread.join()
        print(f"{what}: {len(times)} taps in the window meanwhile, the slowest in {max(times):.0f} ms")

    def test_the_app_survives(self):
        self.open_window(first=True)
        self.rating = 0
        self.tap("[role=tab]:nth-child(2)")
        for _ in range(5):
            self.use()
        eventually(lambda: self.load() < 0.02, "the app is idle")
        memory = self.memory()
        print(f"before: {memory:.0f} MB, {self.descriptors()} descriptors")
        host = f"Host: 127.0.0.1:{self.app.port}\r\n".encode()
        block = b"a" * MEGABYTE

        def endless():
            for start in [b"GET /", b"GET / HTTP/1.1\r\nA: ", b"POST /upload HTTP/1.1\r\n" + host
                          + b"Content-Length: 104857600\r\n\r\n"]:
                sent, answer = self.send(start, block, 100)
                print(f"  100 MB after {start[:30]!r}: {sent / MEGABYTE:.0f} MB taken, {answer!r}")
                self.assertLess(sent, 50 * MEGABYTE)
        self.while_used("endless lines, headers and bodies", endless)

        def slow():
            clients = [self.connect() for _ in range(50)]
            for byte in b"GET / HTTP/1.1\r\nHost":
                for client in clients:
                    try:
                        client.send(bytes([byte]))
                    except OSError:
                        pass
                time.sleep(0.3)
            for client in clients:
                client.close()
        self.while_used("50 slow clients", slow)

        def half_closed():
            clients = []
            for _ in range(200):
                client = self.connect()
                client.sendall(b"GET / HTTP/1.1\r\n")
                client.shutdown(socket.SHUT_WR)
                clients.append(client)
            time.sleep(1)
            for client in clients:
                client.close()
        self.while_used("200 half-closed connections", half_closed)

        clients = []

        def connections():
            # What the descriptors of this process allow, but for those that it needs itself.
            _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
            while len(clients) < min(limit, 20_000) - 200:
                clients.append(self.connect())
            held = self.descriptors()
            print(f"  {len(clients)} connections opened; the app held {held} descriptors")
            # Its own, 256 connections, and those that wait for nothing but their end.
            self.assertLess(held, 400)
        self.while_used("connections without end", connections)
        for client in clients:
            client.close()

        # Another origin, in the same browser.
        other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), QuietHandler)
        self.addCleanup(other.server_close)
        self.addCleanup(other.shutdown)
        threading.Thread(target=other.serve_forever, daemon=True).start()
        own = self.browser.current_window_handle
        self.browser.switch_to.new_window("window")
        self.browser.get(f"http://127.0.0.1:{other.server_port}/")
        self.browser.execute_script("""
            const body = new Uint8Array(8 << 20)
            window.ended = 0
            const post = () => fetch(arguments[0], { method: "POST", mode: "no-cors", body })
              .catch(() => {}).finally(() => { window.ended += 1; setTimeout(post, 100) })
            for (let i = 0; i < 3; i++) post()
        """, self.app.address.split("#")[0] + "upload")
        attacker = self.browser.current_window_handle
        self.show(own)
        self.while_used("posts of 8 MB from another origin", lambda: time.sleep(5))
        self.show(attacker)
        print(f"  {self.browser.execute_script('return window.ended')} of them ended")
        self.browser.close()
        self.show(own)

        eventually(lambda: self.load() < 0.02, "the app is idle again")
        print(f"after: {self.memory():.0f} MB, {self.descriptors()} descriptors")
        self.assertLess(self.memory(), memory + 64)
        start = time.monotonic()
        self.app.process.send_signal(signal.SIGTERM)
        self.app.process.wait(timeout=10)
        print(f"ended {(time.monotonic() - start) * 1000:.0f} ms after SIGTERM")


if __name__ == "__main__":
    unittest.main(verbosity=2)
