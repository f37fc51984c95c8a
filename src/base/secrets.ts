// Addresses as they may be written down: whoever shares a run folder does not share the keys of its servers.
import { ConfigurationError } from "./errors.ts";

const addresses = /([a-z][a-z0-9+.-]*:\/\/)([^\s/?#]*@)?([^\s?#,]*)(\?[^\s#]*)?(#\S*)?/gi;

/** Every address in a text, without user, password and query. */
export function withoutSecrets(text: string): string {
  return text.replace(
    addresses,
    (_, scheme: string, user?: string, place?: string, query?: string) =>
      `${scheme}${user ? "[secret]@" : ""}${place}${query ? "?[secret]" : ""}`,
  );
}

/** What the addresses of a text keep from being written down, each as it stands there: `user:password@`, `?key=…`, without the quotes around it, too. */
export const secretsIn = (text: string): string[] =>
  [...text.matchAll(addresses)].flatMap(([, , user, , query]) => {
    const unquoted = query?.split(/["'<>]/)[0];
    return [user, query, unquoted === query ? undefined : unquoted].filter((part) => part !== undefined);
  });

/** A record as it may be written down. */
export const recordWithoutSecrets = <Value>(record: Value): Value =>
  JSON.parse(JSON.stringify(record), (_, value) => (typeof value === "string" ? withoutSecrets(value) : value));

/** An address that is written down, or to which nothing secret is sent; `instead` is what to do about one that has a secret. */
export function plainAddress(address: string, flag: string, instead: string): string {
  if (secretsIn(address).length > 0)
    throw new ConfigurationError(`${flag} ${withoutSecrets(address)}: ${instead} instead of a user or a query`);
  return address;
}
