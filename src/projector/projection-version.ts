import { projectionVersions } from "../../projections/index.ts";
import { VitrineError } from "../errors.ts";
import type { EventLog } from "../event-log/event-log.ts";
import { type Checkpoint, layout } from "../read-model/schema/checkpoint.ts";
import { tables } from "../read-model/schema/tables.ts";
import type { Store } from "../read-model/store/store.ts";
import { describeTextDataChange, textData } from "../text/text-data.ts";
import type { Divergence } from "./continuity.ts";
import type { Generation } from "./open-generation.ts";

/** Tells whether the projector may not write to a generation, but has to rebuild the model. */
export const isOutdated = (generation: Pick<Generation, "store">): boolean =>
  outdatedReasonIn(generation) !== undefined;

/** Tells why the projector has to rebuild the model of a checkpoint; undefined when it can go on with it. */
export const outdatedReason = (written: Checkpoint): string | undefined => {
  if (isOfOtherVersion(written)) return "the projections changed since the model was made";
  if (!isOfOtherTextData(written)) return undefined;
  const change = describeTextDataChange(written.textData);
  return `the text data of Node changed since the model was made: ${change}`;
};

const outdatedReasonIn = ({ store }: Pick<Generation, "store">): string | undefined => {
  const written = store.get(tables.meta, "checkpoint");
  return written && outdatedReason(written);
};

/** Other versions of the projections wrote it, or stored it in another form. */
const isOfOtherVersion = (written: Checkpoint): boolean =>
  written.projections !== projectionVersions || written.layout !== layout;

/** Tells whether a model's texts were ordered, cut into words and stemmed by other data than this process has. */
export const isOfOtherTextData = (written: Checkpoint): boolean => written.textData !== textData();

/**
 * Refuses to read rows that events are folded into when another version may have stored them in another form. Other text
 * data is no reason, because it changes index rows only.
 * @throws VitrineError `outdated`
 */
export const mustBeOfThisVersion = (store: Store): void => {
  const written = store.get(tables.meta, "checkpoint");
  if (written === undefined || !isOfOtherVersion(written)) return;
  throw new VitrineError(
    "outdated",
    `another version of Vitrine wrote ${store.directory}`,
    "start vitrine serve: it makes the model anew from the event log; ask again when that is done",
  );
};

/**
 * Refuses to write to a generation that the projector has to rebuild.
 * @throws VitrineError `outdated`
 */
export const mustBeUpToDate = (store: Store): void => {
  const reason = outdatedReasonIn({ store });
  if (reason === undefined) return;
  throw new VitrineError(
    "outdated",
    reason,
    "start vitrine serve: it rebuilds the model from the event log, which folds every event again",
  );
};

/**
 * What is said of such a generation: it is as good as one of another history, and is made anew only from all of it.
 * @throws `event_log` when the log cannot be reached
 */
export const mustBeMadeAnew = async (
  generation: Pick<Generation, "store">,
  eventLog: EventLog,
): Promise<Divergence> => ({
  kind: "rewritten",
  reason: outdatedReasonIn(generation) ?? "the model is outdated",
  whole: (await eventLog.bounds()).whole,
});
