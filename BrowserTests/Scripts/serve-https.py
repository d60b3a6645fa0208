#!/usr/bin/env python3
"""Serves the files of a folder by https for all hosts, as the servers of well-known lists would.

usage: serve-https.py ADDRESS FOLDER CERTIFICATE LOG

A request for https://HOST/PATH gets FOLDER/HOST/PATH. Each is noted in LOG, one URL a line. Prints "ready"
when it listens on ADDRESS, port 443.
"""
import http.server
import os
import ssl
import sys

address, folder, certificate, log = sys.argv[1:]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        host = self.headers.get("Host", "")
        with open(log, "a") as file:
            file.write(f"https://{host}{self.path}\n")
        place = os.path.normpath(os.path.join(folder, host + self.path))
        if not place.startswith(folder + os.sep) or not os.path.isfile(place):
            self.send_error(404)
            return
        with open(place, "rb") as file:
            body = file.read()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"1"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer((address, 443), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate)
server.socket = context.wrap_socket(server.socket, server_side=True)
print("ready", flush=True)
server.serve_forever()
