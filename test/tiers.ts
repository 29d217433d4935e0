/**
 * Assigns each test file to a tier. `npm test` runs `unit` and needs only Node; `npm run test:all` runs every tier. A file
 * belongs to the first tier that lists a prefix of its path, else to `unit`.
 */
export const tierNames = ["unit", "system", "torture", "clients", "deploy"] as const;
export type Tier = (typeof tierNames)[number];

/** Tests that start processes, a broker or a browser, measure memory or time, or take longer than half a minute. */
const system = [
  "test/agreement.",
  "test/browser/",
  "test/cli/",
  "test/deploy/packages.",
  "test/deploy/rights.",
  "test/event-log/jetstream/",
  "test/event-log/open.",
  "test/event-log/port.",
  "test/http/cache/response-cache.",
  "test/http/connection/backpressure.",
  "test/http/left-open.",
  "test/http/robots/effort.",
  "test/lmdb/",
  "test/log.",
  "test/mcp/",
  "test/ops/",
  "test/platform/child-probe.",
  "test/processes/",
  "test/projector/broker.",
  "test/projector/determinism.",
  "test/projector/first-replay.",
  "test/projector/integrity/",
  "test/projector/logs.",
  "test/projector/lost-models.",
  "test/projector/other-history.",
  "test/projector/projection-version.",
  "test/projector/rebuild/",
  "test/projector/recover.",
  "test/projector/run.",
  "test/read-model/search/cost.",
  "test/read-model/search/effort.",
  "test/read-model/search/forgiving.",
  "test/read-model/search/ranking.",
  "test/spec/contract-2-copies.",
  "test/spec/contract-1-operations.",
  "test/spec/contract-4-snapshot.",
  "test/spec/contract-6-access.",
  "test/spec/section-8-rate.",
  "test/spec/table-rows-refusals.",
  "test/surfaces/deep-categories.",
  "test/surfaces/discovery/openapi.",
  "test/surfaces/graphql/compiled/",
  "test/surfaces/markdown/hostile.",
  "test/surfaces/markdown/html.",
  "test/text/copy-string.",
];

const torture = ["test/torture/"];

/** Tests that run what `deploy/` has, with the servers and tools of Debian that it is for (helpers/debian-programs.ts). */
const deploy = [
  "test/deploy/connect/",
  "test/deploy/containers/",
  "test/deploy/drills/",
  "test/deploy/examples/",
  "test/deploy/monitoring/",
  "test/deploy/package/",
  "test/deploy/proxy/",
  "test/deploy/replicas/",
  "test/deploy/systemd/",
];

/** Tests with the clients of test/clients, a package of its own that the first run installs. */
const clients = ["test/clients/"];

export const tierOf = (file: string): Tier => {
  const isIn = (starts: readonly string[]): boolean =>
    starts.some((start) => file.startsWith(start));
  if (isIn(clients)) return "clients";
  if (isIn(deploy)) return "deploy";
  if (isIn(torture)) return "torture";
  return isIn(system) ? "system" : "unit";
};

/** Finds prefixes in this file that match no test file, for example after a rename. */
export const staleEntries = (files: readonly string[]): readonly string[] =>
  [...system, ...torture, ...deploy, ...timed, ...quiet, ...slow].filter(
    (start) => !files.some((file) => file.startsWith(start)),
  );

/** Whether the file measures time, so that no other file may run at the same time. */
export const isTimed = (file: string): boolean => timed.includes(file);

const timed = [
  "test/torture/documents.test.ts",
  "test/torture/freshness.test.ts",
  "test/torture/soak.test.ts",
  "test/torture/attacks.test.ts",
  "test/torture/events.test.ts",
  "test/torture/rebuild-load.test.ts",
  "test/processes/restart.test.ts",
];

/** Whether the file has limits of a second or more for servers of its own, so that only some other files may run at the same time. */
export const needsQuiet = (file: string): boolean => quiet.includes(file);

const quiet = [
  "test/deploy/replicas/replicas.test.ts",
  "test/deploy/systemd/upgrade.test.ts",
  "test/deploy/replicas/clients.test.ts",
  "test/deploy/proxy/nginx-cache.test.ts",
];

/** Whether the file is slow and starts early, so that it does not run alone at the end. */
export const startsEarly = (file: string): boolean => slow.some((start) => file.startsWith(start));

const slow = [
  "test/torture/entrances.",
  "test/cli/commands/",
  "test/agreement.",
  "test/browser/console.",
  "test/processes/",
  "test/projector/determinism.",
  "test/projector/recover.",
  "test/spec/section-8-rate.",
  "test/spec/table-rows-refusals.",
  "test/torture/damage.",
  "test/torture/degraded.",
  "test/torture/full-file-system.",
  "test/spec/contract-4-ceilings.",
  "test/spec/contract-9-properties.",
  "test/surfaces/search.",
  "test/read-model/search/text/spelling-dictionary.",
];
