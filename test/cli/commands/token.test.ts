import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { appendTokenEvent } from "../../../src/cli/commands/token/actions.ts";
import type { TokenReport } from "../../../src/cli/commands/token/command.ts";
import { foldTokenEvent } from "../../../src/cli/tokens/token-state.ts";
import type { LogRecord } from "../../../src/event-log/event-log.ts";
import { openJournal } from "../../../src/event-log/journal/index.ts";
import { openEventLog } from "../../../src/event-log/open.ts";
import { type CloudEvent, toMessage } from "../../../src/events/envelope.ts";
import { readToken } from "../../../src/surfaces/access/bearer.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { productUpserted, settingsUpdated, tokenRegenerated } from "../../helpers/events.ts";
import { natsOperator, startNats } from "../../helpers/nats.ts";
import { isLiveAt, startProjector } from "../../helpers/projector.ts";
import { publishTo } from "../../helpers/publish.ts";
import { runHere } from "../../helpers/run-here.ts";
import { ndjson, program, run, startVitrine, until } from "../../helpers/vitrine.ts";

const test = suite("token");

const secret = "a secret of sixteen or more";
const newEnv = (more: Readonly<Record<string, string>> = {}) => ({
  DATA_DIR: join(temporaryDirectory().path, "data"),
  ...more,
});

const tokenJson = async (
  action: string,
  env: Readonly<Record<string, string>>,
  label = "price-watcher",
  runWith = runHere,
): Promise<TokenReport> => {
  const args = ["token", action, "--label", label, "--json"];
  const { code, stdout, stderr } = await runWith(args, { env });
  assert.is(code, 0, stderr);
  return JSON.parse(stdout);
};

test("issue prints only the token on standard output, and the rest on standard error", async () => {
  const { code, stdout, stderr } = await run(["token", "issue", "--label", "price-watcher"], {
    env: newEnv({ TOKEN_SECRET: secret }),
  });
  assert.is(code, 0);
  assert.equal(readToken(stdout.trim(), secret), { label: "price-watcher", tokenEpoch: 0 });
  assert.match(stderr, 'for "price-watcher", generation 0; it does not expire');
});

test("issue creates a secret in the data directory, readable by its owner only", async () => {
  const env = newEnv();
  const first = await tokenJson("issue", env);
  const path = join(env.DATA_DIR, "token-secret");
  assert.is(statSync(path).mode & 0o777, 0o600);
  const kept = readFileSync(path, "utf8").trim();
  assert.ok(kept.length >= 43);
  assert.ok(readToken(first.token ?? "", kept));
  await tokenJson("issue", env);
  assert.is(readFileSync(path, "utf8").trim(), kept);
});

test("a secret that others may read is closed to them", async () => {
  const env = newEnv();
  const path = join(env.DATA_DIR, "token-secret");
  await tokenJson("issue", env);
  writeFileSync(path, `${secret}\n`);
  chmodSync(path, 0o644);
  const { token } = await tokenJson("issue", env);
  assert.ok(readToken(token ?? "", secret));
  assert.is(statSync(path).mode & 0o777, 0o640);
});

test("issue creates no secret where one is configured, and shows no unusable one", async () => {
  const env = newEnv({ TOKEN_SECRET: secret });
  await tokenJson("issue", env);
  assert.not(existsSync(join(env.DATA_DIR, "token-secret")));
  const { code, stderr } = await run(["token", "issue", "--label", "a"], {
    env: newEnv({ TOKEN_SECRET: "too short" }),
  });
  assert.is(code, 2);
  assert.match(stderr, "TOKEN_SECRET=…: give a text of 16 to 1024 characters");
  assert.not.match(stderr, "too short");
});

test("generations follow the event log, with or without a running service", async () => {
  const env = newEnv({ TOKEN_SECRET: secret });
  assert.is((await tokenJson("regenerate", env)).generation, 1);
  assert.is((await tokenJson("regenerate", env)).generation, 2);
  const revoked = await tokenJson("revoke", env);
  assert.equal(revoked, { label: "price-watcher", generation: 2, revoked: true });
  assert.equal(await tokenJson("revoke", env), revoked);
  const refused = await runHere(["token", "issue", "--label", "price-watcher"], { env });
  assert.is(refused.code, 2);
  assert.match(refused.stderr, 'the tokens of "price-watcher" are revoked\n  -> vitrine token reg');
  const again = await tokenJson("regenerate", env);
  assert.is(again.generation, 3);
  assert.equal(readToken(again.token ?? "", secret), { label: "price-watcher", tokenEpoch: 3 });
  assert.is((await tokenJson("issue", env, "another")).generation, 0);
  const tail = await runHere(["status", "--json"], { env });
  assert.is(JSON.parse(tail.stdout).log.last, 4, "a second revocation appends nothing");
});

