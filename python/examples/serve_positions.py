"""Serves positions to browsers and programs of this machine.

    python serve_positions.py [--port 8000]

`/?game=1.+e3+/+f6` is a picture, `/json?game=1.+e3+/+f6` has status, legal actions and the engine's choice. A text that cannot be read is
answered with its place.
"""

from __future__ import annotations

import argparse
import itertools
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import worldlines
from worldlines import Game

#: The longest text, and the most actions that are listed.
LONGEST = 100_000
MOST = 100


def about(game: Game) -> dict[str, Any]:
    """The facts about the position at the end of a game."""
    position = game.position
    actions = [position.action_text(action) for action in itertools.islice(position.legal_actions(time=1.0), MOST)]
    best = position.think(steps=5_000).action
    return {
        "fen": position.fen(),
        "to_move": position.to_move,
        "status": position.status(time=1.0),
        "actions": actions,
        "best": None if best is None else position.action_text(best),
    }


class Handler(BaseHTTPRequestHandler):
    """Answers questions."""

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        text = parse_qs(address.query).get("game", [""])[0]
        try:
            if len(text) > LONGEST:
                raise ValueError(f"a game has at most {LONGEST} characters")
            game = Game.parse(text, worldlines.detect(text) or "5dpgn")
            if address.path == "/json":
                self.answer(200, "application/json", json.dumps(about(game)))
            elif address.path == "/":
                self.answer(200, "image/svg+xml", game.svg())
            else:
                self.answer(404, "text/plain", "there are / and /json")
        except worldlines.TextError as error:
            self.answer(400, "text/plain", error.excerpt)
        except (worldlines.WorldlinesError, ValueError) as error:
            self.answer(400, "text/plain", str(error))

    def answer(self, status: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    with ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler) as server:
        print(f"http://127.0.0.1:{server.server_port}/?game=1.+Nf3+/+Nf6+2.+N>>f5", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
