"""Asks Repertoire's reward server. Standard library only, so that it runs wherever a trainer runs."""

import http.client
import json
import os
import time
import urllib.parse

# A request holds at most this many bytes of rollouts: far below the server's limit, and large enough to cost nothing.
LARGEST_BATCH = 8 << 20

# Statuses that mean "not now": the queue is full, the server drains, the deadline passed.
_WAIT = (429, 503, 504)


class RewardServerError(RuntimeError):
    """The server refused, or could not be reached for as long as we were ready to wait."""


class RewardClient:
    """`url`, `token` and `deadline_s` default to REPERTOIRE_REWARD_URL, REPERTOIRE_TOKEN and REPERTOIRE_REWARD_DEADLINE_S."""

    def __init__(self, url=None, token=None, deadline_s=None):
        self.url = (url or os.environ.get("REPERTOIRE_REWARD_URL", "http://127.0.0.1:8123")).rstrip("/")
        self._token = token or os.environ.get("REPERTOIRE_TOKEN")
        self.deadline_s = deadline_s or float(os.environ.get("REPERTOIRE_REWARD_DEADLINE_S", 180))
        # Since when nobody who asked through this client could reach the server; None while it answers.
        self._silent_since = None

    def scores(self, rollouts):
        """One score a rollout; each is {"response", "ground_truth", "data_source"?, "prompt"?, "step"?}. Sent in batches of a few megabytes.

        A score is {"score", "verdict", "because", "exact", "completion", "format"}; its `score` is None where the
        rollout could not be graded.
        """
        found = []
        for batch in _batches([_item(rollout) for rollout in rollouts]):
            found.extend(self.ask("/score", {"items": batch})["scores"])
        return found

    def score(self, response, ground_truth, data_source=None, prompt=None):
        """One rollout's score; the prompt is for the server's record alone."""
        return self.scores(
            [{"response": response, "ground_truth": ground_truth, "data_source": data_source, "prompt": prompt}]
        )[0]

    def ask(self, path, body):
        """Posts and reads JSON. Waits where the server says to (429, 503) or is being restarted, up to the deadline.

        All callers share the wait for a server that is gone: a thousand rollouts, a few at a time, give up together.
        """
        # Half of a surrogate pair, which a tokenizer may leave at a cut, is no text; it becomes a question mark.
        payload = json.dumps(body, ensure_ascii=False).encode(errors="replace")
        ends = time.monotonic() + self.deadline_s
        wait = 0.2
        while True:
            try:
                status, headers, reply = self._post(path, payload, max(1.0, ends - time.monotonic()))
            except (OSError, http.client.HTTPException) as error:
                failure, pause = f"{type(error).__name__}: {error}", wait
                since = self._silent_since = self._silent_since or time.monotonic()
                ends = min(ends, since + self.deadline_s)
            else:
                self._silent_since = None
                if status == 200:
                    return json.loads(reply)
                failure = f"{status} {reply[:2000].decode(errors='replace')}"
                if status not in _WAIT:
                    raise RewardServerError(f"{self.url}{path}: {failure}")
                pause = float(headers.get("retry-after") or wait)
            if time.monotonic() + pause > ends:
                raise RewardServerError(f"{self.url}{path} did not answer within {self.deadline_s} s: {failure}")
            time.sleep(pause)
            wait = min(2 * wait, 5.0)

    def _post(self, path, payload, timeout):
        address = urllib.parse.urlsplit(self.url)
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        connection = kind(address.hostname, address.port, timeout=timeout)
        try:
            connection.putrequest("POST", address.path + path)
            connection.putheader("content-type", "application/json")
            connection.putheader("content-length", str(len(payload)))
            if self._token:
                connection.putheader("authorization", f"Bearer {self._token}")
            connection.endheaders()
            try:
                connection.send(payload)
            except (BrokenPipeError, ConnectionResetError):
                # Refused before everything was read: what the server said is more useful than a broken pipe.
                pass
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()


def _item(rollout):
    item = {"solution_str": rollout["response"], "ground_truth": rollout["ground_truth"]}
    for name in ("data_source", "prompt", "step"):
        if rollout.get(name) is not None:
            item[name] = rollout[name]
    return item


def _batches(items):
    batch, size = [], 0
    for item in items:
        # JSON at most doubles ordinary text (quotes, line ends); control characters are rare.
        length = 2 * sum(len(str(item.get(name, "")).encode(errors="replace")) for name in ("solution_str", "prompt")) + 500
        if batch and size + length > LARGEST_BATCH:
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += length
    if batch:
        yield batch
