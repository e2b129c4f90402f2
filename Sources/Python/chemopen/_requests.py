"""The requests of a client of the browse protocol: over HTTP, or to the program chemopen."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Mapping, Optional, Sequence

from ._browsing import AccessDenied, BrowseError, ServerUnavailable
from ._credentials import credential_of
from ._library import Cancelled, PathLike


class Call:
    """A request or a series of them that another thread can cancel."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.connection: Optional[http.client.HTTPConnection] = None
        self.process: Optional[subprocess.Popen[bytes]] = None

    def check(self) -> None:
        if self.stopped.is_set():
            raise Cancelled("the request was cancelled")

    def wait(self, seconds: float) -> None:
        self.stopped.wait(seconds)
        self.check()

    def stop(self) -> None:
        self.stopped.set()
        if self.process:
            self.process.kill()
        stream = self.connection.sock if self.connection else None
        if stream:
            try:
                # Not SSLSocket.shutdown, which would change the object that another thread reads.
                socket.socket.shutdown(stream, socket.SHUT_RDWR)
            except OSError:
                pass


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirection, which could send the token elsewhere."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _Connecting(urllib.request.HTTPSHandler):
    """Makes connections known to the call that uses them."""

    def __init__(self, call: Call) -> None:
        self._trust = ssl.create_default_context()
        super().__init__(context=self._trust)
        self._call = call

    def _known(self, connection: http.client.HTTPConnection) -> http.client.HTTPConnection:
        self._call.connection = connection
        return connection

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        """Open a connection without encryption."""
        return self.do_open(lambda host, **rest: self._known(http.client.HTTPConnection(host, **rest)), request)

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        """Open a connection with TLS."""
        return self.do_open(
            lambda host, **rest: self._known(http.client.HTTPSConnection(host, context=self._trust, **rest)), request)


class Server:
    """Sends requests over HTTP."""

    def __init__(self, address: str, token: Optional[str], timeout: float) -> None:
        parts = urllib.parse.urlsplit(address)
        self.host = parts.hostname or ""
        self.is_local = self.host in ("localhost", "::1") or self.host.startswith("127.") or self.host.endswith(".localhost")
        if parts.scheme not in ("https", "http") or not self.host or parts.query or parts.fragment:
            raise ValueError("the address must be that of a server, such as https://chem.example.org")
        if parts.username is not None or parts.password is not None:
            raise ValueError("the address contains a user name or a password; use token, or chemopen login")
        if parts.scheme == "http" and not self.is_local:
            raise ValueError("the server cannot be used without encryption; use https://")
        self.origin = f"{parts.scheme}://{parts.netloc.lower()}"
        self.url = self.origin + parts.path.rstrip("/") + "/browse"
        self.timeout = timeout
        self.credential = f"Bearer {token}" if token else credential_of(self.origin, self.host)

    def ask(self, request: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Sends a request, and repeats it while the server is busy."""
        for _ in range(8):
            status, body, wait = self._send(json.dumps(request).encode(), call)
            call.check()
            if status in (429, 503) and wait <= 30:
                call.wait(max(0.1, wait))
                continue
            return self._answer(status, body)
        raise ServerUnavailable("the server is too busy; try again later")

    def _send(self, body: bytes, call: Call) -> tuple[int, bytes, float]:
        # The viewer accepts requests only from its own page, so the request names its origin.
        headers = {"Content-Type": "application/json", "Origin": self.origin, "User-Agent": "chemopen"}
        request = urllib.request.Request(self.url, body, headers, method="POST")
        if self.credential:
            request.add_unredirected_header("Authorization", self.credential)
        handlers: list[urllib.request.BaseHandler] = [_NoRedirects(), _Connecting(call)]
        if self.is_local:
            handlers.append(urllib.request.ProxyHandler({}))
        opener = urllib.request.build_opener(*handlers)
        try:
            with opener.open(request, timeout=self.timeout) as response:
                return response.status, response.read(), 0
        except urllib.error.HTTPError as error:
            with error:
                wait = error.headers.get("Retry-After", "1")
                return error.code, error.read(), float(wait) if wait.isdigit() else 1
        except (OSError, http.client.HTTPException, ValueError) as error:
            call.check()
            reason = getattr(error, "reason", error)
            raise ServerUnavailable(f"{self.origin} does not respond: {reason}") from None

    def _answer(self, status: int, body: bytes) -> dict[str, Any]:
        try:
            answer = json.loads(body)
        except ValueError:
            answer = None
        told = answer.get("error") if isinstance(answer, dict) else None
        if status in (401, 403):
            raise AccessDenied(told or f"access denied ({status}); use token, or run: chemopen login {self.origin}", answer)
        if told is not None:
            raise BrowseError(str(told), answer)
        if status in (502, 504):
            raise ServerUnavailable(f"the proxy cannot reach the server ({status})")
        if status != 200:
            raise BrowseError(f"the server returned status {status}; check the address")
        if not isinstance(answer, dict):
            raise BrowseError("the response is not of the browse protocol; check the address")
        return answer

    def close(self) -> None:
        """Does nothing: each request has its own connection."""


class Program:
    """Sends requests to `chemopen browse`."""

    is_local = True

    def __init__(self, files: Sequence[PathLike], program: Optional[PathLike]) -> None:
        found = os.fspath(program) if program else shutil.which("chemopen")
        if not found:
            raise FileNotFoundError("browsing local files requires the program chemopen; install it, or set program")
        self._words = [os.fsdecode(found), "browse", "--json", "--", *(os.path.abspath(os.fsdecode(file)) for file in files)]
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._lock = threading.Lock()

    def ask(self, request: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Sends a request. If another one is in progress, waits for it."""
        with self._lock:
            call.check()
            if self._process is None or self._process.poll() is not None:
                self.close()
                self._process = subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            call.process = process = self._process
            assert process.stdin and process.stdout
            try:
                process.stdin.write(json.dumps(request).encode() + b"\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError:
                line = b""
            finally:
                call.process = None
            call.check()
            if not line:
                raise ServerUnavailable("the program chemopen ended without a response")
            answer: dict[str, Any] = json.loads(line)
            if "error" in answer:
                raise BrowseError(answer["error"], answer)
            return answer

    def close(self) -> None:
        """Ends the program."""
        process, self._process = self._process, None
        if process:
            process.kill()
            process.communicate()
