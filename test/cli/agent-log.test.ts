import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { appendTokenEvent } from "../../src/cli/commands/token/actions.ts";
import { logSettings } from "../../src/cli/shared-options.ts";
import { currentTokenState } from "../../src/cli/tokens/token-state.ts";
import { readConfig } from "../../src/config.ts";
import type { EventLog, ReadOptions } from "../../src/event-log/event-log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted, tokenRegenerated } from "../helpers/events.ts";
import { startNats } from "../helpers/nats.ts";

const test = suite("events of a label in the log");

const products = 3_000;
const shop = [
  tokenRegenerated("watcher", 1),
  tokenRegenerated("other", 7),
  ...Array.from({ length: products }, (_, at) => productUpserted({ id: at + 1 })),
  tokenRegenerated("watcher", 2, { id: "2", time: "2026-10-02T08:00:00Z" }),
];

interface Counted {
  readonly log: EventLog;
  /** Subjects of the records that were read. */
  readonly subjects: string[];
  /** Sequence after which each read began. */
  readonly begun: number[];
}

/** Wraps a log and counts what is read of it. */
const counting = (log: EventLog): Counted => {
  const subjects: string[] = [];
  const begun: number[] = [];
  async function* read(options: ReadOptions) {
    begun.push(options.after);
    for await (const records of log.read(options)) {
      subjects.push(...records.map(({ subject }) => subject));
      yield records;
    }
  }
  return { log: { ...log, read }, subjects, begun };
};

const proveOn = async (events: string): Promise<void> => {
  const dataDir = join(temporaryDirectory().path, "data");
  const config = readConfig({ dataDir, events }, {}, logSettings);
  openDataDirectory(dataDir);
  const opened = await openEventLog(events, { dataDir, now: Date.now });
  try {
    await opened.append(shop.map((event) => toMessage(event)));
    const { log, subjects, begun } = counting(opened);
    const label = "watcher";
    const labelState = await currentTokenState(log, config, label);
    assert.is(labelState.generation, 2);
    assert.is(subjects.length, 2);

    await opened.append([toMessage(productUpserted({ id: products + 1 }))]);
    const { version } = labelState;
    assert.ok(
      await appendTokenEvent(log, "agent.token.regenerated", label, 3, version, Date.now()),
    );
    const now = await currentTokenState(log, config, label, { previous: labelState });
    assert.is(now.generation, 3);
    assert.is(subjects.length, 3);
    assert.equal(begun, [0, shop.length]);
  } finally {
    await opened.close();
  }
};

test("of a journal only the label's events are read, and after a change only the new ones", () =>
  proveOn("journal:"));

test("of a stream only the label's events are read, and after a change only the new ones", async () => {
  const nats = await startNats();
  try {
    await proveOn(nats.url);
  } finally {
    await nats.remove();
  }
});

test.run();
