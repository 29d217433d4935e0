import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../../../src/event-log/journal/index.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import { operatorDirectory } from "../../../../src/read-model/operator/directory.ts";
import { openOperatorState } from "../../../../src/read-model/operator/state.ts";
import { flagForCheck } from "../../../../src/read-model/store/damage-flag.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../../helpers/directory.ts";
import {
  productDeleted,
  productUpserted,
  settingsUpdated,
  tokenRegenerated,
  tokenRevoked,
} from "../../../helpers/events.ts";
import { openOperator, putLegacyRows } from "../../../helpers/operator.ts";
import { append, isLiveAt, startProjector } from "../../../helpers/projector.ts";
import { runHere } from "../../../helpers/run-here.ts";
import { ndjson, run, startVitrine, until } from "../../../helpers/vitrine.ts";

interface PointInTimeContext {
  readonly home: TemporaryDirectory;
  readonly data: string;
  /** The log time of each event. */
  readonly times: readonly number[];
}

const test = suite<PointInTimeContext>("rebuild to a point in time");

/** A journal without a model: a rebuild to a point in time needs only the log. */
test.before.each(async (context) => {
  const home = temporaryDirectory();
  const data = join(home.path, "data");
  openDataDirectory(data);
  const times = [0];
  let now = Date.UTC(2026, 9, 1);
  const log = openJournal({ directory: join(data, "journal"), now: () => now });
  for (const event of [
    settingsUpdated(),
    productUpserted({ id: 1, name: "First name" }),
    productUpserted({ id: 2 }),
    productUpserted({ id: 1, name: "Second name" }),
    productDeleted(2),
  ]) {
    now += 60_000;
    times.push(now);
    await append(log, event);
  }
  await log.close();
  Object.assign(context, { home, data, times });
});
test.after.each(({ home }) => home.remove());

type Shown = { readonly products: { readonly nodes: readonly { readonly name: string }[] } };

test("--until-seq creates a directory that answers over HTTP and follows no log", async ({
  data,
  home,
  times,
}) => {
  const { code, stdout, stderr } = await run(["rebuild", "--until-seq", "3", "--data-dir", data]);
  assert.is(code, 0, stderr);
  const then = `${data}-until-3`;
  assert.match(stdout, `vitrine serve --data-dir ${then}`);
  assert.equal(readdirSync(home.path).sort(), ["data", "data-until-3"]);

  const service = await startVitrine([], { dataDir: then });
  await service.ready();
  const shown = await service.graphql<Shown>("{ products { nodes { name } } }");
  assert.equal(
    shown.data.products.nodes.map(({ name }) => name),
    ["First name", "Product 2"],
  );
  // The HTTP process may answer before the first report of the projector.
  const { text } = await until(
    () => service.ops("/status"),
    ({ text }) => JSON.parse(text).state === "live",
  );
  const status = JSON.parse(text);
  const since = Math.floor((Date.now() - (times[3] ?? 0)) / 1_000);
  await until(
    async () => (await fetch(`${service.url}/llms.txt`)).headers.get("x-data-age"),
    (age) => Number(age) >= since,
  );
  assert.is((await service.ops("/readyz")).status, 200);
  assert.match(status.reason, "frozen: the shop as it stood at event 3, 2026-10-01T00:03:00.000Z");
  assert.is((await service.stop()).code, 0);
  assert.is(existsSync(join(then, "journal")), false);
});

