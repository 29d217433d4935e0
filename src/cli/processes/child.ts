import { once } from "node:events";
import { asRefusal, VitrineError } from "../../errors.ts";
import { createApp } from "../../http/app.ts";
import { drain, listen } from "../../http/server.ts";
import { createLogger, type Logger } from "../../log.ts";
import { createMetrics, type Metrics } from "../../ops/metrics.ts";
import { openDataDirectory } from "../../read-model/generation.ts";
import { openIdempotencyBook } from "../../read-model/idempotency-keys.ts";
import { lookOn } from "../look/look.ts";
import { tokenSecretOf } from "../model/token-secret.ts";
import { onSignals } from "../terminal/signals.ts";
import { heardAge } from "./data-age.ts";
import { followLive } from "./live-reader.ts";
import { type Begin, type Role, refusalOf, tell } from "./messages.ts";
import { project } from "./projector.ts";
import { rateLimitOf } from "./rate-limit.ts";
import { readSynonyms } from "./synonyms.ts";

/** Milliseconds. */
const tellEvery = 1_000;
const drainWithin = 5_000;

/**
 * What a started process does until it is told to end.
 * @returns the exit code
 */
export const runChild = async (role: Role): Promise<number> => {
  // Without its parent nobody holds the lock: an orphan must not write, and need not answer.
  process.once("disconnect", () => process.exit(0));
  const ending = onSignals(() => undefined);
  const begin = await told(ending.signal);
  if (!begin) return 0;
  const log = createLogger(begin.config.logLevel, begin.name);
  process.title = `vitrine ${begin.name}`;
  const metrics = createMetrics(begin.name);
  const telling = setInterval(() => void tellMetrics(metrics), tellEvery);
  try {
    const world = { begin, log, metrics, signal: ending.signal, asked: ending.asked };
    await roles[role](world);
    return 0;
  } catch (thrown) {
    const error = asRefusal(thrown);
    if (!(error instanceof VitrineError)) {
      log.fatal({ err: error }, "a bug: the process ends");
      return 70;
    }
    tell(refusalOf(error));
    return error.exitCode;
  } finally {
    clearInterval(telling);
    await tellMetrics(metrics);
  }
};

/** What to do; undefined when the end came first. */
const told = async (signal: AbortSignal): Promise<Begin | undefined> => {
  const answer = once(process, "message", { signal });
  tell({ kind: "hello" });
  return answer.then(
    ([begin]) => begin,
    () => undefined,
  );
};

interface ChildWorld {
  readonly begin: Begin;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
  readonly asked: Promise<void>;
}

const look = ({ begin, log, asked }: ChildWorld): Promise<void> =>
  lookOn({ config: begin.config, log, asked });

const follow = ({ begin, log, metrics, signal }: ChildWorld): Promise<void> =>
  project({
    config: begin.config,
    directory: openDataDirectory(begin.config.dataDir),
    log,
    metrics,
    onStatus: (status) => tell({ kind: "status", status }),
    signal,
  });

const answer = async ({ begin, log, metrics, asked }: ChildWorld): Promise<void> => {
  const { host, port, baseUrl, dataDir, registration, tokenSecret } = begin.config;
  const live = await followLive(
    openDataDirectory(dataDir),
    (generation) => tell({ kind: "serving", generation }),
    log,
    readSynonyms(begin.config.synonyms),
  );
  const onFault = (err: unknown) => log.warn({ err }, "the idempotency keys cannot be kept");
  const keys = openIdempotencyBook({ dataDir, now: Date.now, onFault });
  const app = createApp({
    reader: live.current,
    access: { registration, secret: tokenSecretOf(tokenSecret, dataDir), keys },
    baseUrl: baseUrl ?? `http://localhost:${port}`,
    log,
    allowedOrigins: begin.config.allowedOrigins,
    rateLimit: rateLimitOf(begin.config),
    dataAge: heardAge(),
    observe(observation) {
      metrics.request(observation);
      log.debug(observation, "request");
    },
  });
  const server = await listen(app, { host, port });
  tell({ kind: "listening" });
  await asked;
  await drain(server, drainWithin);
  await live.close();
};

const roles: Readonly<Record<Role, (world: ChildWorld) => Promise<void>>> = {
  projector: follow,
  http: answer,
  look,
};

const tellMetrics = async (metrics: Metrics): Promise<void> =>
  tell({ kind: "metrics", metrics: await metrics.snapshot() });
