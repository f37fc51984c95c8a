// Node's paths as every system but Windows writes them.

export const sep = "/";

function plain(path: string, isAbsolute: boolean): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && (parts.length > 0 ? parts.at(-1) !== ".." : isAbsolute)) parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

export function normalize(path: string): string {
  const isAbsolute = path.startsWith("/");
  const parts = plain(path, isAbsolute);
  if (parts === "") return isAbsolute ? "/" : path.endsWith("/") && path !== "" ? "./" : ".";
  return `${isAbsolute ? "/" : ""}${parts}${path.endsWith("/") ? "/" : ""}`;
}

export const join = (...parts: readonly string[]): string => normalize(parts.filter((part) => part !== "").join("/"));

/** There is one folder that anybody can be in. */
export function resolve(...parts: readonly string[]): string {
  const from = parts.findLastIndex((part) => part.startsWith("/"));
  return `/${plain(parts.slice(Math.max(0, from)).join("/"), true)}`;
}

export function relative(from: string, to: string): string {
  const [here, there] = [from, to].map((path) =>
    resolve(path)
      .split("/")
      .filter((part) => part !== ""),
  );
  let shared = 0;
  while (shared < here.length && here[shared] === there[shared]) shared += 1;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join("/");
}

export function dirname(path: string): string {
  const own = /^(.*?)\/+[^/]+\/*$/s.exec(path);
  if (own !== null) return own[1] || "/";
  return path.startsWith("/") ? "/" : ".";
}

export const basename = (path: string): string => /([^/]*)\/*$/.exec(path)![1];

export function extname(path: string): string {
  const name = basename(path);
  return name === ".." ? "" : (/^.+?(\.[^.]*)$/s.exec(name)?.[1] ?? "");
}
