// The JSON-lines contract of every command that judges or transforms one item: a line in, a line out, in order, in
// constant memory; a line that cannot be used becomes an error record and the rest goes on.
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { z } from "zod";
import { UserError } from "../base/errors.ts";
import { readJsonLines } from "../base/json-lines.ts";

export async function answerLines<Input>(
  schema: z.ZodType<Input>,
  answer: (input: Input) => object | Promise<object>,
  source: Readable = process.stdin,
  sink: Writable = process.stdout,
): Promise<{ readonly answered: number; readonly failed: number }> {
  const output = new LineWriter(sink);
  let answered = 0;
  let failed = 0;
  for await (const read of readJsonLines(source, "error")) {
    const fail = (error: string, id?: unknown) => {
      failed += 1;
      return output.write({ line: read.line, ...(id === undefined ? {} : { id }), error });
    };
    if ("error" in read) {
      await fail(read.error);
      continue;
    }
    const id = (read.value as { id?: unknown } | null)?.id;
    const input = schema.safeParse(read.value);
    if (!input.success) {
      await fail(describe(input.error), id);
      continue;
    }
    try {
      await output.write(await answer(input.data));
      answered += 1;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      await fail(error.message, id);
    }
  }
  await output.flush();
  return { answered, failed };
}

function describe(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join(".") || "record"}: ${issue.message}`).join("; ");
}

/**
 * Joins lines into larger writes and waits when the reader is slower than we are. As soon as there is nothing more to
 * read, what is pending goes out, so that a program may write one line and wait for its answer.
 */
class LineWriter {
  readonly #sink: Writable;
  #pending = "";
  #scheduled = false;

  constructor(sink: Writable) {
    this.#sink = sink;
  }

  write(record: object): Promise<void> | undefined {
    this.#pending += `${JSON.stringify(record)}\n`;
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        void this.flush();
      });
    }
    return this.#pending.length > 1 << 16 ? this.flush() : undefined;
  }

  async flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = "";
    if (text !== "" && !this.#sink.write(text)) await once(this.#sink, "drain");
  }
}
