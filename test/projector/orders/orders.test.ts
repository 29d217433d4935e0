import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import { openJournal } from "../../../src/event-log/journal.ts";
import { thisProcess } from "../../../src/process-note.ts";
import { hasOrder, type Order } from "../../../src/projector/orders/order.ts";
import { placeOrder } from "../../../src/projector/orders/place.ts";
import {
  answerInterrupted,
  type TakenOrder,
  takeOrder,
} from "../../../src/projector/orders/take.ts";
import { openDataDirectory } from "../../../src/read-model/generation.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { startProjector } from "../../helpers/projector.ts";

const test = suite("orders");
const attended = () => Promise.resolve(true);
const unattended = () => Promise.resolve(false);
const never = new AbortController().signal;
const rollback: Order = { kind: "rollback" };

const taken = async (directory: string): Promise<TakenOrder> => {
  for (;;) {
    const order = takeOrder(directory);
    if (order) return order;
    await delay(5);
  }
};

const refused = (placed: Promise<unknown>): Promise<VitrineError> =>
  placed.then(
    () => assert.unreachable("it was not refused"),
    (error: unknown) => error as VitrineError,
  ) as Promise<VitrineError>;

test("what the projector tells reaches the one who gave the order, and no file is left", async () => {
  const directory = temporaryDirectory();
  const order: Order = { kind: "retry", sequences: [4, 9] };
  const placed = placeOrder(directory.path, order, attended, never);
  const { order: got, done } = await taken(directory.path);
  assert.equal(got, order);
  done({ applied: 2 });
  assert.equal(await placed, { applied: 2 });
  assert.equal(readdirSync(join(directory.path, "orders")), []);
  directory.remove();
});

test("a refusal arrives with its code and the way out", async () => {
  const directory = temporaryDirectory();
  const placed = refused(placeOrder(directory.path, rollback, attended, never));
  (await taken(directory.path)).failed(new VitrineError("usage", "there is none", "make one"));
  const { code, message, hint } = await placed;
  assert.equal(
    { code, message, hint },
    { code: "usage", message: "there is none", hint: "make one" },
  );
  directory.remove();
});

test("what came of an order and cannot be told is no refusal", async () => {
  const directory = temporaryDirectory();
  const placed = refused(placeOrder(directory.path, rollback, attended, never));
  // What no JSON holds stands here for what the disk has no room for.
  (await taken(directory.path)).done({ applied: 2n });
  const { code, message } = await placed;
  assert.is(code, "data_dir");
  assert.match(message, "it was carried out, but not what came of it can be told");
  directory.remove();
});

test("an order is taken once, whoever asks again", async () => {
  const directory = temporaryDirectory();
  const placed = placeOrder(directory.path, rollback, attended, never);
  const { done } = await taken(directory.path);
  assert.not(hasOrder(directory.path));
  assert.is(takeOrder(directory.path), undefined);
  done(null);
  await placed;
  directory.remove();
});

test("a projector that is started answers the order that the one before it was at", async () => {
  const home = temporaryDirectory();
  const data = join(home.path, "data");
  const log = openJournal({ directory: join(home.path, "journal"), now: Date.now });
  openDataDirectory(data);
  const ended = new AbortController();
  const placed = refused(placeOrder(data, rollback, attended, ended.signal));
  await taken(data);
  const projector = startProjector(data, log);
  const late = delay(10_000, undefined, { ref: false });
  const refusal = await Promise.race([placed, late]);
  ended.abort();
  await projector.stop();
  assert.match(refusal?.message ?? "", "the projector ended while it was at this order");
  await log.close();
  home.remove();
});

test("an order that the projector's user may not read is refused, and not lost in silence", async () => {
  const directory = temporaryDirectory();
  const placed = refused(placeOrder(directory.path, rollback, attended, never));
  const orders = join(directory.path, "orders");
  // Root may read whatever there is: a link that leads to itself nobody can.
  for (const name of readdirSync(orders)) {
    rmSync(join(orders, name));
    symlinkSync(name, join(orders, name));
  }
  assert.is(takeOrder(directory.path), undefined);
  assert.match((await placed).message, "may not read the order");
  directory.remove();
});

