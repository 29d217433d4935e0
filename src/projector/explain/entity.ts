import { VitrineError } from "../../errors.ts";
import { toNatsSubject } from "../../events/envelope.ts";
import { quoteForMessage } from "../../events/rejection.ts";
import { type FieldGroupKind, fieldGroups } from "./field-groups.ts";

/** An entity that can be explained. */
export interface EntityRef {
  /** Name as requested, `price/4711`. */
  readonly name: string;
  readonly groups: readonly FieldGroupKind[];
  /** Key of its rows. */
  readonly key: number | string;
  /** Subjects of its events, `product/4711`. */
  readonly events: ReadonlySet<string>;
  /** Log subjects of its events, `shop.product.4711`. */
  readonly subjects: readonly string[];
}

/**
 * @param name `product/4711`, `agent/LABEL`, `settings` …
 * @throws `usage` when the contract has no such entity
 */
export const parseEntityName = (name: string): EntityRef => {
  const [, kind = "", id] = /^([a-z]+)(?:\/(.+))?$/s.exec(name) ?? [];
  const groups = Object.hasOwn(fieldGroups, kind) ? fieldGroups[kind] : undefined;
  const key = groups && parseKey(kind, id);
  if (groups === undefined || key === undefined)
    throw unknownEntity(name, groups !== undefined && !nonNumericKinds.includes(kind));
  const events = eventSubjects(kind, name, key);
  return { name, groups, key, events: new Set(events), subjects: events.map(toNatsSubject) };
};

const parseKey = (kind: string, id: string | undefined): number | string | undefined => {
  if (kind === "settings" || kind === "robots") return id === undefined ? kind : undefined;
  if (kind === "agent") return id;
  const isId = id !== undefined && /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id));
  return isId ? Number(id) : undefined;
};

/** Lists the subjects of an entity's events. A product event may set the price, too. */
const eventSubjects = (kind: string, name: string, id: number | string): readonly string[] => {
  if (kind === "product") return [name, `price/${id}`, `stock/${id}`];
  return kind === "price" ? [name, `product/${id}`] : [name];
};

/** Kinds whose id is not a number. */
const nonNumericKinds = ["settings", "robots", "agent"];

const unknownEntity = (name: string, hasNumericId: boolean): VitrineError =>
  new VitrineError(
    "usage",
    `${quoteForMessage(name)} is nothing that events tell of${hasNumericId ? ": an id is a positive whole number" : ""}`,
    "give product/ID, price/ID, stock/ID, category/ID, page/ID, carrier/ID, agent/LABEL, settings or robots",
  );
