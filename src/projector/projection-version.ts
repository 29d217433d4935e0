import { projectionVersions } from "../../projections/index.ts";
import { VitrineError } from "../errors.ts";
import type { EventLog } from "../event-log/event-log.ts";
import { type Checkpoint, modelLayout } from "../read-model/schema/checkpoint.ts";
import { readCheckpoint, type Store } from "../read-model/store/store.ts";
import { describeTextDataChange, textData } from "../text/text-data.ts";
import type { Divergence } from "./continuity/continuity.ts";

/**
 * Explains why the projector must rebuild the model of a checkpoint.
 * @returns undefined when the projector can continue it
 */
export const outdatedReason = (written: Checkpoint): string | undefined => {
  if (isOfOtherVersion(written)) return "the projections changed since the model was made";
  if (!hasOtherTextData(written)) return undefined;
  const change = describeTextDataChange(written.textData);
  return `the text data of Node changed since the model was made: ${change}`;
};

/** Checks whether other versions of the projections, or another storage layout, wrote the model. */
const isOfOtherVersion = (written: Checkpoint): boolean =>
  written.projections !== projectionVersions || written.layout !== modelLayout;

/** Checks whether other ICU or stemming data than that of this process sorted, tokenized and stemmed the model's texts. */
export const hasOtherTextData = (written: Checkpoint): boolean => written.textData !== textData();

/**
 * Checks that this version can read the rows of a model, which another version may have stored in another form. Other text
 * data is accepted, because it changes index rows only.
 * @throws `outdated` when another version wrote the model
 */
export const assertCurrentVersion = (store: Store): void => {
  const written = readCheckpoint(store);
  if (written === undefined || !isOfOtherVersion(written)) return;
  throw new VitrineError(
    "outdated",
    `another version of Vitrine wrote ${store.directory}`,
    "start vitrine serve: it rebuilds the model from the event log; run the command again when that is done",
  );
};

/**
 * Checks that a model can be written without a rebuild.
 * @throws `outdated` when the projector must rebuild the model
 */
export const assertUpToDate = (store: Store): void => {
  const written = readCheckpoint(store);
  const reason = written && outdatedReason(written);
  if (reason === undefined) return;
  throw new VitrineError(
    "outdated",
    reason,
    "start vitrine serve: it rebuilds the model from the event log, which applies every event again",
  );
};

/**
 * Builds the divergence of an outdated generation. The projector treats it like one of the log: a rebuild needs the complete
 * log.
 * @param reason as `outdatedReason` explains it
 * @throws `event_log` when the log is unavailable
 */
export const outdatedDivergence = async (
  reason: string,
  eventLog: EventLog,
): Promise<Divergence> => ({
  kind: "outdated",
  reason,
  isLogComplete: (await eventLog.bounds()).isComplete,
});
