"""Asks Repertoire's reward server. Standard library only, so that it runs wherever a trainer runs."""

import json
import os
import time
import urllib.error
import urllib.request


class RewardServerError(RuntimeError):
    """The server refused, or could not be reached for as long as we were ready to wait."""


class RewardClient:
    """`url` and `token` default to REPERTOIRE_REWARD_URL and REPERTOIRE_TOKEN."""

    def __init__(self, url=None, token=None, deadline_s=180.0):
        self.url = (url or os.environ.get("REPERTOIRE_REWARD_URL", "http://127.0.0.1:8123")).rstrip("/")
        self._token = token or os.environ.get("REPERTOIRE_TOKEN")
        self.deadline_s = deadline_s

    def ask(self, path, body):
        """Posts and reads JSON. Waits where the server says to (429, 503) or is being restarted, up to the deadline."""
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), method="POST")
        request.add_header("content-type", "application/json")
        if self._token:
            request.add_header("authorization", f"Bearer {self._token}")
        ends = time.monotonic() + self.deadline_s
        wait = 0.2
        while True:
            try:
                with urllib.request.urlopen(request, timeout=max(1.0, ends - time.monotonic())) as reply:
                    return json.load(reply)
            except urllib.error.HTTPError as error:
                reason = error.read(2000).decode(errors="replace")
                if error.code not in (429, 503, 504):
                    raise RewardServerError(f"{path}: {error.code} {reason}") from None
                failure, pause = f"{error.code} {reason}", float(error.headers.get("retry-after") or wait)
            except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
                failure, pause = str(error), wait
            if time.monotonic() + pause > ends:
                raise RewardServerError(f"{self.url}{path} did not answer within {self.deadline_s} s: {failure}")
            time.sleep(pause)
            wait = min(2 * wait, 5.0)
