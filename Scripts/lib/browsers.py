"""What the scripts that ask real browsers share: a browser that is driven by BrowserTests' program
`browser-driver`, and a web of one page for it."""

import json
import os
import pathlib
import socketserver
import ssl
import subprocess
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRIVER = ROOT / "BrowserTests/.build/debug/browser-driver"
FAMILIES = {"chromium": "Chromium", "firefox": "Firefox"}
PAGE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>
<h1>A heading</h1><p>Some words, and <a href="/other">a link</a>.</p>
<form><input type="text" name="q"><input type="password" name="p"><button>Send</button></form>
<video></video>"""


class Web:
    """A proxy that answers every request with one page, with any certificate. Nothing leaves the machine."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        files = [str(pathlib.Path(self.folder.name) / name) for name in ("key.pem", "certificate.pem")]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
             "/CN=localhost", "-keyout", files[0], "-out", files[1]], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files[1], files[0])

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                try:
                    self.answer()
                except (OSError, ValueError):
                    pass

            def answer(self):
                words = self.head()
                if words[:1] == [b"CONNECT"]:
                    self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
                    with context.wrap_socket(self.connection, server_side=True) as secure:
                        self.rfile, self.wfile = secure.makefile("rb"), secure.makefile("wb")
                        self.head()
                        self.page()
                elif words:
                    self.page()

            def head(self):
                words = self.rfile.readline(65536).split()
                while self.rfile.readline(65536).strip():
                    pass
                return words

            def page(self):
                self.wfile.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
                    b"Content-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE))
                self.wfile.flush()

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.folder.cleanup()


class BrowserError(Exception):
    """What the browser, or the page that was asked, has refused."""


class Browser:
    """A real browser with one extension."""

    def __init__(self, family, folder, identifier, home, web):
        # A browser's files need paths that are short and are its own.
        self.process = subprocess.Popen(
            [str(DRIVER), family, str(folder), identifier, str(home), str(web.port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={name: value for name, value in os.environ.items() if not name.startswith("TICKBIRD")})
        self.url = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": "the driver has ended"}
        if "error" in answer:
            raise BrowserError(answer["error"])
        return answer["value"]

    def do(self, what, **values):
        self.process.stdin.write(json.dumps({"do": what, **values}) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def load(self, url):
        """Opens a tab; returns its number."""
        return self.do("load", url=url)

    def evaluate(self, tab, expression):
        return self.do("evaluate", tab=tab, expression=expression)

    def in_background(self, expression):
        return self.do("background", expression=expression)

    def in_browser(self, expression):
        return self.do("browser", expression=expression)

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
