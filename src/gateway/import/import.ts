import { join } from "node:path";
import type { DraftEvent } from "../../connectors/delivery.ts";
import type { FileFormat } from "../../connectors/files/formats.ts";
import { VitrineError } from "../../errors.ts";
import type { CloudEvent } from "../../events/envelope.ts";
import { sleep } from "../../platform/async.ts";
import { serialised } from "../../projector/integrity/lock.ts";
import { openInbox } from "../inbox/inbox.ts";
import { eventsKey } from "../inbox/tables.ts";
import { count } from "../translate-batch.ts";
import { findLeftOver, type LeftOvers, metTable } from "./left-over.ts";
import {
  type ImportFile,
  maxItems,
  type PassResult,
  type ReadOptions,
  readFiles,
} from "./read-files.ts";
import { openRehearsedState } from "./rehearsal.ts";
import { type ItemBatch, prepareDeletions, translateItems } from "./translate-items.ts";

export interface ImportOptions extends ReadOptions {
  /** Directory of the connection. */
  readonly directory: string;
  /** Empty directory for what the rehearsal keeps. */
  readonly scratch: string;
  /** Whether the files say nothing of categories. */
  readonly keepsCategories: boolean;
}

/** Import of some files in a connection. */
export interface Import {
  /**
   * Translates all files without appending.
   * @param onEvents receives the events of each batch; without it none are built, and nothing is known of what the files lack.
   * Then bodies do not see what bodies of other batches change, on which no refusal depends but that of two texts with one number
   */
  rehearse(
    files: readonly ImportFile[],
    onEvents?: (events: readonly CloudEvent[]) => Promise<void>,
  ): Promise<PassResult>;
  /**
   * Finds what the connection published and no rehearsed row has.
   * @param hasIgnored whether bodies were ignored, of which the categories are not known
   */
  findLeftOver(hasIgnored: boolean): LeftOvers;
  /** Builds the events of deletions as an import would publish them now. */
  rehearseDeletions(deletions: readonly DraftEvent[]): readonly CloudEvent[];
  publish(files: readonly ImportFile[], append: AppendEvents): Promise<PassResult>;
  /** @returns how many events were appended */
  publishDeletions(deletions: readonly DraftEvent[], append: AppendEvents): Promise<number>;
  close(): Promise<void>;
}

/** Resolves when the log has the events. */
export type AppendEvents = (events: readonly CloudEvent[]) => Promise<void>;

export const openImport = (options: ImportOptions): Import => {
  const { directory } = options;
  const inbox = openInbox(directory);
  const rehearsed = openRehearsedState(join(options.scratch, "state"), inbox.openState);
  const turn = createTurns(directory);
  const publish = <B extends Pick<ItemBatch, "events" | "changes">>(
    translate: () => B,
    append: AppendEvents,
    countBatch: (batch: B) => ReadonlyMap<string, number>,
  ): Promise<B> =>
    turn(async () => {
      const batch = translate();
      if (batch.events.length > 0) await append(batch.events);
      const at = new Date().toISOString();
      inbox.commitImport({ changes: batch.changes, counts: countBatch(batch), at });
      return batch;
    });
  return {
    rehearse(files, onEvents) {
      const categories = new Set<string>();
      const context = { ...options, isChecking: onEvents === undefined };
      return readFiles(files, { ...options, doing: "checking" }, async (items) => {
        const batch = translateItems(items, rehearsed.openState, context, categories);
        if (onEvents) {
          const met = batch.met.map((key) => ({ table: metTable, key, row: true }));
          rehearsed.put([...batch.changes, ...met]);
          await onEvents(batch.events);
        }
        return batch;
      });
    },
    findLeftOver: (hasIgnored) =>
      findLeftOver(inbox, rehearsed, {
        taken: options.taken,
        keepsCategories: options.keepsCategories || hasIgnored,
      }),
    rehearseDeletions: (deletions) =>
      prepareDeletions(deletions, rehearsed.openState, options).events,
    publish(files, append) {
      const categories = new Set<string>();
      return readFiles(files, { ...options, doing: "importing" }, (items, { format }) => {
        const translate = () => translateItems(items, inbox.openState, options, categories);
        return publish(translate, append, (batch) => countOutcomes(batch, format));
      });
    },
    async publishDeletions(deletions, append) {
      let count = 0;
      for (let first = 0; first < deletions.length; first += maxItems) {
        const chunk = deletions.slice(first, first + maxItems);
        const translate = () => prepareDeletions(chunk, inbox.openState, options);
        count += (await publish(translate, append, countDeletions)).events.length;
      }
      return count;
    },
    async close() {
      await Promise.all([inbox.close(), rehearsed.close()]);
    },
  };
};

/** Runs each batch while no gateway translates, and lets one take its turn now and then. */
const createTurns = (directory: string) => {
  let heldSince = performance.now();
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (performance.now() - heldSince > 500) {
      await sleep(30);
      heldSince = performance.now();
    }
    try {
      return await serialised(join(directory, "translation"), work);
    } catch (error) {
      throw isTaken(error) ? turnTaken() : error;
    }
  };
};

const isTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ELOCKED";

const turnTaken = (): VitrineError =>
  new VitrineError(
    "locked",
    "the gateway translates for this connection, and has not finished for 12 seconds",
    "check whether the event log can be reached, and import again: what is published is not published twice",
  );

/** Counts a batch as the deliveries of a topic are counted. */
const countOutcomes = (batch: ItemBatch, format: FileFormat): ReadonlyMap<string, number> => {
  const counts = new Map(
    [...batch.leftOut].map(([member, times]) => [`${member}/left_out`, times]),
  );
  const topic = `import ${format}`;
  for (const times of batch.ignored.values()) count(counts, `${topic}/ignored`, times);
  if (batch.translated > 0) count(counts, `${topic}/translated`, batch.translated);
  if (batch.bad.length > 0) count(counts, `${topic}/refused`, batch.bad.length);
  if (batch.events.length > 0) count(counts, eventsKey, batch.events.length);
  return counts;
};

const countDeletions = ({ events }: Pick<ItemBatch, "events">): ReadonlyMap<string, number> =>
  new Map([[eventsKey, events.length]]);
