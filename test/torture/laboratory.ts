/** The real service on a real broker with a proxy between them, and every event published so far. */
import { readdirSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { effort } from "../helpers/effort.ts";
import { shopAtWork } from "../helpers/life.ts";
import { openModel, type TestModel } from "../helpers/model.ts";
import { type NatsOperator, type NatsServer, natsOperator, startNats } from "../helpers/nats.ts";
import { append, type Imprint, imprintAt, imprintOf } from "../helpers/projector.ts";
import { startProxy, type TcpProxy } from "../helpers/tcp-proxy.ts";
import { childProcessesOf, type RunningVitrine, startVitrine, until } from "../helpers/vitrine.ts";
import { openWallClock } from "./wall-clock.ts";

export interface Laboratory {
  readonly nats: NatsServer;
  readonly proxy: TcpProxy;
  readonly service: RunningVitrine;
  /** Counts of reads that were answered; reads that were repeated, and those that failed again. */
  readonly reads: { answered: number; readonly broken: string[]; readonly failed: string[] };
  /** Publishes the next events of the shop until the broker has acknowledged them. */
  publish(events: number): Promise<void>;
  /**
   * Kills a process of the service by its title.
   * @returns whether it was filling a generation without a link: that of a rebuild
   */
  kill(name: string): Promise<boolean>;
  /** Resolves when the projector fills a new generation, or `isOver` returns true; rejects after a minute. */
  rebuildBegun(isOver: () => boolean): Promise<void>;
  /** The live generation. */
  live(): string | undefined;
  /** Changes the stream directly: acknowledged events may be lost. */
  operate(change: (operator: NatsOperator) => Promise<unknown>): Promise<void>;
  /** Publishes all events again into a new stream. */
  republish(): Promise<void>;
  /**
   * Declares that the stream has another history, and is reachable; acknowledged events may be lost.
   * Resolves when the service has noticed; rejects when it has not within five seconds.
   */
  historyChanged(): Promise<void>;
  /** Creates the stream again with all events, if it lost some of its history. */
  restoreHistory(): Promise<void>;
  /** Sets the wall clock of all processes of the service to this offset in seconds. */
  setClock(seconds: number): void;
  /**
   * Resolves when the model equals a clean replay of the stream; rejects after a minute, and when the stream
   * lacks an acknowledged event.
   */
  converged(): Promise<void>;
  close(): Promise<void>;
}

const products = 60;
export const stream = "SHOP";

export const openLaboratory = async (): Promise<Laboratory> => {
  const nats = await startNats();
  const proxy = await startProxy(nats.port);
  let log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
  const life = shopAtWork(products, 10_000_000);
  const published: CloudEvent[] = [];
  const publish = async (events: readonly CloudEvent[]): Promise<void> => {
    await until(() => append(log, ...events), Boolean, 60);
  };
  const lab = { reads: { answered: 0, broken: [] as string[], failed: [] as string[] } };
  /** Events that the stream must hold. */
  const acknowledged = new Set<string>();
  const more = async (events: number): Promise<void> => {
    const next = Array.from({ length: events }, () => life.next().value as CloudEvent);
    await publish(next);
    published.push(...next);
    for (const { id } of next) acknowledged.add(id);
  };
  await more(2 * products);
  const events = `nats://127.0.0.1:${proxy.port}`;
  const clock = openWallClock();
  const service = await startVitrine(["--events", events, "--workers", "2"], { env: clock.env });
  await service.ready();
  const republish = async (): Promise<void> => {
    await log.close();
    log = await openEventLog(nats.url, { dataDir: "", now: Date.now });
    for (let at = 0; at < published.length; at += 1_000)
      await publish(published.slice(at, at + 1_000));
    for (const { id } of published) acknowledged.add(id);
  };
  const reference = followedBy();
  const reading = readOnAndOn(service, lab.reads);
  return {
    ...lab,
    nats,
    proxy,
    service,
    publish: more,
    async kill(name) {
      // One of the two HTTP processes must stay: the other may be restarting.
      if (name !== "projector") await bothAnswer(service);
      return killChild(service, name);
    },
    async rebuildBegun(isOver) {
      const isDue = async () => isOver() || fillsNew(service, await pidOf(service, "projector"));
      await until(isDue, Boolean, 60);
    },
    live: () => openDataDirectory(service.dataDir).live(),
    async operate(change) {
      acknowledged.clear();
      const operator = await natsOperator(nats.url);
      await change(operator);
      await operator.disconnect();
    },
    republish,
    async historyChanged() {
      acknowledged.clear();
      reference.forget();
      await noticed(service);
    },
    async restoreHistory() {
      const operator = await natsOperator(nats.url);
      const { state } = await operator.streams.info(stream);
      if (state.first_seq > 1) {
        acknowledged.clear();
        await operator.streams.delete(stream);
        await republish();
      }
      await operator.disconnect();
    },
    setClock: clock.set,
    async converged() {
      await untilEqual(service, nats.url, reference);
      const lost = [...acknowledged].filter((id) => !reference.held.has(id));
      if (lost.length > 0) throw new Error(`the stream lost what it acknowledged: ${lost}`);
    },
    async close() {
      await reading.stop();
      await service.stop();
      await reference.close();
      await log.close();
      await proxy.close();
      await nats.remove();
    },
  };
};

/**
 * Waits for a process that is being restarted, and resolves when its parent has noticed the kill, because the
 * process may be listed until then.
 */
const killChild = async (service: RunningVitrine, name: string): Promise<boolean> => {
  const pid = await until(
    () => pidOf(service, name),
    (found) => found !== 0,
    60,
  );
  const filledNew = fillsNew(service, pid);
  process.kill(pid, "SIGKILL");
  await until(
    async () => (await childrenOf(service)).every(([, each]) => each !== pid),
    (isGone) => isGone,
    60,
  );
  return filledNew;
};

const childrenOf = ({ child }: RunningVitrine) => childProcessesOf(child.pid ?? 0);

/** 0 while there is none. */
const pidOf = async (service: RunningVitrine, name: string): Promise<number> =>
  (await childrenOf(service)).find(([title]) => title === `vitrine ${name}`)?.[1] ?? 0;

/** Whether the process has a generation without a link open; files that another one left do not count. */
const fillsNew = ({ dataDir }: RunningVitrine, pid: number): boolean => {
  const { live, previous, generations } = openDataDirectory(dataDir);
  const pointedAt = [live(), previous()];
  const files = generations()
    .filter((each) => !pointedAt.includes(each))
    .map((each) => join(each, "data.mdb"));
  const open = files.length === 0 ? [] : openFilesOf(pid);
  return files.some((file) => open.includes(file));
};

const openFilesOf = (pid: number): readonly string[] => {
  const directory = `/proc/${pid}/fd`;
  try {
    return readdirSync(directory).map((each) => linked(join(directory, each)));
  } catch {
    // The process has exited.
    return [];
  }
};

/** Returns "" for a file that was closed meanwhile. */
const linked = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
};

