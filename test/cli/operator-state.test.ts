import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { operatorDirectory } from "../../src/read-model/operator/directory.ts";
import { openOperatorState } from "../../src/read-model/operator/state.ts";
import { signToken } from "../../src/surfaces/access/bearer.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openOperator, putLegacyRows } from "../helpers/operator.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { runHere } from "../helpers/run-here.ts";
import { run, startVitrine, until } from "../helpers/vitrine.ts";

const test = suite("operator state of a service");
const env = { TOKEN_SECRET: "a secret of sixteen or more" };
const tokenOf = (label: string) => signToken({ label, tokenEpoch: 0 }, env.TOKEN_SECRET);

/** Status of a tool call with a token of this label. */
const statusFor = async (url: string, label: string): Promise<number> => {
  const response = await fetch(`${url}/agent/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${tokenOf(label)}`,
      connection: "close",
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  await response.text();
  return response.status;
};

/** Creates a data directory with a journal and its model; the third event is a dead letter. */
const newShop = async (): Promise<string> => {
  const dataDir = join(temporaryDirectory().path, "data");
  openDataDirectory(dataDir);
  const log = openJournal({ directory: join(dataDir, "journal"), now: Date.now });
  const bad = productUpserted({ id: 9, name: 5 as never });
  await append(log, settingsUpdated(), productUpserted(), bad);
  const projector = startProjector(dataDir, log);
  await projector.until(isLiveAt(3));
  await projector.stop();
  await log.close();
  return dataDir;
};

const isRevoked = { generation: 0, revoked: true };

test("operator rows of an earlier version apply from the first request on, and after a rebuild", async () => {
  const dataDir = await newShop();
  await putLegacyRows(openDataDirectory(dataDir).live() ?? "", {
    withdrawn: { leaky: isRevoked },
    discards: { 3: { time: Date.now() } },
  });
  rmSync(operatorDirectory(dataDir), { recursive: true });
  const service = await startVitrine([], { dataDir, env });
  const first = await until(
    () => statusFor(service.url, "leaky"),
    (status) => status !== 503,
  );
  assert.is(first, 401);
  assert.is(await statusFor(service.url, "other"), 200);
  const projector = async () => JSON.parse((await service.ops("/status")).text).status;
  await until(projector, (status) => status?.counts?.deadLetters === 0, 30);
  for (const _ of [1, 2]) {
    const rebuilt = await runHere(["rebuild"], { env: { DATA_DIR: dataDir } });
    assert.is(rebuilt.code, 0, rebuilt.stderr);
  }
  assert.is(await statusFor(service.url, "leaky"), 401);
  const listed = await runHere(["dead-letters", "list", "--json"], { env: { DATA_DIR: dataDir } });
  const { open, discarded } = JSON.parse(listed.stdout);
  assert.equal([open, discarded], [0, 1]);
  assert.is((await service.stop()).code, 0);
});

test("no token is issued for a label that a lost model knew as revoked", async () => {
  const dataDir = await newShop();
  const operator = openOperatorState(dataDir);
  operator.add([{ kind: "revocation", label: "leaky", ...isRevoked }]);
  await operator.close();
  const directory = openDataDirectory(dataDir);
  directory.quarantine(directory.live() ?? "");
  const issued = await run(["token", "issue", "--label", "leaky", "--data-dir", dataDir], { env });
  assert.is(issued.code, 2);
  assert.match(issued.stderr, 'the tokens of "leaky" are revoked');
});

test("with a damaged operator state all tokens are rejected, other requests served, and commands give a hint", async () => {
  const dataDir = await newShop();
  truncateSync(join(operatorDirectory(dataDir), "data.mdb"), 6_000);
  const service = await startVitrine([], { dataDir, env });
  const { status } = await until(
    () => service.graphql("{ products { totalCount } }"),
    ({ status }) => status === 200,
  );
  assert.is(status, 200);
  assert.is(await statusFor(service.url, "any"), 500);
  const { text } = await until(
    () => service.ops("/readyz"),
    ({ text }) => text.includes("operator state"),
    30,
  );
  assert.match(text, /the operator state \S+ is damaged: /);
  const { stderr } = await service.stop();
  assert.match(
    stderr,
    "revoked tokens cannot be distinguished from others: every token is rejected",
  );
  assert.match(stderr, "without one set another TOKEN_SECRET");

  const target = join(dataDir, "..", "backup");
  for (const args of [
    ["verify"],
    ["status"],
    ["project", "--ops-port", "0"],
    ["backup", target],
    ["dead-letters", "list"],
    ["dead-letters", "discard", "3"],
    ["token", "issue", "--label", "any"],
  ]) {
    const { code, stderr } = await runHere([...args, "--data-dir", dataDir], { env });
    assert.is(code, 3, `${args.join(" ")}: ${stderr}`);
    assert.match(stderr, /the operator state \S+ is damaged: /);
    assert.match(stderr, "move that directory away, and restore a backup");
  }

  // As the hint says, it is created again from the models.
  rmSync(operatorDirectory(dataDir), { recursive: true });
  const discarded = await runHere(["dead-letters", "discard", "3", "--data-dir", dataDir]);
  assert.is(discarded.code, 0, discarded.stderr);
  const operator = await openOperator(dataDir);
  assert.is(operator.rows().length, 1);
  await operator.close();
});

test.run();
