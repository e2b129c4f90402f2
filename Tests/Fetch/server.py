"""An https and an http server on this machine with their own CA, which behave like good and bad servers.

The path selects the behavior: /plain/NAME, /cut/…, /stall/…, and so on. Each request is recorded with its headers.
"""

import gzip
import hashlib
import http.server
import ssl
import subprocess
import threading
import time
from email.utils import formatdate
from pathlib import Path

RECORD = b"""water
  made

  1  0  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
M  END
>  <N>
%d

$$$$
"""


def records(count: int, start: int = 0) -> bytes:
    return b"".join(RECORD % (start + n) for n in range(count))


def certificates(folder: Path) -> None:
    """Creates a CA, a certificate for localhost that it signed, and an unsigned one."""
    def run(*words: str) -> None:
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=folder)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    run("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Chemopen's test")
    (folder / "names").write_text("subjectAltName=DNS:localhost,DNS:away.test,IP:127.0.0.1\n")
    run("req", *key, "-keyout", "good.key", "-out", "good.csr", "-subj", "/CN=localhost")
    run("x509", "-req", "-in", "good.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
        "-extfile", "names", "-out", "good.pem")
    run("req", "-x509", *key, "-keyout", "bad.key", "-out", "bad.pem", "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, certificate: Path | None = None, number: str = "127.0.0.1"):
        super().__init__((number, 0), Handler)
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.counts: dict[str, int] = {}
        self.content: dict[str, bytes] = {}
        self.port = self.server_address[1]
        self.others: dict[str, str] = {}
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, certificate.with_suffix(".key"))
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.address = f"{'https' if certificate else 'http'}://{'localhost' if number == '127.0.0.1' else number}:{self.port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *words):
        pass

    def do_GET(self):
        path, _, query = self.path.partition("?")
        self.server.asked.append((self.command, self.path, {key.lower(): value for key, value in self.headers.items()}))
        number = self.server.counts[path] = self.server.counts.get(path, 0) + 1
        kind = path.split("/")[1]
        try:
            getattr(self, kind)(path, number, self.content(path))
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True

    def content(self, path: str) -> bytes:
        return self.server.content.get(path, records(2000))

    def tag(self, body: bytes) -> str:
        return '"' + hashlib.sha256(body).hexdigest()[:16] + '"'

    def begin(self, status: int, fields: dict[str, object]):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, str(value))
        self.end_headers()

    def send(self, body: bytes, upTo: int | None = None, **fields):
        """Responds like a good server, with ranges and tags. Disconnects after a number of bytes, if specified."""
        tag = self.tag(body)
        fields = {"ETag": tag, **{key.replace("_", "-"): value for key, value in fields.items()}}
        if self.headers.get("If-None-Match") == tag:
            return self.begin(304, {"ETag": tag})
        start = 0
        wanted = self.headers.get("Range")
        if wanted and self.headers.get("If-Range") == tag:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            fields["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        rest = body[start:]
        self.begin(206 if start else 200, {"Content-Length": len(rest), **fields})
        self.wfile.write(rest if upTo is None else rest[:upTo])
        self.wfile.flush()
        if upTo is not None and upTo < len(rest):
            self.close_connection = True
            self.connection.close()

    def plain(self, path, number, body):
        self.send(body, Content_Type="chemical/x-mdl-sdfile")

    def untagged(self, path, number, body):
        """Sends neither a tag nor a date, so the complete file is sent each time, and a download cannot resume."""
        self.begin(200, {"Content-Length": len(body)})
        self.wfile.write(body)

    def dated(self, path, number, body):
        date = formatdate(1_700_000_000, usegmt=True)
        if self.headers.get("If-Modified-Since") == date:
            return self.begin(304, {})
        self.begin(200, {"Content-Length": len(body), "Last-Modified": date})
        self.wfile.write(body)

    def cut(self, path, number, body):
        """Disconnects after a third of the file, twice."""
        self.send(body, upTo=len(body) // 3 if number <= 2 else None)

    def always_cut(self, path, number, body):
        self.begin(200, {"Content-Length": len(body)})
        self.wfile.write(body[: len(body) // 2])
        self.wfile.flush()
        self.close_connection = True
        self.connection.close()

    def cut_once(self, path, number, body):
        """Disconnects in the first run, stalls in the second, and completes the file in the third."""
        if number == 1:
            return self.send(body, upTo=len(body) // 2)
        if number == 2:
            time.sleep(6)
            self.close_connection = True
            return
        self.send(body)

    def changes(self, path, number, body):
        """Disconnects, and then serves another file."""
        self.send(body, upTo=len(body) // 2) if number == 1 else self.send(records(1500, 7000))

    def changes_badly(self, path, number, body):
        """Disconnects, and then sends the rest of another file, regardless of the request."""
        if number == 1:
            return self.send(body, upTo=len(body) // 2)
        other = records(2000, 5000)
        wanted = self.headers.get("Range")
        if not wanted:
            return self.send(other)
        start = int(wanted.removeprefix("bytes=").removesuffix("-"))
        self.begin(206, {"Content-Length": len(other) - start, "ETag": self.tag(other),
                         "Content-Range": f"bytes {start}-{len(other) - 1}/{len(other)}"})
        self.wfile.write(other[start:])

    def chunked_cut(self, path, number, body):
        self.begin(200, {"Transfer-Encoding": "chunked"})
        self.wfile.write(b"%x\r\n%s\r\n" % (1000, body[:1000]))
        self.wfile.flush()
        self.close_connection = True
        self.connection.close()

    def chunked(self, path, number, body):
        self.begin(200, {"Transfer-Encoding": "chunked"})
        self.wfile.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))

    def endless(self, path, number, body):
        """Ends the file by closing the connection."""
        self.close_connection = True
        self.begin(200, {"Connection": "close"})
        self.wfile.write(body[: len(body) // 2])

    def stall(self, path, number, body):
        self.begin(200, {"Content-Length": len(body)})
        self.wfile.write(body[:1000])
        self.wfile.flush()
        time.sleep(60)

    def silent(self, path, number, body):
        time.sleep(60)

    def drip(self, path, number, body):
        self.begin(200, {"Content-Length": len(body)})
        for place in range(len(body)):
            self.wfile.write(body[place:place + 1])
            self.wfile.flush()
            time.sleep(0.2)

    def in_pieces(self, path, number, body):
        self.begin(200, {"Content-Length": len(body)})
        for place in range(0, len(body), 100_000):
            self.wfile.write(body[place:place + 100_000])
            self.wfile.flush()
            time.sleep(0.3)

    def large(self, path, number, body):
        self.begin(200, {"Content-Length": 1 << 40})
        self.wfile.write(body)
        time.sleep(60)

    def large_unsaid(self, path, number, body):
        self.begin(200, {"Transfer-Encoding": "chunked"})
        while True:
            self.wfile.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")

    def bomb(self, path, number, body):
        self.send(gzip.compress(b"bomb\n\n\n" + b" " * (200 << 20), 9), Content_Type="application/gzip")

    def encoded(self, path, number, body):
        self.send(gzip.compress(body), Content_Encoding="gzip")

    def strangely_encoded(self, path, number, body):
        self.send(body, Content_Encoding="br")

    def to(self, path, number, body):
        """Redirects /to/NAME to the target with that name."""
        self.begin(302, {"Location": self.server.others[path.split("/")[2]], "Content-Length": 0})

    def loop(self, path, number, body):
        self.begin(302, {"Location": f"/loop/{number}", "Content-Length": 0})

    def status(self, path, number, body):
        self.begin(int(path.split("/")[2]), {"Content-Length": 5})
        self.wfile.write(b"words")

    def let_in(self, path, number, body):
        """Requires the credentials of the server."""
        if self.headers.get("Authorization") not in self.server.others.get("words", ""):
            self.begin(401, {"WWW-Authenticate": 'Basic realm="x"', "Content-Length": 0})
        elif not self.headers.get("Authorization"):
            self.begin(401, {"WWW-Authenticate": 'Basic realm="x"', "Content-Length": 0})
        else:
            self.send(body)

    def ranged_wrong(self, path, number, body):
        self.send(body, upTo=len(body) // 2) if number == 1 else self.begin(416, {"Content-Length": 0}) if self.headers.get(
            "Range") else self.send(body)