test("in the directory later and earlier revocations apply, and a valid token works", async ({
  data,
}) => {
  const env = { TOKEN_SECRET: "one secret for all directories" };
  const issued = (label: string) =>
    runHere(["token", "issue", "--label", label, "--data-dir", data], { env });
  const tokens = await Promise.all(["revoked", "regenerated", "former", "living"].map(issued));
  const operator = await openOperator(data);
  operator.add([{ kind: "revocation", label: "former", generation: 0, revoked: true }]);
  await operator.close();
  const log = openJournal({ directory: join(data, "journal"), now: Date.now });
  for (const event of [tokenRevoked("revoked", 0), tokenRegenerated("regenerated", 1)]) {
    await append(log, event);
  }
  await log.close();
  await runHere(["rebuild", "--until-seq", "3", "--data-dir", data]);
  const service = await startVitrine([], { dataDir: `${data}-until-3`, env });
  await service.ready();
  const ping = async ({ stdout }: { readonly stdout: string }) => {
    const { status } = await fetch(`${service.url}/agent/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${stdout.trim()}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
    return status;
  };
  assert.equal(await Promise.all(tokens.map(ping)), [401, 401, 401, 200]);
  assert.is((await service.stop()).code, 0);
});

test("a token that only the model of an earlier version knows as revoked is rejected", async ({
  data,
}) => {
  const before = startProjector(
    data,
    openJournal({ directory: join(data, "journal"), now: Date.now }),
  );
  await before.until(isLiveAt(5));
  await before.stop();
  await putLegacyRows(before.directory.live() ?? "", {
    withdrawn: { earlierToken: { generation: 3, revoked: true } },
  });
  rmSync(operatorDirectory(data), { recursive: true });
  const { code, stderr } = await runHere(["rebuild", "--until-seq", "3", "--data-dir", data]);
  assert.is(code, 0, stderr);
  assert.not(existsSync(operatorDirectory(data)), "the directory of the service is unchanged");
  const then = openOperatorState(`${data}-until-3`);
  assert.equal(then.revocation("earlierToken"), { generation: 3, revoked: true });
  await then.close();
});

test("a damaged directory is reported with the way to create it again", async ({ data }) => {
  await runHere(["rebuild", "--until-seq", "3", "--data-dir", data]);
  const then = `${data}-until-3`;
  const service = await startVitrine([], { dataDir: then });
  await service.ready();
  const live = openDataDirectory(then).live() ?? "";
  flagForCheck(live, "a page of it", "corrupt");
  const { text } = await until(
    () => service.ops("/status"),
    ({ text }) => JSON.parse(text).state === "faulted",
  );
  assert.match(
    JSON.parse(text).reason,
    "make it again with vitrine rebuild --until-seq 3 --into a new directory",
  );
  assert.is((await service.ops("/readyz")).status, 503);
  assert.match(service.stderr(), "it stays as it is, and is not rebuilt");
  assert.is((await service.stop()).code, 0);
});

test("a non-empty target is rejected and left unchanged", async ({ data, home }) => {
  for (const kept of ["token-secret", "quarantine", "journal", "operator"]) {
    const into = join(home.path, `with-${kept}`);
    openDataDirectory(into);
    writeFileSync(join(into, kept), "kept");
    const args = ["rebuild", "--until-seq", "3", "--into", into, "--data-dir", data];
    const { code, stderr } = await runHere(args);
    assert.is(code, 3);
    const held = kept === "operator" ? "an operator state" : `a ${kept}`;
    assert.match(stderr, `holds ${held} already`);
    assert.is(readFileSync(join(into, kept), "utf8"), "kept");
  }
});

test("--until-time ends before the first event with a later log time", async ({
  data,
  home,
  times,
}) => {
  const into = join(home.path, "then");
  mkdirSync(into);
  const time = new Date((times[4] ?? 0) + 30_000).toISOString();
  const args = ["rebuild", "--until-time", time, "--into", into, "--json", "--data-dir", data];
  const { code, stdout, stderr } = await runHere(args);
  assert.is(code, 0, stderr);
  const result = JSON.parse(stdout);
  assert.equal(result.until.sequence, 4);
  assert.is(result.until.time, new Date(times[4] ?? 0).toISOString());
  assert.is(openDataDirectory(into).frozenAt()?.sequence, 4);
  const again = await runHere(args);
  assert.is(again.code, 3);
  assert.match(again.stderr, "holds a model already");
});

test("commands that would change the directory are rejected", async ({ data }) => {
  await runHere(["rebuild", "--until-seq", "3", "--data-dir", data]);
  const then = `${data}-until-3`;
  const status = await runHere(["status", "--json", "--data-dir", then]);
  assert.is(status.code, 0, status.stderr);
  const { state, reason } = JSON.parse(status.stdout);
  assert.is(
    `${state}, ${reason}`,
    "live, frozen: the shop as it stood at event 3, 2026-10-01T00:03:00.000Z",
  );
  for (const command of [["rebuild"], ["rollback"], ["verify"], ["publish", "-"]]) {
    const input = ndjson([productUpserted()]);
    const { code, stderr } = await runHere([...command, "--data-dir", then], { input });
    assert.is(code, 3, stderr);
    assert.match(stderr, "follows no event log");
  }
});

test("a failed attempt leaves nothing, in a new or an empty target", async ({ data, home }) => {
  const into = join(home.path, "empty");
  mkdirSync(into);
  const early = ["rebuild", "--until-time", "1999-01-01T00:00:00Z", "--data-dir", data];
  for (const more of [[], ["--into", into]]) {
    const { code, stderr } = await runHere([...early, ...more]);
    assert.is(code, 2, stderr);
    assert.match(stderr, "had no event at that time");
  }
  assert.equal(readdirSync(home.path).sort(), ["data", "empty"]);
  assert.equal(readdirSync(into), []);
});

test("the rest of a killed attempt is reported, and then replaced", async ({ data, home }) => {
  const into = join(home.path, "then");
  const again = ["rebuild", "--until-seq", "3", "--into", into, "--data-dir", data];
  assert.is((await runHere(again)).code, 0);
  rmSync(join(into, "live"));
  const status = await runHere(["status", "--json", "--data-dir", into]);
  assert.is(JSON.parse(status.stdout).state, "empty");
  const { code, stderr } = await runHere(again);
  assert.is(code, 0, stderr);
  assert.is(openDataDirectory(into).generations().length, 1);
  assert.ok(openDataDirectory(into).live());
});

test.run();
