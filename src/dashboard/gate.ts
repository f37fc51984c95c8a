// Who may ask the dashboard where other machines can reach it: who has the token, as a browser or as a program shows it.
import type { IncomingMessage } from "node:http";
import { isAuthorized } from "../base/http/access.ts";

/** By cookie, or like any client of ours by header or query. */
export function isKnown(request: IncomingMessage, address: URL, token: string | undefined, port: number): boolean {
  if (token === undefined) return true;
  const cookie = cookieOf(request, cookieName(port));
  if (cookie === undefined) return isAuthorized(request, address, token);
  const withCookie = new URL(address);
  if (!withCookie.searchParams.has("token")) withCookie.searchParams.set("token", cookie);
  return isAuthorized(request, withCookie, token);
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
