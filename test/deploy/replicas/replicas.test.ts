import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { modelOf } from "../../helpers/backups.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import type { NatsCluster } from "../../helpers/nats-cluster.ts";
import type { LoadResult, SteadyLoad } from "../../helpers/steady-load.ts";
import { childPid, childrenOf, run, until } from "../../helpers/vitrine.ts";
import { openClient } from "../proxy/https-client.ts";
import { hostName } from "../proxy/start-proxy.ts";
import {
  connections,
  type Fleet,
  maxLag,
  openFleet,
  prepareReplica,
  type Replica,
} from "./fleet.ts";
import { type ShopPublisher, startPublisher } from "./shop-publisher.ts";

interface Context {
  readonly fleet: Fleet;
  readonly publisher: ShopPublisher;
}

const test = suite<Context>("deploy/replicas");

test.before(async (context) => {
  const fleet = await openFleet();
  const shop = join(packageRoot, "deploy", "demo", "shop.ndjson");
  const published = await run(["publish", shop, "--events", fleet.cluster.url]);
  assert.is(published.code, 0, published.stderr);
  const publisher = await startPublisher(fleet.cluster.url);
  Object.assign(context, { fleet, publisher });
  await Promise.all(fleet.replicas.map((replica) => replica.running().ready()));
});
// Runs after a failed start too.
test.after(async ({ fleet, publisher }: Partial<Context>) => {
  await publisher?.stop();
  await fleet?.close();
});

interface Status {
  readonly state: string;
  readonly status: { readonly checkpoint: number };
}

const statusOf = async ({ opsUrl }: Replica): Promise<Status> =>
  (await fetch(`${opsUrl}/status`)).json() as Promise<Status>;

/** Runs steps under load, and checks that no request failed. @param mayFail checks for a documented failure */
const mustAnswerAll = async (
  { fleet }: Context,
  steps: (load: SteadyLoad) => Promise<unknown>,
  mayFail: (failure: string) => boolean = () => false,
): Promise<void> => {
  const load = fleet.startLoad();
  let result: LoadResult;
  try {
    await untilAnswered(load, 100);
    await steps(load);
    await untilAnswered(load, 100);
  } finally {
    result = await load.stop();
  }
  const { answered, repeated, maxMs } = result;
  const failures = result.failures.filter((failure) => !mayFail(failure));
  assert.equal(failures, []);
  assert.ok(result.failures.length <= connections, `${result.failures}`);
  console.log(
    `  ${answered} answered, ${repeated} sent again, the slowest in ${Math.round(maxMs)} ms`,
  );
};

const untilAnswered = async (load: SteadyLoad, more: number): Promise<void> => {
  const before = load.answered();
  await until(
    async () => load.answered(),
    (count) => count >= before + more,
  );
};

const untilReady = ({ opsUrl }: Replica, expected: 200 | 503): Promise<unknown> =>
  until(
    async () => {
      const response = await fetch(`${opsUrl}/readyz`);
      return { status: response.status, text: await response.text() };
    },
    ({ status }) => status === expected,
  );

/** Waits until a replica refuses what nginx asks it for. An HTTP process learns the age of the data once a second. */
const untilBehind = ({ port }: Replica): Promise<unknown> =>
  until(
    () =>
      fetch(`http://127.0.0.1:${port}/llms.txt`, {
        headers: { "x-max-data-age": String(maxLag) },
      }),
    ({ status }) => status === 503,
  );

/** Counts the requests that a replica has answered with a status, as its HTTP process reports it once a second. */
const answersOf = async ({ opsUrl }: Replica, status = 200): Promise<number> => {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  const counts = metrics.matchAll(/^vitrine_http_requests_total\{.*status="(\d+)".*\} (\d+)$/gm);
  return [...counts]
    .filter(([, counted]) => Number(counted) === status)
    .reduce((sum, [, , count]) => sum + Number(count), 0);
};

const untilItAnswers = async (replica: Replica): Promise<void> => {
  const before = await answersOf(replica);
  await until(
    () => answersOf(replica),
    (count) => count > before,
  );
};

