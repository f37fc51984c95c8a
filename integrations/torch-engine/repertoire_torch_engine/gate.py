"""What a request must be before anything is read of it: what a browser may ask of a server on this machine (as the servers in
TypeScript have it, `src/base/http/browser-gate.ts`), bodies of one known length, and JSON that is not nested without end."""
import ipaddress
import json
import re
import secrets
import socket

LARGEST_BODY = 1 << 30
KINDS = ("application/json", "application/x-protobuf")


class Refusal(ValueError):
    def __init__(self, message, status=400):
        super().__init__(message)
        self.status = status


def _is_loopback(name):
    return name == "localhost" or (_is_address(name) and ipaddress.ip_address(name).is_loopback)


def _is_address(name):
    try:
        ipaddress.ip_address(name)
        return True
    except ValueError:
        return False


def is_allowed_host(given, bound):
    """Bound to loopback only loopback names count (DNS rebinding); bound wider, any address besides the names we know."""
    parts = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[^:/\s]+)(:\d+)?", given)
    if not parts:
        return False
    name = parts[1].strip("[]").lower()
    if _is_loopback(name):
        return True
    return not _is_loopback(bound) and (_is_address(name) or name in (bound.lower(), socket.gethostname().lower()))


def refuse_cross_site(headers, bound, body):
    """Without a token, what only a browser led astray would send is refused. Programs send no Origin."""
    hosts = headers.get_all("Host", [])
    if len(hosts) > 1 or (hosts and not is_allowed_host(hosts[0], bound)):
        raise Refusal("this server does not answer to that name; use the address that it printed, or start it with a token", 421)
    for name in ("Origin", "Sec-Fetch-Site", "Content-Type"):
        if len(headers.get_all(name, [])) > 1:
            raise Refusal(f"several {name} headers")
    origin, site = headers.get("Origin"), headers.get("Sec-Fetch-Site", "none")
    if (origin is not None and origin != f"http://{hosts[0] if hosts else ''}") or site not in ("same-origin", "none"):
        raise Refusal("requests from web pages are not answered without a token", 403)
    kind = headers.get("Content-Type", "").split(";")[0].strip().lower()
    if body and kind not in KINDS:
        raise Refusal(f"content type {kind!r}; expected one of: {', '.join(KINDS)}", 415)


def is_allowed(headers, token):
    """By the header of either protocol."""
    given = headers.get("X-API-Key") or headers.get("Authorization", "").removeprefix("Bearer ")
    return not token or secrets.compare_digest(given.encode(), token.encode())


def body_length(headers):
    """One length in digits and nothing else says how long a body is: what two readers understand in two ways is two requests to one."""
    if headers.get("Transfer-Encoding"):
        raise Refusal("bodies in chunks are not read; send a Content-Length", 411)
    lengths = headers.get_all("Content-Length", [])
    if not lengths:
        raise Refusal("no Content-Length", 411)
    if len(lengths) > 1 or not re.fullmatch(r"[0-9]{1,18}", lengths[0]):
        raise Refusal(f"one Content-Length in digits is needed, not {', '.join(lengths)[:100]}")
    if int(lengths[0]) > LARGEST_BODY:
        raise Refusal(f"body of {lengths[0]} bytes is too large; split it", 413)
    return int(lengths[0])


def refuse_body(headers):
    """What would be left unread behind a request without a body is another request to whoever reads on."""
    if headers.get("Transfer-Encoding") or any(length.strip() != "0" for length in headers.get_all("Content-Length", [])):
        raise Refusal("a request of this kind has no body")


def read_json(raw):
    try:
        body = json.loads(raw or b"{}")
    except RecursionError:
        raise Refusal("JSON is nested too deeply") from None
    if not isinstance(body, dict):
        raise Refusal("the body is no JSON object")
    return body
