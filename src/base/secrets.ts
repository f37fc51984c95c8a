// Addresses as they may be written down: whoever shares a run folder does not share the keys of its servers.

/** Every address in a text, without user, password and query. */
export function withoutSecrets(text: string): string {
  return text.replace(
    /([a-z][a-z0-9+.-]*:\/\/)([^\s/?#]*@)?([^\s?#]*)(\?[^\s#]*)?(#\S*)?/gi,
    (_, scheme: string, user?: string, place?: string, query?: string) =>
      `${scheme}${user ? "[secret]@" : ""}${place}${query ? "?[secret]" : ""}`,
  );
}
