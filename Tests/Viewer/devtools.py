"""A headless Chromium, controlled through its DevTools pipe with Python's standard library."""

import base64
import importlib.util
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time


def browser_path():
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


def axe_path():
    """Returns the path of axe.min.js: CHEMOPEN_AXE, or that of the Python package axe-playwright-python."""
    if path := os.environ.get("CHEMOPEN_AXE"):
        return pathlib.Path(path)
    if spec := importlib.util.find_spec("axe_playwright_python"):
        return pathlib.Path(spec.origin).parent / "axe.min.js"
    return None


class Browser:
    """A browser page with its own profile."""

    def __init__(self, width=1280, height=800, profile=None, home=None):
        self.keeps_profile = profile is not None
        self.profile = profile or tempfile.mkdtemp(prefix="viewer-test-")
        environment = dict(os.environ, HOME=home) if home else None
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        options = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
                   "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
                   "--user-data-dir=" + self.profile, f"--window-size={width},{height}"]
        if os.getuid() == 0:
            options.append("--no-sandbox")

        def lead_pipes():
            # The browser reads from descriptor 3 and writes to 4.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [browser_path(), *options, "about:blank"], preexec_fn=lead_pipes, close_fds=False, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (EOFError, OSError):
            pass
        self.process.wait(timeout=20)
        if not self.keeps_profile:
            shutil.rmtree(self.profile, ignore_errors=True)

    def kill(self):
        """Kills the browser as in a power failure; its profile is preserved."""
        self.process.kill()
        self.process.wait(timeout=20)

    # The protocol: JSON, each message ended by a zero byte.

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        number = self.number
        while True:
            answer = self.receive(30)
            if answer is None:
                raise TimeoutError(method)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def receive(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                return None
            piece = os.read(self.input, 1 << 16)
            if not piece:
                raise EOFError("the browser has exited")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            self.events.append(message)
        return message

    # Actions and observations of a user.

    def open(self, address):
        self.call("Page.navigate", url=address)

    def run(self, script):
        """Returns the value of an expression in the page, after waiting for promises."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    def wait(self, script, seconds=10):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.run(f"!!({script})"):
                    return
            except RuntimeError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"the condition was not met: {script}\n" + str(self.run("document.body.innerText"))[:2000])

    def key(self, name, text=None, control=False, shift=False, alt=False):
        codes = {"ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Escape": 27, "End": 35,
                 "Home": 36, "PageDown": 34, "Tab": 9}
        code = codes.get(name, ord(name.upper()) if len(name) == 1 else 0)
        text = text or (name if len(name) == 1 else "\r" if name == "Enter" else None)
        extra = {"text": text} if text and not (control or alt) else {}
        if name.isdigit():
            extra["code"] = "Digit" + name
        if control or shift or alt:
            extra["modifiers"] = alt + 2 * control + 8 * shift
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=code, **extra)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)

    def place(self, script, across=0.5, down=0.5):
        """Returns a position in the window: the middle of the element that an expression returns, or another part of it."""
        box = self.run(f"(box => [box.x, box.y, box.width, box.height])(({script}).getBoundingClientRect())")
        return box[0] + box[2] * across, box[1] + box[3] * down

    def mouse(self, kind, x, y, shift=False):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=0 if kind == "mouseReleased" else 1,
                  clickCount=1, modifiers=8 * shift)

    def click(self, script, shift=False):
        """Clicks the element that an expression returns."""
        x, y = self.place(script)
        self.mouse("mousePressed", x, y, shift)
        self.mouse("mouseReleased", x, y, shift)

    def drag(self, script, start, end):
        """Drags across an element, between two parts of its width."""
        (x, y), (last, _) = self.place(script, start), self.place(script, end)
        self.mouse("mousePressed", x, y)
        for step in range(1, 6):
            self.mouse("mouseMoved", x + (last - x) * step / 5, y)
        self.mouse("mouseReleased", last, y)

    def type(self, text):
        for letter in text:
            self.key(letter)

    def resize(self, width, height, is_phone=False):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)

    def prefer(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def requests(self):
        """Returns the addresses that the page has requested."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]

    def complaints(self):
        """Returns the console output of the page, and its errors."""
        found = []
        for event in self.events:
            if event["method"] == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] in ("error", "warning"):
                found.append(event["params"]["entry"]["text"] + " " + event["params"]["entry"].get("url", ""))
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(str([one.get("value") for one in event["params"]["args"]]))
        return found