/**
 * Limit of an election, which is the work of the brokers alone. On a machine without spare processor time nats-server 2.9.10 took at most 7
 * seconds in 62 of 63 measured returns of a majority, and more than a minute in one. After a leader hung it took 5 to 24 seconds in 14 of 15
 * rounds, and more than a minute in one.
 */
const maxElectionSeconds = 180;

/** Waits until the stream takes events again, and every replica has applied them. */
const mustGoOn = async ({ fleet, publisher }: Context): Promise<void> => {
  await untilAcknowledged(publisher, 20, maxElectionSeconds);
  await untilApplied(fleet, fleet.replicas);
};

const untilAcknowledged = async (
  publisher: ShopPublisher,
  more: number,
  seconds?: number,
): Promise<void> => {
  const before = publisher.acknowledged();
  await until(
    async () => ({ acknowledged: publisher.acknowledged() - before }),
    ({ acknowledged }) => acknowledged > more,
    seconds,
  );
};

const untilApplied = async ({ cluster }: Fleet, replicas: readonly Replica[]): Promise<void> => {
  // The brokers may be electing a leader.
  const last = await until(
    () => lastSequence(cluster.url),
    () => true,
  );
  for (const replica of replicas)
    await until(
      () => statusOf(replica),
      ({ state, status }) => state === "live" && status.checkpoint >= last,
    );
};

/** @throws while the stream does not answer */
const lastSequence = async (url: string): Promise<number> => {
  const { stdout, stderr, code } = await run([
    ...["status", "--json", "--events", url, "--data-dir", temporaryDirectory().path],
  ]);
  assert.ok(stdout !== "", `${code}: ${stderr}`);
  const { last, error } = JSON.parse(stdout).log;
  assert.type(last, "number", error);
  return last;
};

test("kill -9 of the stream's leader fails no read, and events go on", async (context) => {
  await mustAnswerAll(context, async () => {
    const leader = await context.fleet.cluster.leader();
    await leader.kill();
    await mustGoOn(context);
    await leader.start();
  });
  await mustGoOn(context);
});

test("a leader that hangs (SIGSTOP) fails no read, and events go on", async (context) => {
  await mustAnswerAll(context, () => hangLeader(context));
  await mustGoOn(context);
});

/** Most rounds in which the brokers may elect no leader. */
const maxHangs = 3;

/**
 * Stops the leader until another one leads, which is the work of the brokers alone: in 120 measured rounds they took 5 to 24 seconds, and
 * in three runs of CI they elected none for minutes, also after the leader went on. The cause is not known. Then the logs of the brokers
 * are printed, the brokers are started again as an operator would do it, and the leader hangs once more.
 */
const hangLeader = async (context: Context, hang = 1): Promise<void> => {
  const { cluster, replicas } = context.fleet;
  const leader = await cluster.leader();
  leader.pause();
  try {
    await untilAcknowledged(context.publisher, 20, maxHangs > hang ? 60 : maxElectionSeconds);
    return await untilApplied(context.fleet, replicas);
  } catch (error) {
    if (hang === maxHangs) throw error;
    console.log(`  hang ${hang}: ${error instanceof Error ? error.message : error}`);
    for (const { url, log } of cluster.servers) console.log([url, ...log()].join("\n    "));
  } finally {
    leader.resume();
  }
  await restartBrokers(cluster);
  await mustGoOn(context);
  await hangLeader(context, hang + 1);
};

const restartBrokers = async ({ servers }: NatsCluster): Promise<void> => {
  for (const server of servers) {
    await server.stop();
    await server.start();
  }
};

test("without a majority of the brokers reads go on, although all replicas are behind", async (context) => {
  const { fleet } = context;
  const client = await openClient(fleet.nginx.port, hostName);
  const [first, second] = fleet.cluster.servers;
  await mustAnswerAll(context, async () => {
    await Promise.all([first?.kill(), second?.kill()]);
    try {
      // A broker that led the stream notices after up to 20 seconds that it has lost the majority.
      for (const replica of fleet.replicas) await untilReady(replica, 503);
      // An HTTP process learns the age once a second.
      await until(
        () => client.get("/llms.txt"),
        ({ status, headers }) => status === 200 && Number(headers["x-data-age"]) > maxLag + 1,
      );
    } finally {
      await Promise.all([first?.start(), second?.start()]);
    }
    await mustGoOn(context);
  });
  client.close();
});

