// What a browser may ask of a server on this machine. A page of another site must not use it through somebody's browser:
// neither by a name of its own that leads here (DNS rebinding) nor by a request from its own pages (cross-site).
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { isLoopback } from "./access.ts";
import { Refusal } from "./body.ts";

/**
 * The name in the address must be one of this machine's. Bound to loopback only loopback names count; bound wider, any
 * address does (a number cannot be rebound) besides the names we know. Without a port any will do, as behind a forwarded one.
 */
export function isAllowedHost(given: string | undefined, bound: string, port?: number): boolean {
  if (given === undefined) return false;
  const parts = /^(\[[0-9a-f:.]+\]|[^:/\s]+)(?::(\d+))?$/i.exec(given);
  if (parts === null || (port !== undefined && Number(parts[2] ?? 80) !== port)) return false;
  const name = parts[1].replace(/^\[|\]$/g, "").toLowerCase();
  if (isLoopback(name)) return true;
  if (isLoopback(bound)) return false;
  return isIP(name) !== 0 || name === bound.toLowerCase() || name === hostname().toLowerCase();
}

/** Whether a browser says that another site asked. Following a link to a page is fine, asking the API is not. */
export function isForeign(request: IncomingMessage, forApi: boolean): boolean {
  const { origin, host } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`) return true;
  const site = request.headers["sec-fetch-site"];
  return forApi && site !== undefined && site !== "same-origin" && site !== "none";
}

/**
 * For a server that programs ask. Whoever shows the token is no stranger; without one, anything that only a browser led
 * astray would send is refused. Programs send no Origin, and as Host the address they were given.
 */
export function refuseCrossSite(
  request: IncomingMessage,
  bound: { readonly host: string; readonly token?: string },
): void {
  if (bound.token !== undefined) return;
  const { host } = request.headers;
  if (host !== undefined && !isAllowedHost(host, bound.host))
    throw new Refusal(
      421,
      "this server does not answer to that name; use the address that it printed, or start it with a token",
    );
  if (isForeign(request, true)) throw new Refusal(403, "requests from web pages are not answered without a token");
}
