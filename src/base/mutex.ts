// Work that must not overlap: whoever comes second waits until the first is done, however that ended.

export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.catch(() => {}).then(work);
    this.#last = done;
    return done;
  }
}