test("an order that cannot be moved is told once and passed over, and keeps no other waiting", async () => {
  const directory = temporaryDirectory();
  const ended = new AbortController();
  const stuck = refused(placeOrder(directory.path, rollback, attended, ended.signal));
  const orders = join(directory.path, "orders");
  const [name = ""] = readdirSync(orders);
  // No file can be moved to where a directory is.
  mkdirSync(join(orders, name.replace(".json", ".taken")));
  const told: unknown[] = [];
  for (let times = 0; times < 3; times += 1) {
    assert.is(
      takeOrder(directory.path, (error) => told.push(error)),
      undefined,
    );
  }
  assert.is(told.length, 1);
  assert.not(hasOrder(directory.path));
  const placed = placeOrder(directory.path, rollback, attended, never);
  assert.ok(hasOrder(directory.path));
  (await taken(directory.path)).done(null);
  await placed;
  ended.abort();
  assert.match((await stuck).message, /nothing was changed/);
  directory.remove();
});

test("an order that nobody takes is withdrawn, and says that nothing was changed", async () => {
  const directory = temporaryDirectory();
  const ended = new AbortController();
  const placed = refused(placeOrder(directory.path, rollback, attended, ended.signal));
  assert.ok(hasOrder(directory.path));
  ended.abort();
  assert.match((await placed).message, /nothing was changed/);
  assert.not(hasOrder(directory.path));
  directory.remove();
});

test("without a projector nobody waits for ever", async () => {
  const directory = temporaryDirectory();
  const error = await refused(placeOrder(directory.path, rollback, unattended, never));
  assert.is(error.code, "data_dir");
  assert.not(hasOrder(directory.path));
  directory.remove();
});

test("an order that was taken when the projector died is answered by the next one", async () => {
  const directory = temporaryDirectory();
  const placed = refused(placeOrder(directory.path, rollback, attended, never));
  await taken(directory.path);
  answerInterrupted(directory.path);
  assert.match((await placed).message, /ended while it was at this order/);
  directory.remove();
});

test("an order whose asker died is dropped: nobody waits for it any more", async () => {
  const directory = temporaryDirectory();
  const at = join(directory.path, "orders");
  const gone = spawn(process.execPath, ["-e", ""]);
  await once(gone, "exit");
  mkdirSync(at);
  for (const pid of [gone.pid ?? 0, process.pid]) {
    const by = { ...thisProcess(), pid };
    writeFileSync(join(at, `${pid}.json`), JSON.stringify({ order: rollback, by }));
  }
  assert.equal(takeOrder(directory.path)?.order, rollback);
  assert.is(takeOrder(directory.path), undefined);
  assert.equal(readdirSync(at), [`${process.pid}.taken`]);
  directory.remove();
});

test("of the answers nobody came for the oldest are forgotten, not one that was just given", async () => {
  const directory = temporaryDirectory();
  const at = join(directory.path, "orders");
  mkdirSync(at);
  for (let nth = 0; nth < 150; nth += 1) {
    const path = join(at, `old-${nth}.done`);
    // Somebody else's, that is no file, stands in nobody's way.
    if (nth === 0) mkdirSync(path);
    else writeFileSync(path, "{}");
    utimesSync(path, 1 + nth, 1 + nth);
  }
  const placed = placeOrder(directory.path, rollback, attended, never);
  (await taken(directory.path)).done("told");
  assert.is(await placed, "told");
  const left = readdirSync(at);
  assert.equal(
    [left.length, left.includes("old-149.done"), left.includes("old-50.done")],
    [99, true, false],
  );
  directory.remove();
});

test("a file that is no order is dropped", () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory.path, "orders"));
  writeFileSync(join(directory.path, "orders", "x.json"), "{");
  assert.ok(hasOrder(directory.path));
  assert.is(takeOrder(directory.path), undefined);
  assert.not(hasOrder(directory.path));
  directory.remove();
});

test.run();
