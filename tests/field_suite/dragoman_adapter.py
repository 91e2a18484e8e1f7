"""CanIToolCall's fixtures through a running proxy: a server that prints each raw output as text, as one without a parser does.

An engine knows its own prompt. The proxy learns whether it opens the reasoning from `begins_in_reasoning` of one of two upstreams.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from canitoolcall.adapters.base import Adapter, Support
from canitoolcall.results import ParsedToolCall, ParseResult

SPECIAL = re.compile(
    r'<\|[^|<>\n]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|</?｜[^<>\n]{1,60}>|<\|[A-Za-z_"]{1,40}>|<[A-Za-z_]{1,40}\|>'
    r"|\[/?[A-Z_]{3,20}\]|</?(?:think|tool_call|tool_response|arg_key|arg_value)>"
)
PIECE = re.compile(SPECIAL.pattern + r"|</?[A-Za-z_]+|[ ]?\w{1,6}|\s+|.", re.S)
OPEN = re.compile(r"(?:<think>|\[THINK\]|<\|channel>thought|<\|open\|>think<\|sep\|>)\s*$")
CONFIG = """
upstreams:
  - {{ name: inside, url: "{url}", server: none, tools: native, begins_in_reasoning: true, models: ["inside/*"] }}
  - {{ name: outside, url: "{url}", server: none, tools: native, begins_in_reasoning: false }}
policy: {policy}
"""
ASKED: dict = {}


class Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, kind, body):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send("application/json", b'{"object": "list", "data": []}')

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        finish = "length" if ASKED["truncated"] else "stop"
        head = {"id": "c1", "created": 1, "model": request["model"]}
        if not request.get("stream"):
            message = {"role": "assistant", "content": ASKED["text"]}
            choice = {"index": 0, "message": message, "finish_reason": finish}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            body = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
            return self.send("application/json", json.dumps(body).encode())
        deltas = [{"role": "assistant", "content": ""}, *({"content": chunk} for chunk in ASKED["chunks"]), {}]
        events = ""
        for at, delta in enumerate(deltas):
            choice = {"index": 0, "delta": delta, "finish_reason": finish if at == len(deltas) - 1 else None}
            events += f"data: {json.dumps({**head, 'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"
        self.send("text/event-stream", (events + "data: [DONE]\n\n").encode())


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class DragomanAdapter(Adapter):
    name = "dragoman"
    supports_text_deltas = True
    pinned_version = "0"
    tokens_per_step = "many"

    def __init__(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.folder = tempfile.mkdtemp()
        config = CONFIG.format(
            url=f"http://127.0.0.1:{self.server.server_port}/v1", policy=os.environ.get("POLICY", "{}")
        )
        with open(f"{self.folder}/dragoman.yaml", "w") as file:
            file.write(config)
        project, self.port = os.environ["PROJECT"], free_port()
        command = [os.environ["DENO"], "run", "-A", "--no-lock", "-c", f"{project}/deno.json", f"{project}/main.ts"]
        options = ["serve", "--port", str(self.port), "-c", f"{self.folder}/dragoman.yaml"]
        self.log = open(f"{self.folder}/log", "w")
        self.process = subprocess.Popen([*command, *options], cwd=self.folder, stdout=self.log, stderr=self.log)
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health")
                break
            except OSError:
                time.sleep(0.05)

    def version(self):
        return "head"

    def supports(self, family, model):
        return Support(True)

    def parser_config(self, raw):
        return {}

    def pieces(self, raw):
        return PIECE.findall(raw.text)

    def units(self, raw):
        return list(range(len(self.pieces(raw))))

    def special_token_ids(self, raw):
        return {at for at, piece in enumerate(self.pieces(raw)) if SPECIAL.fullmatch(piece)}

    def ask(self, raw, tools, chunks, stream):
        ASKED.update(text=raw.text, chunks=chunks, truncated=raw.truncated)
        model = ("inside/" if OPEN.search(raw.generation_prompt or "") else "") + raw.model
        body = {"model": model, "messages": [{"role": "user", "content": "Go on."}], "stream": stream}
        if tools:
            body["tools"] = [dict(tool) for tool in tools]
        url = f"http://127.0.0.1:{self.port}/v1/chat/completions"
        request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
        try:
            data = urllib.request.urlopen(request, timeout=60).read().decode()
        except urllib.error.HTTPError as error:
            return ParseResult(exception=f"HTTP{error.code}: {error.read().decode()[:200]}")
        return read_stream(data) if stream else read_whole(data)

    def parse(self, raw, tools):
        return self.ask(raw, tools, [raw.text], False)

    def parse_stream(self, raw, chunks, tools):
        pieces = self.pieces(raw)
        return self.ask(raw, tools, ["".join(pieces[at] for at in chunk) for chunk in chunks], True)

    def parse_stream_text(self, raw, deltas, tools):
        return self.ask(raw, tools, list(deltas), True)

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()
        self.server.shutdown()
        shutil.rmtree(self.folder, ignore_errors=True)


def read_whole(data):
    message = json.loads(data)["choices"][0]["message"]
    calls = (call["function"] for call in message.get("tool_calls") or [])
    made = tuple(ParsedToolCall(call["name"], call["arguments"]) for call in calls)
    return ParseResult(message.get("content"), message.get("reasoning_content"), made)


def read_stream(data):
    texts: dict = {"content": None, "reasoning_content": None}
    calls: dict = {}
    for line in data.split("\n"):
        if not line.startswith("data: ") or line == "data: [DONE]":
            continue
        message = json.loads(line[6:])
        if "error" in message:
            return ParseResult(exception="Error: " + json.dumps(message["error"])[:200])
        for choice in message.get("choices", []):
            delta = choice.get("delta", {})
            for field in texts:
                if delta.get(field):
                    texts[field] = (texts[field] or "") + delta[field]
            for piece in delta.get("tool_calls") or []:
                call = calls.setdefault(piece["index"], ["", ""])
                call[0] += piece["function"].get("name") or ""
                call[1] += piece["function"].get("arguments") or ""
    made = tuple(ParsedToolCall(name, arguments) for name, arguments in calls.values())
    return ParseResult(texts["content"], texts["reasoning_content"], made)
