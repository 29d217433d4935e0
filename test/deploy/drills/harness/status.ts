/** What a service reports about itself. */
import * as assert from "uvu/assert";
import { type RunningVitrine, until } from "../../../helpers/vitrine.ts";

export interface ExpectedStatus {
  readonly state: string;
  /** Part of the reason of the state. */
  readonly reason?: string | RegExp;
  /** Part of the reasons of `/readyz`; a service without it must be ready. Null if both are possible. */
  readonly unready?: string | RegExp | null;
  /** Least sequence of its checkpoint. */
  readonly checkpoint?: number;
  /** Limit in seconds; 60 by default. */
  readonly seconds?: number;
}

/**
 * Waits until a service reports a state, and checks that its ops port reports it everywhere.
 * @returns texts of what it reports
 */
export const reach = async (
  { ops }: RunningVitrine,
  expected: ExpectedStatus,
): Promise<readonly string[]> => {
  const metric = `vitrine_projector_state{state="${expected.state}"} 1`;
  // A projector that retries may have another state for a moment: the reports are read again until they agree.
  const { metrics, ...reported } = await until(
    async () => {
      const [status, readyz, { text }] = await Promise.all([
        ops("/status"),
        ops("/readyz"),
        ops("/metrics"),
      ]);
      return { ...summaryOf({ status: status.text, readyz }), metrics: text };
    },
    (summary) => isReached(summary, expected) && summary.metrics.includes(metric),
    expected.seconds,
  );
  return [JSON.stringify(reported), metrics];
};

interface Summary {
  readonly state: string;
  readonly reason: string | null;
  readonly checkpoint: number;
  readonly quarantined: readonly string[];
  readonly readyz: { readonly status: number; readonly text: string };
}

const summaryOf = (read: {
  readonly status: string;
  readonly readyz: Summary["readyz"];
}): Summary => {
  const { state, reason, quarantined, status } = JSON.parse(read.status);
  return { state, reason, quarantined, checkpoint: status?.checkpoint ?? 0, readyz: read.readyz };
};

const isReached = (
  { state, reason, checkpoint, readyz }: Summary,
  expected: ExpectedStatus,
): boolean =>
  state === expected.state &&
  includes(reason ?? "", expected.reason ?? "") &&
  checkpoint >= (expected.checkpoint ?? 0) &&
  isAsExpected(readyz, expected.unready);

const isAsExpected = (readyz: Summary["readyz"], unready: ExpectedStatus["unready"]): boolean => {
  if (unready === null) return true;
  if (unready === undefined) return readyz.status === 200;
  return readyz.status === 503 && includes(readyz.text, unready);
};

const includes = (text: string, part: string | RegExp): boolean =>
  typeof part === "string" ? text.includes(part) : part.test(text);

/** Reads the value of a metric with its labels. @returns undefined when it is not reported */
export const metricOf = async (
  { ops }: RunningVitrine,
  name: string,
): Promise<number | undefined> => {
  const { text } = await ops("/metrics");
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
};

/** Waits until a metric has at least a value. @returns its value */
export const reachesMetric = async (
  service: RunningVitrine,
  name: string,
  least: number,
): Promise<number> =>
  until(
    async () => (await metricOf(service, name)) ?? Number.NaN,
    (value) => value >= least,
  );

/** Waits until the service answers from its read model, after its HTTP process ended. */
export const answersAgain = async (service: RunningVitrine, products: number): Promise<void> => {
  await until(() => mustAnswer(service, products).then(() => true), Boolean);
};

/** Checks that the service answers from its read model. */
export const mustAnswer = async ({ graphql }: RunningVitrine, products?: number): Promise<void> => {
  type Answer = { readonly products: { readonly totalCount: number } };
  const { status, data } = await graphql<Answer>("{ products { totalCount } }");
  assert.is(status, 200);
  if (products !== undefined) assert.is(data.products.totalCount, products);
};
