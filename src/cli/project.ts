import type { Config, Flags } from "../config.ts";
import { VitrineError } from "../errors.ts";
import { drain, listen } from "../http/server.ts";
import { createLogger } from "../log.ts";
import { createGauges } from "../ops/gauges.ts";
import { createMetrics, gatherMetrics } from "../ops/metrics.ts";
import { portOf, urlOf } from "../ops/ports.ts";
import { reasonsAgainst } from "../ops/readiness.ts";
import { createOps, type OpsWorld } from "../ops/server.ts";
import { type Watch, watchProjector } from "../ops/sighting.ts";
import { lockDirectory } from "../projector/lock.ts";
import { type DataDirectory, openDataDirectory } from "../read-model/generation.ts";
import type { CommandLine } from "./command-line.ts";
import { mustReachLog } from "./event-log.ts";
import { print } from "./output.ts";
import { project } from "./projector.ts";
import { projectorSettings } from "./setting-groups.ts";
import { exitCodeOf, onSignals } from "./signals.ts";

export const describeProject = (line: CommandLine): void => {
  line
    .command({
      usage: "project",
      tells: "run the projector alone; one per data directory",
      settings: projectorSettings,
      examples: ["vitrine project --data-dir /var/lib/vitrine --events nats://127.0.0.1:4222"],
    })
    .action(async (flags: Flags) =>
      line.done(await projectAlone(line.config(flags, projectorSettings))),
    );
};

/**
 * The projector alone, with its own ops port, until a signal ends it.
 * @returns exit code
 */
export const projectAlone = async (config: Config): Promise<number> => {
  const log = createLogger(config.logLevel, "projector");
  const ending = onSignals((signal) => process.exit(exitCodeOf(signal)));
  const directory = openDataDirectory(config.dataDir);
  const release = await lockDirectory(directory.path, (error) =>
    ending.fail(new VitrineError("data_dir", `the lock was lost: ${error.message}`, "", error)),
  );
  try {
    await mustReachLog(config, directory);
    const seen = watchProjector(Date.now);
    const metrics = createMetrics("projector");
    const world = opsWorld(config, directory, seen, () => metrics.snapshot());
    const { opsHost: host, opsPort: port } = config;
    const ops = await listen(createOps(world), { host, port, flag: "--ops-port" });
    print(`the projector follows ${config.events}\n\n  Ops  ${urlOf(host, portOf(ops))}/readyz`);
    const { signal } = ending;
    try {
      await project({ config, directory, log, metrics, onStatus: seen.told, signal });
    } finally {
      await drain(ops, 500);
    }
    await ending.asked;
    return 0;
  } finally {
    await release().catch(() => undefined);
  }
};

const opsWorld = (
  config: Config,
  directory: DataDirectory,
  seen: Watch,
  snapshot: () => ReturnType<ReturnType<typeof createMetrics>["snapshot"]>,
): OpsWorld => {
  const gauges = createGauges(seen.see, directory.quarantined);
  const gathered = gatherMetrics();
  return {
    dataDir: directory.path,
    projector: seen.see,
    quarantined: directory.quarantined,
    reasons: () =>
      reasonsAgainst({
        modelLoaded: directory.live() !== undefined,
        projector: seen.see(),
        quarantined: directory.quarantined(),
        maxLag: config.maxLag,
      }),
    metrics: async () => gathered.text(await snapshot(), await gauges.snapshot()),
  };
};
