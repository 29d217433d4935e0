import { built } from "./built.ts";
import { tellParent } from "./tell-parent.ts";

/** One HTTP process as `vitrine serve` starts it, with logs and metrics. Argument: a data directory. */

const { createApp } = await built<typeof import("../../src/http/app.ts")>("http/app");
const { listen } = await built<typeof import("../../src/http/server.ts")>("http/server");
const { createLogger } = await built<typeof import("../../src/log.ts")>("log");
const { createMetrics } = await built<typeof import("../../src/ops/metrics.ts")>("ops/metrics");
const { followLive } =
  await built<typeof import("../../src/cli/live-reader.ts")>("cli/live-reader");
const { openDataDirectory } =
  await built<typeof import("../../src/read-model/generation.ts")>("read-model/generation");

const log = createLogger("info", "bench");
const live = followLive(openDataDirectory(process.argv[2] as string), () => undefined, log);
const app = createApp({
  reader: live.current,
  baseUrl: "https://agents.shop.example",
  log,
  observe: createMetrics("http-1").request,
});
tellParent(await listen(app, { host: "127.0.0.1", port: 0 }));
