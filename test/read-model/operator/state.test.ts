import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import { applyBatch } from "../../../src/projector/batch/batch.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import {
  createOperatorState,
  prepareOperatorState,
} from "../../../src/read-model/operator/create.ts";
import { operatorDirectory } from "../../../src/read-model/operator/directory.ts";
import { countOpenDeadLetters } from "../../../src/read-model/operator/discards.ts";
import { assertOperatorStateIntact } from "../../../src/read-model/operator/integrity.ts";
import type { OperatorRow } from "../../../src/read-model/operator/rows.ts";
import {
  openOperatorReader,
  openOperatorState,
  readRevocationFloor,
} from "../../../src/read-model/operator/state.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { openStore } from "../../../src/read-model/store/store.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../helpers/directory.ts";
import { productUpserted, recordOf, tokenRegenerated } from "../../helpers/events.ts";
import { identity } from "../../helpers/model.ts";
import { type LegacyRows, openOperator, putLegacyRows } from "../../helpers/operator.ts";

interface StateContext {
  readonly home: TemporaryDirectory;
  readonly data: string;
}

const test = suite<StateContext>("operator state");
const rendering = createHtmlRenderer();

test.before.each((context) => {
  const home = temporaryDirectory();
  Object.assign(context, { home, data: join(home.path, "data") });
});
test.after.each(({ home }) => home.remove());

const revocation = (label: string, generation: number, revoked: boolean): OperatorRow => ({
  kind: "revocation",
  label,
  generation,
  revoked,
});
const discard = (sequence: number, event: string, time: number): OperatorRow => ({
  kind: "discard",
  log: "SHOP",
  sequence,
  event,
  time,
});

test("rows are merged: a revocation only rises, and a discard keeps its first time", async ({
  data,
}) => {
  const state = await openOperator(data);
  state.add([revocation("a", 2, false), revocation("b", 1, true), discard(7, "one", 10)]);
  state.add([revocation("a", 1, true), revocation("b", 1, false), discard(7, "one", 20)]);
  const kept = [revocation("a", 2, false), revocation("b", 1, true), discard(7, "one", 10)];
  assert.equal(state.rows(), kept);
  state.add([revocation("a", 2, true), revocation("b", 2, false), discard(7, "other", 20)]);
  const risen = [revocation("a", 2, true), revocation("b", 2, false), discard(7, "other", 20)];
  assert.equal(state.rows(), risen);
  await state.close();
  const again = openOperatorState(data);
  assert.equal(again.rows(), risen);
  assert.equal([...again.discards("SHOP").keys()], [7]);
  assert.equal([...again.discards("SHOP-2").keys()], []);
  await again.close();
});

test("a reader sees a new revocation at once, and a new state when it is created", async ({
  data,
}) => {
  openDataDirectory(data);
  const reader = openOperatorReader(data);
  assert.is(reader.revocation("a"), undefined);
  const state = await openOperator(data);
  assert.is(reader.revocation("a"), undefined);
  state.add([revocation("a", 1, true)]);
  assert.equal(reader.revocation("a"), { generation: 1, revoked: true });
  await reader.close();
  await state.close();
});

/** A generation of an earlier version whose third event was rejected, with operator rows in it. */
const earlierGeneration = async (data: string, rows: LegacyRows): Promise<string> => {
  const directory = openDataDirectory(data);
  const path = directory.create();
  const store = openStore(path, { readOnly: false });
  const bad = productUpserted({ id: 9, name: 5 as never });
  const events = [productUpserted(), tokenRegenerated("shop", 3), bad];
  const records = events.map((event, at) => recordOf(event, at + 1));
  applyBatch(store, records, { identity, rendering });
  await store.close();
  await putLegacyRows(path, rows);
  return path;
};

const revokedToken = revocation("shop", 3, false);

test("operator rows of an earlier version are taken over when the state is created, also from quarantine", async ({
  data,
}) => {
  const directory = openDataDirectory(data);
  const aside = await earlierGeneration(data, {
    withdrawn: { a: { generation: 5, revoked: false } },
  });
  directory.quarantine(aside);
  const live = await earlierGeneration(data, {
    withdrawn: { a: { generation: 1, revoked: true }, b: { generation: 0, revoked: true } },
    discards: { 3: { time: 7 }, 99: { time: 8 } },
  });
  directory.swap(live);
  const losses: string[] = [];
  const state = await prepareOperatorState(directory, (message) => losses.push(message));
  assert.equal(losses, []);
  const [first, second, third, letter, ...others] = state.rows();
  const revocations = [revocation("a", 5, false), revocation("b", 0, true), revokedToken];
  assert.equal([first, second, third], revocations);
  assert.equal(letter?.kind === "discard" && [letter.sequence, letter.time], [3, 7]);
  assert.equal(others, [], "a row without a dead letter is not a discard");
  const store = openStore(live, { readOnly: true });
  assert.is(countOpenDeadLetters(store, state), 0);
  await store.close();
  await state.close();
  assert.not.ok(readdirSync(data).some((name) => name.startsWith(".operator")));
});

