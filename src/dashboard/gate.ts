// Who may ask the dashboard. A page of another site must not reach it through somebody's browser: neither by name
// (DNS rebinding) nor by request (cross-site), and where other machines can reach it only with the token.
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { isLoopback, mayAsk } from "../serving/access.ts";

/**
 * The name in the address bar must be one of this machine's. Bound to loopback only loopback names count; bound wider, any
 * address does (a number cannot be rebound) besides the names we know.
 */
export function isAllowedHost(given: string | undefined, bound: string, port: number): boolean {
  if (given === undefined) return false;
  const parts = /^(\[[0-9a-f:.]+\]|[^:/\s]+)(?::(\d+))?$/i.exec(given);
  if (parts === null || Number(parts[2] ?? 80) !== port) return false;
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

/** By cookie, or like any client of ours by header or query. */
export function isKnown(request: IncomingMessage, address: URL, token: string | undefined, port: number): boolean {
  if (token === undefined) return true;
  const cookie = cookieOf(request, cookieName(port));
  if (cookie === undefined) return mayAsk(request, address, token);
  const withCookie = new URL(address);
  if (!withCookie.searchParams.has("token")) withCookie.searchParams.set("token", cookie);
  return mayAsk(request, withCookie, token);
}

/** Cookies do not know about ports; two dashboards on one machine must not take each other's. */
const cookieName = (port: number): string => `repertoire-${port}`;

export const sessionCookie = (token: string, port: number): string =>
  `${cookieName(port)}=${encodeURIComponent(token)}; HttpOnly; SameSite=Strict; Path=/`;

function cookieOf(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key !== name) continue;
    try {
      return decodeURIComponent(value.join("="));
    } catch {
      return undefined;
    }
  }
  return undefined;
}