/** Seconds within which another history is noticed once it is reachable (`deploy/promises.md`, 9). */
const noticedWithin = 5;

const noticed = async ({ ops, dataDir }: RunningVitrine): Promise<void> => {
  const before = basename(openDataDirectory(dataDir).live() ?? "");
  await until(
    async () => JSON.parse((await ops("/status")).text),
    ({ state, status }) =>
      ["rebuilding", "faulted"].includes(state) || status?.generation !== before,
    noticedWithin,
  );
};

const bothAnswer = async ({ ops }: RunningVitrine): Promise<void> => {
  await until(
    async () => (await ops("/metrics")).text,
    (text) => /^vitrine_http_answering 2$/m.test(text),
    60,
  );
};

/** A reference model that is filled from the stream without faults. */
const followedBy = () => {
  let model: TestModel = openModel();
  /** Ids of the events in the reference model. */
  const held = new Set<string>();
  let at = 0;
  let created = "";
  return {
    held,
    async imprintAt(log: EventLog): Promise<{ readonly last: number; readonly imprint: Imprint }> {
      const identity = await log.identity();
      if (identity.created !== created) {
        await model.close();
        model = openModel();
        held.clear();
        at = 0;
        created = identity.created;
      }
      const { first, last } = await log.bounds();
      const after = at === 0 ? first - 1 : at;
      for await (const chunk of log.read({ after, follow: false })) {
        model.deliver(chunk);
        for (const { body } of chunk) held.add(JSON.parse(Buffer.from(body).toString()).id);
        at = chunk.at(-1)?.sequence ?? at;
      }
      return { last, imprint: imprintOf(model.store) };
    },
    forget() {
      created = "";
    },
    close: () => model.close(),
  };
};

const untilEqual = async (
  service: RunningVitrine,
  url: string,
  reference: ReturnType<typeof followedBy>,
): Promise<void> => {
  const log = await until(() => openEventLog(url, { dataDir: "", now: Date.now }), Boolean, 60);
  try {
    const { last, imprint } = await reference.imprintAt(log);
    await until(
      async () => {
        const { state, status } = JSON.parse((await service.ops("/status")).text);
        if (state !== "live" || status.checkpoint !== last) return { state, status, last };
        const current = await imprintAt(service.dataDir);
        if (JSON.stringify(current.digest) !== JSON.stringify(imprint.digest))
          return "another model";
        return (
          JSON.stringify(current.tally) === JSON.stringify(imprint.tally) || [
            current.tally,
            imprint.tally,
          ]
        );
      },
      (answer) => answer === true,
      60,
    );
  } finally {
    await log.close();
  }
};

/** Sends reads continuously. A connection to a killed process breaks, and a repeated read is answered. */
const readOnAndOn = (service: RunningVitrine, reads: Laboratory["reads"]) => {
  let isOver = false;
  const ask = async (): Promise<void> => {
    const { status, data } = await service.graphql<{ products: { totalCount: number } }>(
      "{ products(first: 3) { totalCount edges { node { name } } } }",
    );
    if (status !== 200 || data.products.totalCount === 0) throw new Error(`${status}`);
  };
  const running = (async () => {
    while (!isOver) {
      const failure = await ask()
        .catch((error: Error) => {
          reads.broken.push(error.message);
          return delay(100).then(ask);
        })
        .then(
          () => undefined,
          (error: Error) => error.message,
        );
      if (failure === undefined) reads.answered += 1;
      else reads.failed.push(failure);
      await delay(effort(60, 20));
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await running;
    },
  };
};
