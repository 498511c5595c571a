"""Plays HIITFit on two servers with one etcd cluster, in three windows, while nodes and servers are killed.

Run it with: python3 Examples/BrowserTests/test_shared.py (see browser.py for what it needs, and etcd)
"""

import json
import subprocess
import tempfile
import shutil
import unittest

from browser import PACKAGE, Program
from test_hiitfit import HIITFitTests


class Cluster:
    """Three nodes of etcd on this machine."""

    def __init__(self):
        self.process = subprocess.Popen(
            [PACKAGE.parent / "Scripts/cluster", "--only", "etcd"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.etcd = json.loads(self.process.stdout.readline())["etcd"]

    def perform(self, command):
        print(command, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().strip()
        assert answer == "done", answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class SharedProgram(Program):
    cluster = None

    def __init__(self, name, directory):
        self.options = ["-etcd", ",".join(self.cluster.etcd)]
        super().__init__(name, directory)


class SharedTests(HIITFitTests):
    program = "SharedHIITFit"
    program_type = SharedProgram

    def setUp(self):
        cluster = SharedProgram.cluster = Cluster()
        self.addCleanup(cluster.end)
        super().setUp()
        directory = tempfile.mkdtemp(prefix="stage-browser-")
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        self.other = self.program_type(self.program, directory)
        self.addCleanup(lambda: self.other.kill())

    def test_ratings_are_on_all_servers_while_nodes_and_servers_are_killed(self):
        windows = [self.open_window(first=True), self.open_window()]
        self.app, self.other = self.other, self.app
        windows.append(self.open_window())
        for window in windows:
            self.show(window)
            self.tab("Squat")
        for number, node in enumerate(["etcd1", "etcd2", "etcd3"]):
            # One of the three leads the others.
            SharedProgram.cluster.perform(f"kill {node}")
            for step in range(2):
                rating = 1 + (2 * number + step) % 5
                self.show(windows[(number + step) % 3])
                self.rate(rating)
                for window in windows:
                    self.show(window)
                    self.assertEventually(lambda: self.rating() == rating, f"{rating} is in every window")
            SharedProgram.cluster.perform(f"start {node}")

        # One server is gone, and what is rated meanwhile is there when it is back.
        self.app.kill()
        self.show(windows[0])
        self.tab("Burpee")
        self.rate(4)
        self.app.start()
        self.show(windows[2])
        self.assertEventually(lambda: not self.find("#notice").is_displayed(), "the server is back")
        self.tab("Burpee")
        self.assertEventually(lambda: self.rating() == 4, "what was rated meanwhile")

        # Without the cluster all goes on, and is sent later: of each machine what was rated there.
        for node in ["etcd1", "etcd2"]:
            SharedProgram.cluster.perform(f"kill {node}")
        self.show(windows[0])
        self.tab("Squat")
        self.rate(3)
        self.assertEventually(lambda: self.waits(), "the page says that it waits")
        self.show(windows[2])
        self.rate(2)
        self.assertEventually(lambda: self.waits(), "the other page, too")
        self.assertEventually(
            lambda: any("offline, 1 to be sent" in line for line in self.app.printed), "it says so")
        self.app.kill()
        self.app.start()
        for node in ["etcd1", "etcd2"]:
            SharedProgram.cluster.perform(f"start {node}")
        for window in [windows[0], windows[2]]:
            self.show(window)
            self.tab("Burpee")
            self.assertEventually(lambda: self.rating() == 2, "what was rated without the cluster")
            self.tab("Squat")
            self.assertEventually(lambda: self.rating() == 3, "what was rated elsewhere meanwhile")
            self.assertEventually(lambda: not self.waits(), "nothing waits")

    def waits(self):
        return "is kept, and sent later" in self.find("#root").text


def load_tests(loader, _, pattern):
    # Not those that it inherits.
    return unittest.TestSuite([
        SharedTests("test_ratings_are_on_all_servers_while_nodes_and_servers_are_killed")])


if __name__ == "__main__":
    unittest.main(verbosity=2)
