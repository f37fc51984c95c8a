// Who may ask: anybody on this machine, elsewhere only who has the token.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { ConfigurationError } from "../errors.ts";

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

export function checkAccess(host: string, token: string | undefined): void {
  if (token !== undefined && token.length < 16)
    throw new ConfigurationError(`the token has ${token.length} characters; give at least 16`);
  if (token === undefined && !isLoopback(host)) {
    throw new ConfigurationError(
      `--host ${host} can be reached from other machines, and there is no token; set REPERTOIRE_TOKEN or give --token-file`,
    );
  }
}

/**
 * The token comes as `Authorization: Bearer …`, or as `?token=…` for trainers that can only be given an address
 * (OpenRLHF and slime). Digests are compared, so that the time taken says nothing about the token, nor its length.
 */
export function isAuthorized(request: IncomingMessage, address: URL, token: string | undefined): boolean {
  if (token === undefined) return true;
  const [scheme, bearer = ""] = (request.headers.authorization ?? "").split(" ");
  const sent = scheme.toLowerCase() === "bearer" ? bearer : (address.searchParams.get("token") ?? "");
  return timingSafeEqual(digest(sent), digest(token));
}

const digest = (text: string) => createHash("sha256").update(text).digest();
