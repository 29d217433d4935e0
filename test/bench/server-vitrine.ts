import { importBuilt } from "./import-built.ts";
import { reportToParent } from "./report-to-parent.ts";

/** One HTTP process with the logger and metrics of `vitrine serve`. Argument: a data directory. */

const { createApp } = await importBuilt<typeof import("../../src/http/app.ts")>("http/app");
const { listen } = await importBuilt<typeof import("../../src/http/server.ts")>("http/server");
const { createFixedWindow } = await importBuilt<
  typeof import("../../src/http/rate-limit/rate-limit.ts")
>("http/rate-limit/rate-limit");
const { createLogger } = await importBuilt<typeof import("../../src/log.ts")>("log");
const { createProcessMetrics } = await importBuilt<
  typeof import("../../src/ops/metrics/process-metrics.ts")
>("ops/metrics/process-metrics");
const { followLiveGeneration } = await importBuilt<
  typeof import("../../src/cli/supervisor/roles/follow-live-generation.ts")
>("cli/supervisor/roles/follow-live-generation");
const { openDataDirectory } = await importBuilt<
  typeof import("../../src/read-model/generations/data-directory.ts")
>("read-model/generations/data-directory");

/** Never reached: all requests come from one address. */
const limit = 1_000_000_000;

const log = createLogger("info", "bench");
const live = await followLiveGeneration(
  openDataDirectory(process.argv[2] as string),
  () => undefined,
  log,
);
const app = createApp({
  reader: live.current,
  baseUrl: "https://agents.shop.example",
  log,
  access: {
    registration: "closed",
    selfIssuedTokens: "refused",
    toolsAccess: "token",
    secret: "a secret of the bench",
    keys: { claim: () => true },
  },
  rateLimit: { limit, trustedProxies: 0, count: createFixedWindow(limit, () => performance.now()) },
  observe: createProcessMetrics("http-1").request,
  allowedOrigins: [],
  sharedMaxAge: 0,
  dataAge: () => undefined,
  onGraphqlFallback: () => {},
});
reportToParent(await listen(app, { host: "127.0.0.1", port: 0 }));
