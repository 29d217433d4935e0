import { join } from "node:path";
import { suite } from "uvu";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted } from "../helpers/events.ts";
import type { TestProjector } from "../helpers/projector.ts";

/** A journal and a data directory beside it, made for each test. */
export interface World {
  readonly home: TemporaryDirectory;
  readonly journal: string;
  log: EventLog;
  data: string;
}

export const open = (directory: string) => openJournal({ directory, now: Date.now });

/** Tests of a projector that follows a journal. */
export const suiteOfJournal = (name: string) => {
  const test = suite<World>(name);
  test.before.each((world) => {
    const home = temporaryDirectory();
    const journal = join(home.path, "journal");
    Object.assign(world, { home, journal, log: open(journal), data: join(home.path, "data") });
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
  projector.read((moment) => moment.counts().products);

/**
 * A log that says it has nine records, and gives no more than it has.
 * @param onHalt told when it has given them
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
