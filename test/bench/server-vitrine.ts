import { built } from "./built.ts";
import { reportToParent } from "./tell-parent.ts";

/** One HTTP process as `vitrine serve` starts it, with logs and metrics. Argument: a data directory. */

const { createApp } = await built<typeof import("../../src/http/app.ts")>("http/app");
const { listen } = await built<typeof import("../../src/http/server.ts")>("http/server");
const { createFixedWindow } = await built<
  typeof import("../../src/http/rate-limit/fixed-window.ts")
>("http/rate-limit/fixed-window");
const { createLogger } = await built<typeof import("../../src/log.ts")>("log");
const { createProcessMetrics } = await built<
  typeof import("../../src/ops/metrics/process-metrics.ts")
>("ops/metrics/process-metrics");
const { followLiveGeneration } = await built<
  typeof import("../../src/cli/supervisor/roles/follow-live-generation.ts")
>("cli/supervisor/roles/follow-live-generation");
const { openDataDirectory } = await built<
  typeof import("../../src/read-model/generations/data-directory.ts")
>("read-model/generations/data-directory");

/** The load comes from one address. */
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
  access: { registration: "closed", secret: "a secret of the bench", keys: { claim: () => true } },
  rateLimit: { limit, trustedProxies: 0, count: createFixedWindow(limit, () => performance.now()) },
  observe: createProcessMetrics("http-1").request,
  allowedOrigins: [],
  dataAge: () => undefined,
  onGraphqlFallback: () => {},
});
reportToParent(await listen(app, { host: "127.0.0.1", port: 0 }));
