// Every view has an address: a path of names and a query of filters. On a server it is the page's own address; in a
// page without one, which may be a file on a disk, it stands behind the `#`.

export type Query = Readonly<Record<string, string>>;
export type Address = { readonly path: readonly string[]; readonly query: Query };

/** `undefined` and the empty string leave a key out, so that an address says only what differs from the usual view. */
export type QueryChange = Readonly<Record<string, string | number | undefined>>;

export function readAddress(text: string): Address {
  const [path, query = ""] = text.split("?", 2);
  return {
    path: path
      .split("/")
      .filter((part) => part !== "")
      .map((part) => decoded(part.startsWith("~") ? part.slice(1) : part)),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

export function writeAddress(path: readonly string[], query: QueryChange = {}): string {
  const kept = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[key, String(value)]],
  );
  const search = new URLSearchParams(kept).toString();
  return `/${path.map(encoded).join("/")}${search === "" ? "" : `?${search}`}`;
}

/** Browsers resolve the parts `.` and `..` themselves, and `.` is what the served folder is called. */
const encoded = (part: string): string =>
  // Half a character cannot stand in an address.
  `${/^[.~]/.test(part) ? "~" : ""}${encodeURIComponent(part.replace(/\p{Surrogate}/gu, "\ufffd"))}`;

/** An address somebody mistyped is shown as it stands rather than refused. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
