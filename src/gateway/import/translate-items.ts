import { hash } from "node:crypto";
import type { DraftEvent, StateChange, Translated } from "../../connectors/delivery.ts";
import type { BadRow, FileBody, FileItem } from "../../connectors/files/items.ts";
import {
  checkEvents,
  type Prepared,
  prepareEvents,
  type SubjectEvent,
} from "../../connectors/prepare-events.ts";
import { messageOf } from "../../errors.ts";
import type { CloudEvent } from "../../events/envelope.ts";
import { count, openOverlay } from "../translate-batch.ts";
import type { OpenState, Translator } from "../translators.ts";

export interface ImportContext {
  /** Name of the connection. */
  readonly name: string;
  readonly translator: Translator;
  /** `source` of the events. */
  readonly source: string;
  /** Time of the file, UTC as `toUtcTime` returns it. */
  readonly taken: string;
  /** Whether events go out although their data was published last. */
  readonly isRepeating: boolean;
  /** Whether items are only checked, and become no events. */
  readonly isChecking?: boolean;
}

/** What items of a file become. */
export interface ItemBatch {
  readonly events: readonly CloudEvent[];
  readonly changes: readonly StateChange[];
  readonly bad: readonly BadRow[];
  /** Subjects that bodies have without restating them. */
  readonly met: readonly string[];
  /** Bodies that became events, or none because the log has them. */
  readonly translated: number;
  /** How often a body was ignored, by the reason. */
  readonly ignored: ReadonlyMap<string, number>;
  /** How often a member was left out, by its name. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/**
 * Translates items one after the other; each reads what the ones before it changed.
 * @param categories ids of the categories that this reading gave, because many products restate one
 */
export const translateItems = (
  items: readonly FileItem[],
  openStored: OpenState,
  context: ImportContext,
  categories: Set<string>,
): ItemBatch => {
  const { openState, put, changes } = openOverlay(openStored);
  const events: CloudEvent[] = [];
  const bad: BadRow[] = [];
  const met: string[] = [];
  const [ignored, leftOut] = [new Map<string, number>(), new Map<string, number>()];
  let translated = 0;
  const add = ({ events: more, changes: rows, leftOut: members }: Prepared): void => {
    translated += 1;
    events.push(...more.filter((event) => isNew(event, categories)));
    for (const change of rows) put(change);
    for (const [member, times] of members) count(leftOut, member, times);
  };
  for (const item of items) {
    const result = "reason" in item ? item : translateItem(item, openState, context);
    if ("line" in result) {
      bad.push(result);
      continue;
    }
    met.push(...(result.met ?? []));
    if (result.outcome === "ignored") count(ignored, result.reason);
    else add(result);
  }
  return { events, changes: [...changes.values()], bad, met, translated, ignored, leftOut };
};

const isNew = ({ type, id }: CloudEvent, categories: Set<string>): boolean => {
  if (type !== "shop.category.upserted") return true;
  const before = categories.size;
  return categories.add(id).size > before;
};

const translateItem = (item: FileBody, openState: OpenState, context: ImportContext) => {
  const { topic, body } = item;
  const delivery = { topic, headers: {}, body, arrivedAt: context.taken };
  try {
    const outcome = context.translator.translate(delivery, openState);
    const prepared =
      outcome.outcome !== "translated"
        ? outcome
        : context.isChecking
          ? checkEvents(outcome, openState())
          : prepare(outcome, openState, context);
    return prepared.outcome === "refused" ? toBadRow(item, prepared) : prepared;
  } catch (error) {
    return toBadRow(item, { path: "", reason: `meets a bug of Vitrine: ${messageOf(error)}` });
  }
};

const prepare = (
  translated: Translated,
  openState: OpenState,
  { name, source, taken, isRepeating }: ImportContext,
) => {
  const buildId = (event: SubjectEvent): string => `${name}/import/${hashEvent(event)}/${taken}`;
  return prepareEvents(translated, openState(), { source, buildId, isRepeating });
};

/** Equal events of two imports have one id, so that the log stores them once. */
const hashEvent = ({ subject, text }: SubjectEvent): string =>
  hash("sha256", `${subject}\0${text}`, "hex").slice(0, 16);

const toBadRow = (
  { line, path = "" }: FileBody,
  refusal: { readonly path: string; readonly reason: string },
): BadRow => {
  const column = [path, refusal.path].filter((part) => part !== "").join(".");
  return { line, column: column || null, reason: refusal.reason };
};

/** Prepares deletions as the events of one body. */
export const prepareDeletions = (
  drafts: readonly DraftEvent[],
  openState: OpenState,
  context: ImportContext,
): Prepared => {
  const translated = {
    outcome: "translated",
    events: drafts,
    changes: [],
    leftOut: new Map(),
  } as const;
  const prepared = prepare(translated, openState, context);
  if (prepared.outcome === "prepared") return prepared;
  throw new Error(`a deletion does not fit: ${prepared.reason}`);
};
