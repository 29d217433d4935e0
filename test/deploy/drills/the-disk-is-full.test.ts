import { join } from "node:path";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { productUpserted } from "../../helpers/events.ts";
import { inOwnMounts, smallDisk } from "../../helpers/small-disk.ts";
import { type Injecting, inject } from "../../helpers/strace.ts";
import { childPid, until } from "../../helpers/vitrine.ts";
import { asOperator, serveFromBroker } from "./harness/broker.ts";
import { drillOf } from "./harness/drill.ts";
import type { Installation } from "./harness/installation.ts";
import { productIds, renamed, shopEvents } from "./harness/shop.ts";
import { mustAnswer } from "./harness/status.ts";

await inOwnMounts(import.meta.url);

const drill = drillOf("The disk is full");

/** The products with texts of that many sentences, so that the free pages of the model do not suffice. */
const longTexts = (sentences: number): readonly CloudEvent[] =>
  productIds.map((id) =>
    productUpserted({ id, descriptionHtml: `<p>${"A sentence of it. ".repeat(sentences)}</p>` }),
  );

/** Publishes until the model cannot be written. @returns the last sequence of the log */
const publishUntilFaulted = async (shop: Installation): Promise<number> => {
  for (let round = 1; round < 50; round += 1) {
    await shop.publish(longTexts(100 * round));
    const last = shopEvents().length + round * productIds.length;
    const { state } = await until(
      async () => JSON.parse((await shop.service().ops("/status")).text),
      (answer) => answer.state === "faulted" || answer.status.checkpoint === last,
    );
    if (state === "faulted") return last;
  }
  throw new Error("there was always room");
};

/** The previous generation, and a large one in quarantine. */
const leaveGenerations = async (shop: Installation): Promise<void> => {
  const commands = [
    "vitrine rebuild",
    'mkdir -p "$DATA_DIR/quarantine/0000"',
    'head -c 4M /dev/urandom > "$DATA_DIR/quarantine/0000/data.mdb"',
  ];
  const { code, output } = await shop.shell(commands.join("\n"));
  assert.is(code, 0, output);
};

drill.test("the projector waits for room, reads go on, and the operator makes room", async () => {
  const disk = smallDisk(16);
  const { shop } = await serveFromBroker(drill, [], {}, disk.path);
  await leaveGenerations(shop);
  const directory = openDataDirectory(shop.dataDir);
  assert.ok(directory.previous() !== undefined);
  disk.fill();
  const last = await publishUntilFaulted(shop);
  const reason = "make room on the disk of";
  await drill.reaches(shop, { state: "faulted", reason, unready: reason });
  await mustAnswer(shop.service(), 20);
  for (const command of ["rebuild", "backup backup"]) {
    const { code, output } = await shop.shell(`vitrine ${command}`);
    assert.is(code, 3, output);
  }
  await drill.run("df -h", shop, { numbersVary: true });
  await drill.reaches(shop, { state: "live", checkpoint: last });
  const { code, output } = await shop.shell("vitrine rollback");
  assert.is(code, 3, output);
});

drill.test("a rebuild by the service itself begins when there is room", async () => {
  const disk = smallDisk(16);
  const { broker, shop } = await serveFromBroker(drill, [], {}, disk.path);
  await shop.service().stop();
  await asOperator(broker, ({ streams }) => streams.delete("SHOP"));
  await shop.publish([...shopEvents(), ...renamed(productIds, "again")]);
  disk.fill();
  await shop.serve();
  const reason = "cannot open the read model in";
  await drill.reaches(shop, { state: "faulted", reason, unready: "ENOSPC" });
  await mustAnswer(shop.service(), 20);
  disk.makeRoom();
  await drill.reaches(shop, { state: "live", checkpoint: shopEvents().length + productIds.length });
});

drill.test(
  "after a failed write the batch is retried, by another projector if needed",
  async () => {
    const { shop } = await serveFromBroker(drill);
    const published = shopEvents().length + productIds.length;
    // The last write of a commit; the pages of its data follow each other in a new model, and are written by another call.
    const lastWrite = await failWrites(shop, ["pwrite64"]);
    await shop.publish(renamed(productIds, "later"));
    await drill.reaches(shop, { state: "live", checkpoint: published });
    await lastWrite.stop();
    assert.ok(lastWrite.failed() > 0);
    const allWrites = await failWrites(shop, ["pwrite64", "writev", "pwritev"]);
    await shop.publish(renamed(productIds, "again"));
    await drill.reaches(shop, { state: "faulted", reason: "Input/output error", unready: "error" });
    await mustAnswer(shop.service(), 20);
    await allWrites.stop();
    await drill.reaches(shop, { state: "live", checkpoint: published + productIds.length });
  },
);

/** Lets system calls on the live generation fail. */
const failWrites = async (shop: Installation, calls: readonly string[]): Promise<Injecting> => {
  const pid = await childPid(shop.service(), "vitrine projector");
  const path = join(openDataDirectory(shop.dataDir).live() ?? "", "data.mdb");
  return inject({ pid, path, calls, outcome: "error=EIO", when: "1+" });
};

drill.end();
