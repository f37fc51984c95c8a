// A setting by its path, `rl.steps`, in a record of records.
type Nested = Record<string, unknown>;

export const settingAt = (settings: object, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => (value as Nested | undefined)?.[key], settings);

/** Makes the records on the way that are missing. */
export function putSetting(settings: Nested, path: string, value: unknown): void {
  const keys = path.split(".");
  let at = settings;
  for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Nested;
  at[keys[keys.length - 1]] = value;
}
