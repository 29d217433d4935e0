/**
 * The jobs of the long form, and their division into parts that can run separately, repeatedly and on other
 * machines.
 */

export interface Job {
  /** The name for `--only`. */
  readonly name: string;
  readonly file: string;
  /** The unit that is counted. */
  readonly unit: string;
  /** Number of units in all, and in one part of some minutes. */
  readonly total: number;
  readonly part: number;
  /** It measures time: no other part runs meanwhile. */
  readonly isTimed?: boolean;
}

const job = (name: string, file: string, unit: string, total: number, part = total): Job => ({
  name,
  file: `test/${file}.test.ts`,
  unit,
  total,
  part,
});

const timed = (...args: Parameters<typeof job>): Job => ({ ...job(...args), isTimed: true });

/** The totals are those of the table in `promises.md`. */
export const jobs: readonly Job[] = [
  job("faults", "torture/crash-laboratory", "faults", 5_000, 40),
  job("kills", "processes/crash", "kills of a projector", 5_000, 200),
  job("backups", "processes/crash-backup", "backups and restores", 400, 40),
  job("backup-steps", "processes/backup-steps", "steps", 70),
  timed("requests", "torture/entrances", "requests", 1_000_000, 20_000),
  timed("documents", "torture/documents", "documents", 10_000, 500),
  job("retries", "torture/safe-retry", "requests", 50_000, 5_000),
  timed("soak", "torture/soak", "seconds", 600),
  job("simulations", "torture/simulator", "logs", 2_000_000, 2_000),
  job("histories", "projector/determinism", "histories", 1_000_000, 5_000),
  job("letters", "projector/dead-letters/dead-letters", "histories", 20_000, 2_000),
  job("surfaces", "agreement", "products", 20_000, 1_000),
  job("walks", "spec/contract-4-walking", "walks", 50_000, 1_000),
  job("lists", "read-model/reader/offset-page", "histories", 20_000, 1_000),
  job("searches", "read-model/search/agreement", "shops", 20_000, 1_000),
  job("rankings", "read-model/search/ranking", "shops", 10_000, 200),
  job("plans", "surfaces/graphql/compiled/models", "queries", 100_000, 10_000),
  job("prose", "surfaces/markdown/sanitize", "texts", 200_000, 10_000),
  job("html", "surfaces/markdown/html", "texts", 200_000, 10_000),
  job("pages", "surfaces/markdown/hostile", "shops", 20_000, 1_000),
  job("events", "torture/events", "events", 50_000, 5_000),
  job("deliveries", "torture/gateway", "deliveries", 100_000, 10_000),
  job("files", "torture/files", "files", 100_000, 10_000),
  job("images", "torture/power-loss", "images", 20_000, 500),
  job("damages", "torture/damage", "damages", 5_000, 250),
  job("other-histories", "projector/other-history", "rounds", 50, 1),
  job("swaps", "processes/swap", "rounds", 20, 1),
  timed("rebuilds", "torture/rebuild-load", "rebuilds", 20, 10),
  timed("attacks", "torture/attacks", "rounds", 1),
  job("clock", "torture/clock", "jumps", 70),
  job("access", "torture/access", "rounds", 1),
  job("steps", "processes/kill-rebuild", "steps", 10_000, 100),
  job("calls", "torture/system-calls", "failed calls", 300),
  job("disk-full", "torture/disk-full", "times", 30),
  job("full-file-system", "torture/full-file-system", "times", 30, 10),
  job("upgrade", "torture/upgrade", "rounds", 1),
  job("degraded", "torture/degraded", "rounds", 1),
  timed("freshness", "torture/freshness", "seconds", 1_800, 300),
  job("replays", "torture/replay", "events", 5_000_000),
  job("least-rights", "torture/least-rights", "rounds", 1),
  job("gateway-kills", "processes/gateway", "rounds", 1),
  job("gateway-outages", "processes/gateway-outages", "rounds", 1),
  job("gateway-full-disk", "processes/gateway-full-disk", "rounds", 1),
  job("import-kills", "processes/import", "rounds", 1),
];

/** One run of a job's file. */
export interface Part {
  readonly job: Job;
  /** Index, from 0. */
  readonly at: number;
  /** In the job's unit. */
  readonly count: number;
  readonly seed: number;
}

export interface Wanted {
  readonly seed: number;
  /** Names of jobs; empty for all. */
  readonly only: readonly string[];
  /** Number of each job instead of its total. */
  readonly count?: number | undefined;
  /** Runs every n-th part, beginning at `at`, from 1. */
  readonly shard: readonly [at: number, of: number];
}

/** The parts of all jobs; the first parts of all jobs come first, so that a short run covers every job. */
export const partsOf = ({ seed, only, count, shard: [shard, shards] }: Wanted): readonly Part[] =>
  jobs
    .filter(({ name }) => only.length === 0 || only.includes(name))
    .flatMap((each) => cut(each, seed, count ?? each.total))
    .sort((a, b) => a.at - b.at)
    .filter((_, at) => at % shards === shard - 1);

const cut = (each: Job, seed: number, total: number): readonly Part[] =>
  Array.from({ length: Math.ceil(total / each.part) }, (_, at) => ({
    job: each,
    at,
    count: Math.min(each.part, total - at * each.part),
    // A part has its own seed, the same on every machine.
    seed: seed + at * 1_000_003,
  }));
