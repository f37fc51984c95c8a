// The few routes of the Hugging Face hub that loading a data set needs, over real HTTP.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type FakeHub = {
  readonly url: string;
  readonly requests: string[];
  readonly close: () => Promise<void>;
};

export const fakeRevision = "0123456789abcdef0123456789abcdef01234567";

/** `datasets["owner/name"]["path/in/repo.parquet"]` */
export async function startFakeHub(datasets: Record<string, Record<string, Uint8Array>>): Promise<FakeHub> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://hub");
    const path = decodeURIComponent(url.pathname);
    requests.push(path);
    const json = (value: unknown) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    const missing = () => {
      response.writeHead(404, { "content-type": "application/json", "x-error-code": "RepoNotFound" });
      response.end('{"error":"Repository not found"}');
    };
    const [, name] = /^\/(?:api\/)?datasets\/([^/]+\/[^/]+)\//.exec(path) ?? [];
    const files = name === undefined ? undefined : datasets[name];
    if (files === undefined) return missing();
    if (path.startsWith(`/api/datasets/${name}/revision/`)) {
      return json({ _id: "1", id: name, sha: fakeRevision, lastModified: "2026-01-01T00:00:00Z" });
    }
    if (path.startsWith(`/api/datasets/${name}/tree/${fakeRevision}`)) {
      return json(
        Object.entries(files).map(([file, bytes]) => ({ type: "file", path: file, size: bytes.length, oid: "x" })),
      );
    }
    const file = path.slice(`/datasets/${name}/resolve/${fakeRevision}/`.length);
    const bytes = files[file];
    if (bytes === undefined) return missing();
    const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "");
    const [start, end] =
      range === null ? [0, bytes.length - 1] : [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
    response.writeHead(range === null ? 200 : 206, {
      "content-type": "application/octet-stream",
      "content-range": `bytes ${start}-${end}/${bytes.length}`,
      etag: '"x"',
    });
    response.end(bytes.subarray(start, end + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
