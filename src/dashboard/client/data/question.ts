// A question to the server: names and values, and the text they have in an address.

export type Values = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** The same question has the same text, whatever order its parts were given in. */
export function queryText(values: Values): string {
  const search = new URLSearchParams();
  for (const key of Object.keys(values).sort()) {
    const value = values[key];
    if (Array.isArray(value)) for (const item of value) search.append(key, item);
    else if (value !== undefined && value !== "") search.set(key, String(value));
  }
  return search.toString();
}

export function valuesOf(query: string): Values {
  const values: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) (values[name] ??= []).push(value);
  return values;
}