for (const [what, ahead] of [
  ["a clock", { time: new Date(Date.now() + 120_000).toISOString() }],
  ["a version", { sequence: "1000000" }],
  ["a version that is not a number", { sequence: "v7" }],
] as const) {
  test(`a label of the shop with ${what} ahead of ours is revoked nevertheless`, async () => {
    const env = newEnv({ TOKEN_SECRET: secret });
    const event = tokenRegenerated("price-watcher", 2, ahead);
    await publishTo(env.DATA_DIR, [event]);
    assert.equal(await tokenJson("revoke", env), {
      label: "price-watcher",
      generation: 2,
      revoked: true,
    });
    assert.is((await runHere(["token", "issue", "--label", "price-watcher"], { env })).code, 2);
    assert.is((await tokenJson("regenerate", env)).generation, 3);
    assert.is((await tokenJson("regenerate", env)).generation, 4);
    assert.is((await tokenJson("revoke", env)).generation, 4);
    assert.is((await tokenJson("issue", env, "another")).generation, 0);
  });
}

test("regenerate reports a label without further generations", async () => {
  const env = newEnv();
  const last = tokenRegenerated("a", Number.MAX_SAFE_INTEGER);
  await publishTo(env.DATA_DIR, [last]);
  const { code, stderr } = await runHere(["token", "regenerate", "--label", "a"], { env });
  assert.is(code, 2);
  assert.match(stderr, "has the last possible generation");
  assert.is((await runHere(["token", "revoke", "--label", "a"], { env })).code, 0);
});

test("two concurrent regenerations get different generations", async () => {
  const env = newEnv({ TOKEN_SECRET: secret });
  await tokenJson("issue", env);
  const regenerate = () => tokenJson("regenerate", env, "price-watcher", run);
  const both = await Promise.all([regenerate(), regenerate()]);
  assert.equal(both.map(({ generation }) => generation).sort(), [1, 2]);
});

test("with NATS the event has a subject of the label's own", async () => {
  const nats = await startNats();
  const env = newEnv({ EVENTS: nats.url });
  const label = "Zoë's agent. *>";
  assert.is((await tokenJson("regenerate", env, label)).generation, 1);
  assert.is((await tokenJson("revoke", env, label)).generation, 1);
  assert.is((await tokenJson("regenerate", env, label)).generation, 2);
  assert.is((await tokenJson("issue", env, label)).generation, 2);
  await nats.remove();
});

test("a label must be one that events can name", async () => {
  const refused = [
    [["issue"], "required option '--label <label>' not specified"],
    [["issue", "--label", ""], "--label: give a text of 1 to 100 characters"],
    [["revoke", "--label", "x".repeat(101)], "--label: give a text of 1 to 100 characters"],
    [["lend", "--label", "x"], "unknown command 'lend'"],
  ] as const;
  await Promise.all(
    refused.map(async ([args, reason]) => {
      const { code, stderr } = await runHere(["token", ...args], { env: newEnv() });
      assert.is(code, 2, stderr);
      assert.match(stderr, reason);
    }),
  );
});

test("the help of each action explains it", async () => {
  const actions = ["issue", "regenerate", "revoke"];
  const runs = await Promise.all(actions.map((action) => runHere(["token", action, "--help"])));
  for (const [at, { code, stdout }] of runs.entries()) {
    assert.is(code, 0);
    assert.match(stdout, `vitrine token ${actions[at]} --label price-watcher`);
  }
});

