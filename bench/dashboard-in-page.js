// Runs in the page that bench/dashboard.ts measures: clocks that start with the reader's action and stop with the frame
// that shows its result.
/* global document, addEventListener, requestAnimationFrame, PerformanceObserver */

const patienceMs = 30_000;

function resultPainted(events, isThere) {
  return new Promise((done, fail) => {
    let started;
    for (const event of events) {
      addEventListener(event, () => (started ??= performance.now()), { capture: true, once: true });
    }
    const look = () => {
      if (started !== undefined && isThere()) {
        // After the next frame has been painted.
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - started)));
      } else if (started !== undefined && performance.now() - started > patienceMs) {
        fail(new Error("nothing changed on the page"));
      } else {
        requestAnimationFrame(look);
      }
    };
    look();
  });
}

globalThis.measuring = {
  /** How many rollouts the list says it has. */
  count: () => Number((document.querySelector(".count b")?.textContent ?? "").replace(/\D/g, "")),

  settled: () => document.querySelector(".count b") !== null && document.querySelector(".virtual.stale") === null,

  /** When the list has this length. */
  whenCount(wanted) {
    const { count, settled } = globalThis.measuring;
    return new Promise((done) => {
      const look = () => (settled() && count() === wanted ? done() : requestAnimationFrame(look));
      look();
    });
  },

  /** From the first click, or Enter in a field, to a list of another length. */
  otherCount() {
    const { count, settled } = globalThis.measuring;
    const before = count();
    return resultPainted(["click", "keydown"], () => settled() && count() !== before);
  },

  /** From a click to the first spans of a trace. */
  openedTrace: () => resultPainted(["click"], () => document.querySelectorAll(".reader .block").length > 0),

  firstPaint: () =>
    new Promise((done) => {
      new PerformanceObserver((list, observer) => {
        const [paint] = list.getEntriesByName("first-contentful-paint");
        if (paint === undefined) return;
        observer.disconnect();
        done(paint.startTime);
      }).observe({ type: "paint", buffered: true });
    }),
};
