import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { type NatsServer, startNats } from "../../helpers/nats.ts";
import { type LoadResult, startLoad } from "../../helpers/steady-load.ts";
import { run, until } from "../../helpers/vitrine.ts";
import { buildVersion } from "./build-version.ts";
import { type ConfinedSystemd, startSystemd } from "./confined-systemd.ts";
import { outputFile, vitrineUnits } from "./units.ts";

interface Context {
  readonly nats: NatsServer;
  readonly systemd: ConfinedSystemd;
  readonly port: number;
  readonly opsPort: number;
}

/** The steps of deploy/upgrade.md, by systemd, under a load that counts every failed request. */
const test = suite<Context>("deploy/systemd, deploy/upgrade.md");

const nextVersion = "0.2.0";
/** Milliseconds between requests of a connection: without a pause, the load would take a core from the service and its replay. */
const pauseMs = 50;
const requests = [
  { path: "/apparel/cozy-quilted-winter-parka-1300.md" },
  { path: "/llms.txt" },
  { path: "/graphql", body: '{"query":"{ products(first: 5) { totalCount } }"}' },
];

test.before(async (context) => {
  const [port, opsPort, nats] = [await findFreePort(), await findFreePort(), await startNats()];
  const published = await run([
    ...["publish", `${packageRoot}/deploy/demo/shop.ndjson`, "--events", nats.url],
  ]);
  assert.is(published.code, 0, published.stderr);
  const next = buildVersion({
    "package.json": [[/"version": "[^"]+"/, `"version": "${nextVersion}"`]],
    // Another version of a projection: the model is rebuilt.
    "projections/index.ts": [[/(name: "product", version: )\d+/, "$1999"]],
  });
  const environment = [`EVENTS=${nats.url}`, "RATE_LIMIT=1000000000"];
  const systemd = await startSystemd({
    units: vitrineUnits({ port, opsPort, environment }),
    releases: { "vitrine-1": packageRoot, "vitrine-2": next },
  });
  await systemd.run("ln -s vitrine-1 /opt/vitrine && systemctl start vitrine.socket vitrine");
  Object.assign(context, { nats, systemd, port, opsPort });
  await untilLive(context);
});
test.after(async ({ nats, systemd }) => {
  await systemd.stop();
  await nats.remove();
});

/** Reads the code blocks of a section of deploy/upgrade.md. */
const readBlocks = (section: string): readonly string[] =>
  [...readSection(section).matchAll(/^```\n(.*?)^```/gms)].map(([, block = ""]) => block);

const readSection = (section: string): string => {
  const page = readFileSync(join(packageRoot, "deploy", "upgrade.md"), "utf8");
  return page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
};

interface Status {
  readonly state: string;
  readonly version: string;
  readonly generation: string;
}

const readStatus = async ({ opsPort }: Context): Promise<Status> => {
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${opsPort}${path}`)).text();
  const metrics = await read("/metrics");
  return {
    state: JSON.parse(await read("/readyz")).state,
    version: /vitrine_build_info\{version="([^"]+)"/.exec(metrics)?.[1] ?? "",
    generation: /vitrine_generation_info\{generation="([^"]+)"/.exec(metrics)?.[1] ?? "",
  };
};

const untilLive = (context: Context, isExpected: (status: Status) => boolean = () => true) =>
  until(
    () => readStatus(context),
    (status) => status.state === "live" && status.generation !== "" && isExpected(status),
    // A rebuild beside the load and other tests takes longer than a minute on a slow machine.
    240,
  );

/** Runs steps under load. @returns what became of the requests */
const underLoad = async ({ port }: Context, steps: () => Promise<unknown>): Promise<LoadResult> => {
  const load = startLoad(port, requests, { pauseMs });
  await until(
    async () => load.answered(),
    (count) => count > 50,
  );
  await steps();
  const before = load.answered();
  await until(
    async () => load.answered(),
    (count) => count > before + 50,
  );
  return load.stop();
};

const mustAnswerAll = ({ answered, failures, maxMs }: LoadResult): void => {
  assert.equal(failures, []);
  console.log(`  ${answered} answered, the slowest in ${Math.round(maxMs)} ms`);
};

test("the unit runs with the rights that it needs and no more", async ({ systemd }) => {
  const pid = (await systemd.run("systemctl show -p MainPID --value vitrine")).trim();
  const status = await systemd.run(`cat /proc/${pid}/status`);
  assert.match(status, /^Uid:\s+[1-9]\d+\s/m);
  assert.match(status, /^CapEff:\s+0+$/m);
  assert.match(status, /^NoNewPrivs:\s+1$/m);
  assert.match(status, /^Seccomp:\s+2$/m);
});

test("a restart refuses no connection and fails no request", async (context) => {
  const pid = await context.systemd.run("systemctl show -p MainPID --value vitrine");
  mustAnswerAll(
    await underLoad(context, async () => {
      await context.systemd.run("systemctl restart vitrine");
      await untilLive(context);
    }),
  );
  assert.is.not(await context.systemd.run("systemctl show -p MainPID --value vitrine"), pid);
});

test("kill -9 of the service refuses no connection", async (context) => {
  await context.systemd.run("systemctl kill --signal=KILL --kill-whom=all vitrine");
  // Waits at the socket until systemd has started the service again.
  const load = startLoad(context.port, requests, { connections: 2, pauseMs });
  await until(
    async () => load.answered(),
    (count) => count > 20,
  );
  assert.equal((await load.stop()).failures, []);
  await untilLive(context);
});

test("an upgrade rebuilds the model while the earlier one answers: no request fails", async (context) => {
  const before = await readStatus(context);
  mustAnswerAll(
    await underLoad(context, async () => {
      for (const block of readBlocks("Upgrade").slice(0, 1)) await context.systemd.run(block);
      await untilLive(
        context,
        ({ version, generation }) => version === nextVersion && generation !== before.generation,
      );
    }),
  );
  assert.match(await context.systemd.run(`cat ${outputFile}`), "the projections changed since");
});

test("the way back to the earlier version: no request fails", async (context) => {
  const before = await readStatus(context);
  assert.is(before.version, nextVersion);
  mustAnswerAll(
    await underLoad(context, async () => {
      for (const block of readBlocks("The way back")) await context.systemd.run(block);
      await untilLive(
        context,
        ({ version, generation }) => version !== nextVersion && generation !== before.generation,
      );
    }),
  );
});

test("a version whose model was made beforehand: no request fails, and none waits for a replay", async (context) => {
  const { systemd } = context;
  const blocks = readBlocks("A model made beforehand");
  const preparePort = await findFreePort();
  const [prepare = "", change = ""] = blocks.map((block) =>
    block
      .replaceAll("9091", String(preparePort))
      // The directory of units that this systemd reads.
      .replaceAll("/etc/systemd/system", context.systemd.unitPath),
  );
  const [start = ""] = prepare.split("\ncurl");
  await systemd.run(start.replace(" -E DATA_DIR", ` -E EVENTS=${context.nats.url} -E DATA_DIR`));
  const before = await readStatus(context);
  mustAnswerAll(
    await underLoad(context, async () => {
      await until(
        async () => (await fetch(`http://127.0.0.1:${preparePort}/readyz`)).status,
        (status) => status === 200,
      );
      await systemd.run(change);
      await untilLive(context, ({ version }) => version === nextVersion);
    }),
  );
  assert.is(before.version === nextVersion, false);
  const directories = await systemd.run("ls /var/lib/vitrine");
  assert.match(directories, /^data-2$/m);
});

test("the service answers on the address that a drop-in of the socket names", async ({
  systemd,
}) => {
  const [, lines = ""] = /```ini\n(.*?)```/s.exec(readSection("Install")) ?? [];
  const port = await findFreePort();
  const dropIn = join(systemd.unitPath, "vitrine.socket.d", "z.conf");
  writeFileSync(dropIn, lines.replace("10.0.0.1:8080", `127.0.0.1:${port}`));
  const [, command = ""] =
    /run `(systemctl restart vitrine.socket vitrine)`/.exec(readSection("Install")) ?? [];
  await systemd.run(`systemctl daemon-reload && ${command}`);
  const { status } = await until(
    () => fetch(`http://127.0.0.1:${port}/llms.txt`),
    (response) => response.status === 200,
  );
  assert.is(status, 200);
});

test.run();
