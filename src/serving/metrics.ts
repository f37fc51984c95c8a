// What the reward server counts, and how Prometheus reads it. Labels come from fixed lists: nothing a client sends can
// make a new time series.

const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

type Labels = Readonly<Record<string, string | number>>;

export class Metrics {
  readonly #counters = new Map<string, number>();
  readonly #durations = new Map<string, { readonly buckets: number[]; sum: number; count: number }>();

  count(name: string, labels: Labels = {}, by = 1): void {
    const key = `${name}${written(labels)}`;
    this.#counters.set(key, (this.#counters.get(key) ?? 0) + by);
  }

  duration(route: string, seconds: number): void {
    let seen = this.#durations.get(route);
    if (seen === undefined) this.#durations.set(route, (seen = { buckets: bounds.map(() => 0), sum: 0, count: 0 }));
    seen.sum += seconds;
    seen.count += 1;
    for (const [i, bound] of bounds.entries()) if (seconds <= bound) seen.buckets[i] += 1;
  }

  /** Prometheus text, with gauges as they are now. */
  text(gauges: Readonly<Record<string, number>>): string {
    const lines: string[] = [];
    const typed = (name: string, type: string) => lines.push(`# TYPE repertoire_${name} ${type}`);
    let family = "";
    for (const [key, value] of [...this.#counters].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const name = key.split("{")[0];
      if (name !== family) typed(name, "counter");
      family = name;
      lines.push(`repertoire_${key} ${value}`);
    }
    for (const [name, value] of Object.entries(gauges)) {
      typed(name, "gauge");
      lines.push(`repertoire_${name} ${value}`);
    }
    if (this.#durations.size > 0) typed("request_seconds", "histogram");
    for (const [route, { buckets, sum, count }] of this.#durations) {
      for (const [i, bound] of bounds.entries()) {
        lines.push(`repertoire_request_seconds_bucket${written({ route, le: bound })} ${buckets[i]}`);
      }
      lines.push(`repertoire_request_seconds_bucket${written({ route, le: "+Inf" })} ${count}`);
      lines.push(`repertoire_request_seconds_sum${written({ route })} ${sum}`);
      lines.push(`repertoire_request_seconds_count${written({ route })} ${count}`);
    }
    return `${lines.join("\n")}\n`;
  }
}

function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