test("kill -9 of a replica fails no read by GET, and no POST but those in progress; it comes back by itself", async (context) => {
  const { fleet } = context;
  const [killed] = fleet.replicas as [Replica];
  const killAndStart = async (load: SteadyLoad) => {
    // nginx gives a replica that was behind no requests for fail_timeout, and must have another one for those of the killed.
    for (const replica of fleet.replicas) await untilItAnswers(replica);
    const { child } = killed.running();
    const processes = await childrenOf(Number(child.pid));
    for (const pid of [Number(child.pid), ...processes.values()]) process.kill(pid, "SIGKILL");
    await untilAnswered(load, 200);
    await killed.start();
    await untilReady(killed, 200);
    await untilItAnswers(killed);
  };
  await mustAnswerAll(context, killAndStart, (failure) => failure === "/graphql: 503");
});

test("a replica that is too far behind gets no requests until it has caught up", async (context) => {
  const { fleet } = context;
  const [behind] = fleet.replicas as [Replica];
  await mustAnswerAll(context, async (load) => {
    const projector = await childPid(behind.running(), "vitrine projector");
    process.kill(projector, "SIGSTOP");
    try {
      await untilReady(behind, 503);
      const refused = await answersOf(behind, 503);
      await untilBehind(behind);
      // The report with the 503 also has the last answers before it.
      await until(
        () => answersOf(behind, 503),
        (count) => count > refused,
      );
      const before = await answersOf(behind);
      await untilAnswered(load, 200);
      assert.is(await answersOf(behind), before);
    } finally {
      process.kill(projector, "SIGCONT");
    }
    await untilReady(behind, 200);
    await untilItAnswers(behind);
  });
  await mustGoOn(context);
});

test("a fresh replica starts from the backup of another one, and catches up", async ({
  fleet,
  publisher,
}) => {
  const [source] = fleet.replicas as [Replica];
  const backup = join(temporaryDirectory().path, "backup");
  const settings = ["--events", fleet.cluster.url];
  const made = await run(["backup", backup, "--data-dir", source.dataDir, ...settings]);
  assert.is(made.code, 0, made.stderr);
  await untilAcknowledged(publisher, 50);
  const fresh = await prepareReplica(fleet.cluster);
  const restored = await run(["restore", backup, "--data-dir", fresh.dataDir, ...settings]);
  assert.is(restored.code, 0, restored.stderr);
  const startedAt = performance.now();
  await fresh.start();
  await fresh.running().ready();
  await untilApplied(fleet, [fresh]);
  console.log(`  ready and caught up in ${Math.round(performance.now() - startedAt)} ms`);
  await fresh.running().stop();
  rmSync(backup, { recursive: true });
});

test("under load a replica is behind another by at most a second", async ({ fleet }) => {
  const load = fleet.startLoad();
  const differences: number[] = [];
  for (let at = 0; at < 40; at += 1) {
    const ages = await Promise.all(
      fleet.replicas.map(async ({ port }) => {
        const { headers } = await fetch(`http://127.0.0.1:${port}/llms.txt`);
        return Number(headers.get("x-data-age"));
      }),
    );
    differences.push(Math.max(...ages) - Math.min(...ages));
  }
  assert.equal((await load.stop()).failures, []);
  const largest = Math.max(...differences);
  console.log(`  largest difference of X-Data-Age: ${largest} s`);
  assert.ok(largest <= 1, String(differences));
});

test("at the end the models of all replicas are equal, byte for byte", async ({
  fleet,
  publisher,
}) => {
  await publisher.stop();
  await untilApplied(fleet, fleet.replicas);
  const digests = await Promise.all(fleet.replicas.map(({ dataDir }) => modelOf(dataDir)));
  assert.ok(digests[0] !== undefined);
  for (const digest of digests) assert.equal(digest, digests[0]);
});

test.run();
