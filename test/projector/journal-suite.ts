import { join } from "node:path";
import { suite } from "uvu";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted } from "../helpers/events.ts";
import type { TestProjector } from "../helpers/projector.ts";

/** A journal and a data directory, created for each test. */
export interface JournalContext {
  readonly home: TemporaryDirectory;
  readonly journal: string;
  log: EventLog;
  data: string;
}

export const open = (directory: string) => openJournal({ directory, now: Date.now });

/** Creates a suite of tests of a projector that follows a journal. */
export const suiteOfJournal = (name: string) => {
  const test = suite<JournalContext>(name);
  test.before.each((context) => {
    const home = temporaryDirectory();
    const journal = join(home.path, "journal");
    Object.assign(context, { home, journal, log: open(journal), data: join(home.path, "data") });
  });
  test.after.each(async ({ log, home }) => {
    await log.close();
    home.remove();
  });
  return test;
};

export const products = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => productUpserted({ id: from + at }));
export const productCount = (projector: TestProjector) =>
  projector.read((snapshot) => snapshot.counts().products);

/**
 * A log that reports nine records and delivers only those it has.
 * @param onHalt called after the last record
 */
export const halting = (log: EventLog, onHalt: () => void = () => undefined): EventLog => ({
  ...log,
  bounds: async () => ({ first: 1, last: 9, isComplete: true }),
  async *read(options) {
    yield* log.read({ ...options, follow: false });
    onHalt();
    await new Promise((resolve) => options.signal?.addEventListener("abort", resolve));
  },
});
