import type { Observation } from "../../http/middleware/request-metrics.ts";

/** Upper bounds in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** A client may invent methods, and each would be a time series. */
const known = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"]);

interface Durations {
  /** Requests up to each bound, and above the one before; the last above all. */
  readonly counts: number[];
  sum: number;
}

/** How many requests of one route and method were answered with a status. */
interface Total {
  readonly labels: Readonly<Record<string, string | number>>;
  value: number;
}

/** Counts of requests, kept as plain numbers: to find a counter by its labels takes longer than much of an answer. */
export interface RequestCounts {
  count(observation: Observation): void;
  /** As prom-client would tell them, which adds them up. */
  snapshot(): readonly { readonly name: string }[];
}

export const openRequestCounts = (): RequestCounts => {
  const totals = new Map<string, Map<number, Total>>();
  const durations = new Map<string, Durations>();
  return {
    count({ route, method, status, seconds }) {
      const told = known.has(method) ? method : "other";
      const name = `${route} ${told}`;
      const byStatus = totals.get(name) ?? putInto(totals, name, new Map<number, Total>());
      const total =
        byStatus.get(status) ??
        putInto(byStatus, status, { labels: { route, method: told, status }, value: 0 });
      total.value += 1;
      add(durations.get(route) ?? putInto(durations, route, noDurations()), seconds);
    },
    snapshot: () => [totalsOf(totals), durationsOf(durations)],
  };
};

const putInto = <K, V>(map: Map<K, V>, key: K, value: V): V => {
  map.set(key, value);
  return value;
};

const noDurations = (): Durations => ({ counts: bounds.map(() => 0).concat(0), sum: 0 });

const add = (durations: Durations, seconds: number): void => {
  let at = 0;
  while (at < bounds.length && seconds > (bounds[at] as number)) at += 1;
  durations.counts[at] = (durations.counts[at] ?? 0) + 1;
  durations.sum += seconds;
};

const totalsOf = (totals: ReadonlyMap<string, ReadonlyMap<number, Total>>) => ({
  help: "Requests answered; status 499 when the client hung up first.",
  name: "vitrine_http_requests_total",
  type: "counter",
  values: [...totals.values()].flatMap((byStatus) =>
    [...byStatus.values()].map(({ labels, value }) => ({ value, labels })),
  ),
  aggregator: "sum",
});

const durationsOf = (durations: ReadonlyMap<string, Durations>) => ({
  help: "From the first header of a request to the last byte of its answer.",
  name: histogram,
  type: "histogram",
  values: [...durations].flatMap(([route, { counts, sum }]) => {
    let below = 0;
    const buckets = counts.map((count, at) => {
      below += count;
      return one("bucket", below, { le: bounds[at] ?? "+Inf", route });
    });
    return [...buckets, one("sum", sum, { route }), one("count", below, { route })];
  }),
  aggregator: "sum",
});

const histogram = "vitrine_http_request_duration_seconds";

const one = (part: string, value: number, labels: Readonly<Record<string, string | number>>) => ({
  value,
  metricName: `${histogram}_${part}`,
  labels,
});
