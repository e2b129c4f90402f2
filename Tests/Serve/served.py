"""A team server in its usual setup: `chemopen serve` on a socket, behind nginx with TLS."""

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TEST_DATA = os.path.join(HERE, "..", "..", "TestData")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(is_true, seconds=20):
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end, "timeout"
        time.sleep(0.05)


class Team:
    """A served directory on a socket behind nginx, and its readers."""

    def __init__(self, chemopen, folder, proxy="nginx"):
        self.chemopen, self.folder = chemopen, folder
        self.place = tempfile.mkdtemp(prefix="serve-test-")
        os.chmod(self.place, 0o755)
        self.socket = os.path.join(self.place, "socket")
        self.tokens = os.path.join(self.place, "readers")
        self.port = free_port()
        self.host = f"localhost:{self.port}"
        self.origin = "https://" + self.host
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.place, "cache"))
        self.proxy = None
        self.proxy_name = proxy
        if proxy:
            self.make_certificates()
        self.token = self.add("anna")
        self.start()
        if proxy:
            self.start_proxy()

    def run(self, *words):
        done = subprocess.run(
            [self.chemopen, "serve", "--tokens", self.tokens, *words], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def add(self, name):
        status, token, told = self.run("--add", name)
        assert status == 0, told
        return token.strip()

    def start(self):
        self.log = open(os.path.join(self.place, "log"), "a+")
        self.process = subprocess.Popen(
            [self.chemopen, "serve", "--listen", "unix:" + self.socket, "--address", self.origin, "--tokens", self.tokens,
             self.folder], stdout=subprocess.PIPE, stderr=self.log, text=True, env=self.environment)
        address = self.process.stdout.readline().strip()
        assert address == self.origin + "/", (address, open(self.log.name).read())

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)

    # A separate certificate.

    def make_certificates(self):
        def openssl(*words):
            subprocess.run(["openssl", *words], check=True, cwd=self.place, capture_output=True)
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Test of Chemopen",
                "-keyout", "ca.key", "-out", "ca.pem")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "request")
        with open(os.path.join(self.place, "names"), "w") as file:
            file.write("subjectAltName=DNS:localhost\n")
        openssl("x509", "-req", "-in", "request", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
                "-extfile", "names", "-out", "cert.pem")
        self.trust = ssl.create_default_context(cafile=os.path.join(self.place, "ca.pem"))

    def trusting_home(self):
        """Returns a home directory whose browsers trust the certificates. Service workers require that."""
        home = os.path.join(self.place, "home-of-browsers")
        store = os.path.join(home, ".pki", "nssdb")
        os.makedirs(store)
        for words in (["-N", "--empty-password"],
                      ["-A", "-t", "C,,", "-n", "test", "-i", os.path.join(self.place, "ca.pem")]):
            subprocess.run(["certutil", "-d", "sql:" + store, *words], check=True)
        return home

    def recipe(self, name):
        """Returns the proxy configuration from docs/serve.md."""
        with open(os.path.join(HERE, "..", "..", "docs", "serve.md")) as file:
            return file.read().split(f"```{name}\n")[1].split("```")[0].replace("/run/chemopen/socket", self.socket)

    def start_caddy(self):
        path = os.path.join(self.place, "Caddyfile")
        own = f"localhost:{self.port} {{\n bind 127.0.0.1\n tls cert.pem key.pem"
        recipe = self.recipe("caddy").replace("chem.example.org {", own)
        with open(path, "w") as file:
            file.write("{\n admin off\n auto_https disable_redirects\n}\n" + recipe)
        return subprocess.Popen(
            ["caddy", "run", "--config", path, "--adapter", "caddyfile"], cwd=self.place,
            stdout=subprocess.DEVNULL, stderr=open(os.path.join(self.place, "nginx.log"), "w"),
            env=dict(self.environment, HOME=self.place))

    def start_proxy(self):
        self.proxy = self.start_caddy() if self.proxy_name == "caddy" else self.start_nginx()

        def answers():
            assert self.proxy.poll() is None, open(os.path.join(self.place, "nginx.log")).read()
            try:
                return self.request("GET", "/")[0] == 401
            except OSError:
                return False
        wait_for(answers)

    def start_nginx(self):
        recipe = self.recipe("nginx").replace("443 ssl", f"127.0.0.1:{self.port} ssl")
        recipe = recipe.replace("chem.example.org.pem", "cert.pem").replace("chem.example.org.key", "key.pem")
        recipe = recipe.replace("chem.example.org", "localhost").replace("/etc/ssl/", self.place + "/")
        configuration = os.path.join(self.place, "nginx.conf")
        user = "user root;" if os.getuid() == 0 else ""
        with open(configuration, "w") as file:
            file.write(f"{user} pid {self.place}/nginx.pid; error_log {self.place}/nginx.log; worker_processes 1;\n"
                       "events { worker_connections 2000; }\n"
                       f"http {{ access_log off; client_body_temp_path {self.place}/body; "
                       f"proxy_temp_path {self.place}/proxy; fastcgi_temp_path {self.place}/f; "
                       f"uwsgi_temp_path {self.place}/u; scgi_temp_path {self.place}/s;\n{recipe}\n}}\n")
        return subprocess.Popen(
            ["nginx", "-p", self.place, "-c", configuration, "-g", "daemon off;"], stderr=subprocess.DEVNULL)

    def stop_proxy(self):
        self.proxy.terminate()
        self.proxy.wait(timeout=20)

    def close(self):
        self.stop()
        if self.proxy and self.proxy.poll() is None:
            self.stop_proxy()
        shutil.rmtree(self.place, ignore_errors=True)

    # Requests.

    def connect(self):
        if self.proxy:
            return http.client.HTTPSConnection("localhost", self.port, timeout=20, context=self.trust)
        connection = http.client.HTTPConnection("localhost", timeout=20)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(20)
        connection.sock.connect(self.socket)
        return connection

    def request(self, method, path, body=None, headers=None):
        connection = self.connect()
        try:
            connection.request(method, path, body, {"Host": self.host, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.headers)
        finally:
            connection.close()

    def ask(self, request, token=None):
        """Returns the response of the protocol, and repeats the request while the response is incomplete."""
        while True:
            status, body, headers = self.request(
                "POST", "/browse", json.dumps(request), {"Authorization": "Bearer " + (token or self.token)})
            assert status in (200, 400, 429, 503), (status, body)
            if "Retry-After" not in headers:
                return json.loads(body)
            time.sleep(int(headers["Retry-After"]))

    def raw(self, data, is_direct=False, seconds=0.5):
        """Sends raw bytes and returns the response."""
        if is_direct or not self.proxy:
            stream = socket.socket(socket.AF_UNIX)
            stream.connect(self.socket)
        else:
            stream = self.trust.wrap_socket(socket.create_connection(("127.0.0.1", self.port)), server_hostname="localhost")
        stream.settimeout(seconds)
        got = b""
        try:
            stream.sendall(data)
            while piece := stream.recv(1 << 16):
                got += piece
        except OSError:
            pass
        finally:
            stream.close()
        return got
