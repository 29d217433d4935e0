import { constants } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../../../src/event-log/journal/index.ts";
import { openDataDirectory } from "../../../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";
import { productUpserted, settingsUpdated } from "../../../helpers/events.ts";
import { append, isLiveAt, startProjector } from "../../../helpers/projector.ts";
import { run } from "../../../helpers/vitrine.ts";

const test = suite("priority of commands");
const home = temporaryDirectory();
const data = join(home.path, "data");
const { PRIORITY_NORMAL: normal, PRIORITY_BELOW_NORMAL: below } = constants.priority;

/** Sets a priority at the start, and prints the current one at the exit. */
const printPriority = (begin: number) =>
  `data:text/javascript,import { getPriority, setPriority } from "node:os";setPriority(${begin});` +
  `process.on("exit", () => console.error(\`priority \${getPriority()}\`));`;

const priorityOf = async (command: readonly string[], begin: number = normal): Promise<number> => {
  const loaded = encodeURI(printPriority(begin));
  const { code, stderr } = await run([...command, "--data-dir", data], {
    env: { NODE_OPTIONS: `--import ${JSON.stringify(loaded)}` },
  });
  assert.is(code, 0, stderr);
  return Number(/^priority (\d+)$/m.exec(stderr)?.[1]);
};

test.before(async () => {
  openDataDirectory(data);
  const log = openJournal({ directory: join(data, "journal"), now: Date.now });
  await append(log, settingsUpdated(), productUpserted());
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(2));
  await projector.stop();
  await log.close();
});
test.after(() => home.remove());

test("rebuild and verify lower their priority; rollback and commands that only read do not", async () => {
  const until = ["rebuild", "--until-seq", "1", "--into", join(home.path, "then")];
  for (const building of [["rebuild"], ["verify"], until]) {
    assert.is(await priorityOf(building), below, building.join(" "));
  }
  assert.is(await priorityOf(["status"]), normal);
});

test("a command with an already low priority keeps it", async () => {
  assert.is(await priorityOf(["rebuild"], below + 5), below + 5);
});

test.run();
