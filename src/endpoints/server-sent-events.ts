// Server-sent events, as far as completions use them: the data of each event, however the bytes were cut into chunks.

/** Push text as it arrives; get the data of the events that it completes. */
export class EventStreamParser {
  #pending = "";
  /** Where the search for a line's end goes on: what lies before has none. */
  #searched = 0;
  #data: string[] = [];
  #dataLength = 0;

  /** Characters kept for events that have not ended. */
  get held(): number {
    return this.#pending.length + this.#dataLength;
  }

  push(text: string): string[] {
    this.#pending += text;
    const events: string[] = [];
    const lineEnd = /\r\n|\n|\r/g;
    let start = 0;
    lineEnd.lastIndex = this.#searched;
    for (let end = lineEnd.exec(this.#pending); end !== null; end = lineEnd.exec(this.#pending)) {
      // A carriage return at the very end may be half of a pair whose other half is still under way.
      if (end[0] === "\r" && lineEnd.lastIndex === this.#pending.length) break;
      this.#line(this.#pending.slice(start, end.index), events);
      start = lineEnd.lastIndex;
    }
    this.#pending = this.#pending.slice(start);
    this.#searched = Math.max(0, this.#pending.length - 1);
    return events;
  }

  /** What a server left without its closing blank line. */
  end(): string[] {
    const events: string[] = [];
    if (this.#pending !== "") this.#line(this.#pending.replace(/\r$/, ""), events);
    this.#pending = "";
    this.#searched = 0;
    this.#line("", events);
    return events;
  }

  #line(line: string, events: string[]): void {
    if (line === "") {
      if (this.#data.length > 0) events.push(this.#data.join("\n"));
      this.#data = [];
      this.#dataLength = 0;
    } else if (line.startsWith("data:")) {
      this.#data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      this.#dataLength += line.length;
    }
    // Comments keep connections alive; ids and event names mean nothing here.
  }
}