test("of a damaged generation the readable rows are taken over, and the rest is reported", async ({
  data,
}) => {
  const directory = openDataDirectory(data);
  const rows = {
    withdrawn: { a: { generation: 1, revoked: true }, b: { generation: 4, revoked: true } },
  };
  const flipped = await earlierGeneration(data, rows);
  const file = join(flipped, "data.mdb");
  const bytes = readFileSync(file);
  for (
    let at = bytes.indexOf('"generation":4');
    at >= 0;
    at = bytes.indexOf('"generation":4', at + 1)
  ) {
    bytes.write("9", at + '"generation":'.length);
  }
  writeFileSync(file, bytes);
  const zeroed = await earlierGeneration(data, {});
  const zeros = readFileSync(join(zeroed, "data.mdb")).fill(0);
  writeFileSync(join(zeroed, "data.mdb"), zeros);
  const losses: string[] = [];
  const state = await prepareOperatorState(directory, (message) => losses.push(message));
  assert.equal(state.rows(), [revocation("a", 1, true), revokedToken]);
  await state.close();
  assert.is(losses.length, 2);
  assert.match(losses[0] ?? "", /^generation 0001 is damaged \(a record of the table "withdrawn"/);
  assert.match(losses[1] ?? "", /^generation 0002 is damaged .* set another TOKEN_SECRET$/);
});

test("until the state is created, the rows of an earlier version decide about an agent", async ({
  data,
}) => {
  const live = await earlierGeneration(data, {
    withdrawn: { a: { generation: 1, revoked: true } },
  });
  const reader = openOperatorReader(data);
  for (const readOnly of [true, false]) {
    const store = openStore(live, { readOnly });
    assert.equal(readRevocationFloor(store, reader, "a"), { generation: 1, revoked: true });
    assert.is(readRevocationFloor(store, reader, "nobody"), undefined);
    await store.close();
  }
  const fresh = openStore(openDataDirectory(data).create(), { readOnly: false });
  assert.equal(
    fresh.names().names.filter((name) => name === "withdrawn" || name === "discards"),
    [],
  );
  assert.is(fresh.get(tables.agents, "a"), undefined);
  await fresh.close();
});

const damages: Readonly<Record<string, (directory: string) => void>> = {
  removed: (directory) => rmSync(join(directory, "data.mdb")),
  emptied: (directory) => truncateSync(join(directory, "data.mdb"), 0),
  cut: (directory) => truncateSync(join(directory, "data.mdb"), 8_192),
  zeroed: (directory) => {
    const file = join(directory, "data.mdb");
    writeFileSync(file, readFileSync(file).fill(0));
  },
  "one row of which was changed": (directory) => {
    const file = join(directory, "data.mdb");
    const bytes = readFileSync(file);
    const old = '"generation":7';
    for (let at = bytes.indexOf(old); at >= 0; at = bytes.indexOf(old, at + 1)) {
      bytes.write("0", at + old.length - 1);
    }
    writeFileSync(file, bytes);
  },
};

for (const [how, damage] of Object.entries(damages)) {
  test(`a state whose file was ${how} is rejected and not created again`, async ({ data }) => {
    openDataDirectory(data);
    const rows = Array.from({ length: 300 }, (_, at) => revocation(`agent ${at}`, 7, true));
    await createOperatorState(data, rows);
    await assertOperatorStateIntact(data);
    damage(operatorDirectory(data));
    const refusal = await prepareOperatorState(openDataDirectory(data), () => undefined).catch(
      (error: unknown) => error,
    );
    assert.instance(refusal, VitrineError);
    const { code, message, hint } = refusal as VitrineError;
    assert.is(code, "operator_state_damaged");
    assert.match(message, `the operator state ${operatorDirectory(data)} is damaged: `);
    assert.match(
      hint,
      /move that directory away, and restore a backup; without one set another TOKEN_SECRET/,
    );
    assert.ok(existsSync(operatorDirectory(data)));
  });
}

test("a state that cannot be created leaves nothing behind", async ({ data }) => {
  openDataDirectory(data);
  writeFileSync(join(data, "operator"), "");
  const made = await createOperatorState(data, []).catch((error: unknown) => error);
  assert.instance(made, VitrineError);
  assert.match((made as VitrineError).message, `cannot make the operator state of ${data}: `);
  assert.equal(
    readdirSync(data).filter((name) => name.startsWith(".operator")),
    [],
  );
});

test.run();
