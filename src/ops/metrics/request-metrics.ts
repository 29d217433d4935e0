import type { Observation } from "../../http/exchange.ts";

const bucketSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Methods with their own label. A client can invent methods, and each would become a time series. */
const methodLabels = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"]);

interface Durations {
  /** Number of requests in each bucket, not cumulative; the last bucket has no upper bound. */
  readonly counts: number[];
  sum: number;
}

/** Number of requests of one route and method with one status. */
interface Total {
  readonly labels: Readonly<Record<string, string | number>>;
  value: number;
}

/** Counts requests in plain numbers, because prom-client's label lookup would take a large part of a reply's time. */
export const createRequestCounts = () => {
  const totals = new Map<string, Map<number, Total>>();
  const durations = new Map<string, Durations>();
  return {
    count({ route, method, status, seconds }: Observation): void {
      const label = methodLabels.has(method) ? method : "other";
      const key = `${route} ${label}`;
      const byStatus = totals.get(key) ?? insert(totals, key, new Map<number, Total>());
      const total =
        byStatus.get(status) ??
        insert(byStatus, status, { labels: { route, method: label, status }, value: 0 });
      total.value += 1;
      addDuration(durations.get(route) ?? insert(durations, route, emptyDurations()), seconds);
    },
    /** @returns the counts in prom-client's format, so that prom-client can aggregate them */
    snapshot: () => [toCounterJson(totals), toHistogramJson(durations)],
  };
};

const insert = <K, V>(map: Map<K, V>, key: K, value: V): V => {
  map.set(key, value);
  return value;
};

const emptyDurations = (): Durations => ({ counts: bucketSeconds.map(() => 0).concat(0), sum: 0 });

const addDuration = (durations: Durations, seconds: number): void => {
  let bucket = 0;
  while (bucket < bucketSeconds.length && seconds > (bucketSeconds[bucket] as number)) bucket += 1;
  durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1;
  durations.sum += seconds;
};

const toCounterJson = (totals: ReadonlyMap<string, ReadonlyMap<number, Total>>) => ({
  help: "Answered requests; status 499 when the client disconnected first.",
  name: "vitrine_http_requests_total",
  type: "counter",
  values: [...totals.values()].flatMap((byStatus) =>
    [...byStatus.values()].map(({ labels, value }) => ({ value, labels })),
  ),
  aggregator: "sum",
});

const toHistogramJson = (durations: ReadonlyMap<string, Durations>) => ({
  help: "Time from the first header of a request to the last byte of its response.",
  name: histogramName,
  type: "histogram",
  values: [...durations].flatMap(([route, { counts, sum }]) => {
    let cumulative = 0;
    const buckets = counts.map((count, index) => {
      cumulative += count;
      return toSample("bucket", cumulative, { le: bucketSeconds[index] ?? "+Inf", route });
    });
    return [...buckets, toSample("sum", sum, { route }), toSample("count", cumulative, { route })];
  }),
  aggregator: "sum",
});

const histogramName = "vitrine_http_request_duration_seconds";

const toSample = (
  suffix: string,
  value: number,
  labels: Readonly<Record<string, string | number>>,
) => ({
  value,
  metricName: `${histogramName}_${suffix}`,
  labels,
});