/** Status of a tool call with this token. */
const statusWith = async (url: string, token = ""): Promise<number> => {
  const response = await fetch(`${url}/agent/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      connection: "close",
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  await response.text();
  return response.status;
};

type Home = Readonly<Record<string, string>> & { readonly DATA_DIR: string };

/** Applies the whole log to a model, which is stopped then. */
const modelOf = async ({ DATA_DIR: dataDir, EVENTS: events = "journal:" }: Home): Promise<void> => {
  const log = await openEventLog(events, { dataDir, now: Date.now });
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt((await log.bounds()).last));
  await projector.stop();
  await log.close();
};

/** Runs a service that has applied the whole log while it is asked. */
const followed = async (env: Home, ask: (url: string) => Promise<void>): Promise<void> => {
  const { DATA_DIR: dataDir, ...more } = env;
  const service = await startVitrine([], { dataDir, env: more });
  await until(
    async () => JSON.parse((await service.ops("/status")).text).state,
    (state) => state === "live",
    30,
  );
  await ask(service.url);
  await service.stop();
};

const publish = async (
  env: Home,
  events: readonly CloudEvent[] = [settingsUpdated()],
): Promise<void> => {
  if (env.EVENTS === undefined) return publishTo(env.DATA_DIR, events);
  const { code, stderr } = await runHere(["publish", "-"], { env, input: ndjson(events) });
  assert.is(code, 0, stderr);
};

test("revoke appends nothing to a log that the service does not follow, and creates none", async () => {
  const nats = await startNats();
  const env = newEnv({ EVENTS: nats.url, TOKEN_SECRET: secret });
  await publish(env);
  await modelOf(env);
  assert.is((await tokenJson("regenerate", env)).generation, 1);
  for (const action of ["issue", "regenerate", "revoke"]) {
    const { code, stdout, stderr } = await runHere(["token", action, "--label", "x"], {
      env: { ...env, EVENTS: "journal:" },
    });
    assert.is(code, 3, stderr);
    assert.match(stderr, "holds no journal");
    assert.is(stdout, "");
  }
  assert.not(existsSync(join(env.DATA_DIR, "journal", "data.mdb")));
  const elsewhere = { EVENTS: `journal:${join(temporaryDirectory().path, "other")}` };
  await publish({ ...newEnv(), ...elsewhere });
  const refused = await runHere(["token", "revoke", "--label", "price-watcher"], {
    env: { ...env, ...elsewhere },
  });
  assert.is(refused.code, 5, refused.stderr);
  assert.match(refused.stderr, "the service would not read the event: the model follows SHOP");
  await nats.remove();
});

test("revoke appends nothing to a log that does not continue the model, and suggests another secret", async () => {
  const nats = await startNats();
  const env = newEnv({ EVENTS: nats.url, TOKEN_SECRET: secret });
  await publish(env);
  await modelOf(env);
  const operator = await natsOperator(nats.url);
  await publish(env, [productUpserted(), productUpserted({ id: 9 })]);
  await operator.streams.purge("SHOP", { seq: 3 });
  for (const action of ["issue", "regenerate", "revoke"]) {
    const { code, stderr } = await runHere(["token", action, "--label", "x"], { env });
    assert.is(code, 5, stderr);
    assert.match(stderr, "the service would not read the event");
    assert.match(stderr, "another TOKEN_SECRET and a restart end all tokens at once");
  }
  await operator.disconnect();
  await nats.remove();
});

test("issue says where it created a secret, because the directory may be mistyped", async () => {
  const env = newEnv();
  const issue = () => runHere(["token", "issue", "--label", "a"], { env });
  assert.match((await issue()).stderr, `a secret that was created for it in ${env.DATA_DIR}`);
  assert.not.match((await issue()).stderr, "was made");
});

test("revoke is rejected in a frozen directory, which no service follows", async () => {
  const home = temporaryDirectory();
  const env = { DATA_DIR: join(home.path, "data") };
  await publishTo(env.DATA_DIR, [settingsUpdated()]);
  const still = join(home.path, "still");
  await runHere(["rebuild", "--until-seq", "1", "--into", still], { env });
  const events = `journal:${join(env.DATA_DIR, "journal")}`;
  const there = { env: { DATA_DIR: still, EVENTS: events } };
  for (const action of ["regenerate", "revoke"]) {
    const { code, stdout, stderr } = await runHere(["token", action, "--label", "shop"], there);
    assert.is(code, 3);
    assert.match(stderr, "follows no event log");
    assert.is(stdout, "");
  }
  assert.is((await runHere(["token", "issue", "--label", "shop"], there)).code, 0);
});

test("a token that cannot be written is an error, and the command can be repeated", async () => {
  const env = newEnv({ TOKEN_SECRET: secret });
  const full = openSync("/dev/full", "w");
  const child = spawn(
    process.execPath,
    [...program, "token", "regenerate", "--label", "a", "--json"],
    { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", full, "pipe"] },
  );
  closeSync(full);
  let stderrText = "";
  child.stderr?.on("data", (text) => {
    stderrText += text;
  });
  const [code] = await once(child, "close");
  assert.is(code, 3, stderrText);
  assert.match(stderrText, "the output cannot be written: ENOSPC");
  assert.is((await tokenJson("issue", env, "a")).generation, 1);
});

test("after the log was created again a revoked token stays invalid, and generations go on", async () => {
  const env = newEnv({ TOKEN_SECRET: secret });
  await publish(env);
  const first = await tokenJson("regenerate", env);
  const second = await tokenJson("regenerate", env);
  const other = await tokenJson("regenerate", env, "another");
  await tokenJson("revoke", env);
  await modelOf(env);
  rmSync(join(env.DATA_DIR, "journal"), { recursive: true });
  await publish({ ...newEnv(), EVENTS: `journal:${env.DATA_DIR}/journal` });
  const statuses = (url: string) =>
    Promise.all([first, second, other].map(({ token }) => statusWith(url, token)));
  await followed(env, async (url) => {
    assert.equal(await statuses(url), [401, 401, 200]);
  });
  // Only the operator state remains of the earlier log.
  assert.is((await runHere(["rebuild"], { env })).code, 0);
  assert.is((await runHere(["rebuild"], { env })).code, 0);
  await followed(env, async (url) => {
    assert.equal(await statuses(url), [401, 401, 200]);
    assert.equal(await tokenJson("revoke", env), {
      label: "price-watcher",
      generation: 2,
      revoked: true,
    });
    assert.is((await tokenJson("regenerate", env, "another")).generation, 2);
    const { token, generation } = await tokenJson("regenerate", env);
    assert.is(generation, 3);
    assert.ok(token);
    await until(
      () => statuses(url),
      (answers) => answers.every((answer) => answer === 401),
    );
  });
  await followed(env, async (url) => {
    assert.equal(await statuses(url), [401, 401, 401]);
  });
});

test("a revocation follows an event of the label that is newer by microseconds only", async () => {
  const env = newEnv();
  const time = "2100-01-01T00:00:00.123900Z";
  const directory = join(env.DATA_DIR, "journal");
  // The log time is ahead, so that the time of the shop's event is not replaced.
  const log = openJournal({ directory, now: () => Date.parse(time) });
  const event = tokenRegenerated("agent", 2, { time, sequence: "v1" });
  await log.append([toMessage(event)]);
  const version = { id: event.id, time: Date.parse(time), subMillis: "9", sequence: "v1" };
  assert.ok(await appendTokenEvent(log, "agent.token.revoked", "agent", 3, version, Date.now()));
  const row = {
    version,
    contentChangedAt: version.time,
    content: { generation: 2, revoked: false },
  };
  const tokenJson = foldTokenEvent((await log.get(2)) as LogRecord, () => row);
  assert.equal(tokenJson?.row.content, { generation: 3, revoked: true });
  await log.close();
});

test("a running service accepts issued tokens, and no older one after a regeneration", async () => {
  const dataDir = join(temporaryDirectory().path, "data");
  const env = { DATA_DIR: dataDir };
  await publishTo(env.DATA_DIR, [settingsUpdated()]);
  const service = await startVitrine(["--workers", "2"], { dataDir });
  const status = (token = "") => statusWith(service.url, token);
  const { token: old } = await tokenJson("issue", env);
  await until(
    () => status(old),
    (answer) => answer === 200,
  );
  const { token: fresh } = await tokenJson("regenerate", env);
  assert.is(await status(fresh), 200);
  // With this many connections both processes get some.
  const everywhere = () => Promise.all(Array.from({ length: 20 }, () => status(old)));
  await until(everywhere, (answers) => answers.every((answer) => answer === 401), 1);
  assert.is(await status(fresh), 200);
  const claims = await Promise.all(
    ["one", "two", "three", "four"].map(async (label) => {
      const response = await fetch(`${service.url}/v1/register`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "idempotency-key": "raced",
          connection: "close",
        },
        body: JSON.stringify({ label }),
      });
      await response.text();
      return response.status;
    }),
  );
  assert.equal(claims.sort(), [201, 400, 400, 400], "one key and label, in every process");
  const { stderr } = await service.stop();
  for (const each of [old, fresh]) assert.not.match(stderr, each ?? "");
});

test("closed registration is closed in every process", async () => {
  const dataDir = join(temporaryDirectory().path, "data");
  await publishTo(dataDir, [settingsUpdated()]);
  const service = await startVitrine([], { dataDir, env: { REGISTRATION: "closed" } });
  await until(
    () => fetch(`${service.url}/v1/register`, { method: "POST" }),
    ({ status }) => status === 404,
  );
  assert.not.match(await (await fetch(`${service.url}/auth.md`)).text(), "v1/register");
  await service.stop();
});

test.run();
