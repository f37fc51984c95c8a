// What was asked in a batch of requests: results name their request by `custom_id` alone, and the requests lie in a file beside them.
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readJsonLinesFile } from "../base/json-lines.ts";
import type { Row } from "./row-format.ts";
import { objectOf, textOf } from "./row-values.ts";

const read = new Map<string, Promise<ReadonlyMap<string, Row>>>();

/** The row with its request, where it is a result that has none. */
export async function withRequest(row: Row, path: string): Promise<Row> {
  const id = textOf(row.custom_id);
  if (id === undefined || (row.response ?? row.result) === undefined || (row.request ?? row.body) !== undefined)
    return row;
  const folder = dirname(path);
  if (!read.has(folder)) read.set(folder, requestsIn(folder));
  const request = (await read.get(folder))?.get(id);
  return request === undefined ? row : { ...row, request };
}

async function requestsIn(folder: string): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>();
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".jsonl")))
    for await (const line of readJsonLinesFile(join(folder, name))) {
      const row = "value" in line ? objectOf(line.value) : undefined;
      const [id, request] = [textOf(row?.custom_id), objectOf(row?.body) ?? objectOf(row?.params)];
      // Other files hold other things.
      if (id === undefined || request === undefined) break;
      found.set(id, request);
    }
  return found;
}
