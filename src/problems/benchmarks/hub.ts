// Data sets of the Hugging Face hub, kept in a cache by the revision they had, so that a second run reads the same bytes
// and needs no network.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DataError, messageOf, RemoteServiceError } from "../../base/errors.ts";
import { writeFileAtomically } from "../../base/files.ts";
import { readJsonFile } from "../../base/json-file.ts";
import { MissingPackageError } from "../../base/optional-package.ts";
import { hubClient } from "./hub-client.ts";

export type HubOptions = {
  /** Folder of the cache. */
  readonly cache: string;
  /** A branch, a tag or a commit. */
  readonly revision?: string;
  readonly hubUrl?: string;
  readonly token?: string;
};

export type HubFiles = {
  /** The commit. */
  readonly revision: string;
  /** Within the repository, and where its copy lies. */
  readonly files: readonly { readonly path: string; readonly copy: string }[];
  /** True when the hub could not be asked and the last known state was used. */
  readonly fromCache: boolean;
};

const listingSchema = z.object({ revision: z.string(), files: z.array(z.string()) });

/** Copies of the repository's files that match, downloaded where they are not in the cache yet. */
export async function hubFiles(dataset: string, file: RegExp, options: HubOptions): Promise<HubFiles> {
  const folder = join(options.cache, dataset.replace("/", "--"));
  const asked = options.revision ?? "main";
  const listingFile = join(folder, `${asked.replaceAll("/", "--")}.json`);
  const access = { hubUrl: options.hubUrl, ...(options.token !== undefined && { accessToken: options.token }) };
  let listing: z.infer<typeof listingSchema>;
  let fromCache = false;
  try {
    const { datasetInfo, listFiles } = await hubClient();
    const info = await datasetInfo({ name: dataset, revision: asked, additionalFields: ["sha"], ...access });
    const repo = { type: "dataset", name: dataset } as const;
    const files: string[] = [];
    for await (const entry of listFiles({ repo, recursive: true, revision: info.sha, ...access })) {
      if (entry.type === "file") files.push(entry.path);
    }
    listing = { revision: info.sha, files };
    await writeFileAtomically(listingFile, JSON.stringify(listing));
  } catch (error) {
    if (!existsSync(listingFile)) {
      if (error instanceof MissingPackageError) throw error;
      throw new RemoteServiceError(
        `the data set ${dataset} cannot be listed: ${messageOf(error)}; check the network, or give a local file instead`,
      );
    }
    listing = await readJsonFile(listingFile, listingSchema);
    fromCache = true;
  }

  const matching = listing.files.filter((path) => file.test(path)).sort();
  if (matching.length === 0) {
    throw new DataError(`the data set ${dataset} has no file like ${file.source}; it has ${listing.files.join(", ")}`);
  }
  const files = [];
  for (const path of matching) {
    const copy = join(folder, listing.revision, path);
    if (!existsSync(copy)) await download(dataset, path, listing.revision, copy, access);
    files.push({ path, copy });
  }
  return { revision: listing.revision, files, fromCache };
}

async function download(
  dataset: string,
  path: string,
  revision: string,
  copy: string,
  access: { readonly hubUrl?: string; readonly accessToken?: string },
): Promise<void> {
  const { downloadFile } = await hubClient();
  let blob: Blob | null;
  try {
    blob = await downloadFile({ repo: { type: "dataset", name: dataset }, path, revision, ...access });
  } catch (error) {
    throw new RemoteServiceError(`${dataset}/${path} cannot be downloaded: ${messageOf(error)}`);
  }
  if (blob === null) throw new RemoteServiceError(`${dataset} has no ${path} at ${revision}`);
  await writeFileAtomically(copy, new Uint8Array(await blob.arrayBuffer()));
}
