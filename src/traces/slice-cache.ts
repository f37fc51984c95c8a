// Labeled slices on disk while an analysis is under way, so that one that was stopped resumes where it was. A slice is
// known by what it is, how it is read and who labels; what was written is believed only if its digest is right.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeFileAtomically } from "../base/files.ts";
import { inputFile } from "../imports/inputs.ts";
import type { PlannedSlice } from "../imports/plan.ts";
import type { SliceResult } from "./label-slice.ts";
import { type LabelerDescription, labelerId } from "./labeler.ts";
import type { LabelerSpec } from "./labeler-spec.ts";

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

export class SliceCache {
  readonly #folder: string;
  readonly #labeling: readonly unknown[];

  constructor(folder: string, labeler: LabelerDescription, { segmentation, abstainBelow }: LabelerSpec) {
    this.#folder = folder;
    this.#labeling = [labelerId(labeler), labeler.about, segmentation, abstainBelow];
  }

  /** Whether something lies there; `read` says whether it can be believed. */
  async has(planned: PlannedSlice): Promise<boolean> {
    return existsSync(await this.#pathOf(planned));
  }

  /** As the slice of a number, which it may not have had when it was labeled. */
  async read(planned: PlannedSlice, slice: number): Promise<SliceResult | undefined> {
    const path = await this.#pathOf(planned);
    if (!existsSync(path)) return undefined;
    const text = await readFile(path, "utf8");
    const end = text.indexOf("\n");
    const body = text.slice(end + 1);
    // Byte for byte what `write` was given.
    if (digestOf(body) !== text.slice(0, end)) return undefined;
    const result = JSON.parse(body) as SliceResult;
    return { ...result, records: result.records.map((record) => ({ ...record, slice })) };
  }

  async write(planned: PlannedSlice, result: SliceResult): Promise<void> {
    const body = JSON.stringify(result);
    await makeFolder(this.#folder);
    await writeFileAtomically(await this.#pathOf(planned), `${digestOf(body)}\n${body}`);
  }

  /** When everything is in the analysis. */
  clear(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }

  async #pathOf({ slice, options }: PlannedSlice): Promise<string> {
    const file = slice.kind === "unreadable" ? undefined : (await inputFile(slice.path)).sha256;
    const key = JSON.stringify([slice, options, file, ...this.#labeling]);
    return join(this.#folder, `${digestOf(key).slice(0, 32)}.json`);
  }
}
