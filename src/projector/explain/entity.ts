import { VitrineError } from "../../errors.ts";
import { natsSubject } from "../../events/envelope.ts";
import { shown } from "../../events/rejection.ts";
import { type GroupKind, groupsOf } from "./field-groups.ts";

/** An entity that can be explained. */
export interface NamedEntity {
  /** As it was asked for, `price/4711`. */
  readonly name: string;
  readonly groups: readonly GroupKind[];
  /** Key of its rows. */
  readonly key: number | string;
  /** Subjects of the events that tell of it, `product/4711`. */
  readonly events: ReadonlySet<string>;
  /** The same in the log, `shop.product.4711`. */
  readonly subjects: readonly string[];
}

/**
 * @param name `product/4711`, `agent/LABEL`, `settings` …
 * @throws `usage` when it is no entity of the contract
 */
export const entityOf = (name: string): NamedEntity => {
  const [, kind = "", id] = /^([a-z]+)(?:\/([^]+))?$/.exec(name) ?? [];
  const groups = Object.hasOwn(groupsOf, kind) ? groupsOf[kind] : undefined;
  const key = groups && keyOf(kind, id);
  if (groups === undefined || key === undefined)
    throw noEntity(name, groups !== undefined && !unnumbered.includes(kind));
  const events = eventsOf(kind, name, key);
  return { name, groups, key, events: new Set(events), subjects: events.map(natsSubject) };
};

const keyOf = (kind: string, id: string | undefined): number | string | undefined => {
  if (kind === "settings" || kind === "robots") return id === undefined ? kind : undefined;
  if (kind === "agent") return id;
  const isId = id !== undefined && /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id));
  return isId ? Number(id) : undefined;
};

/** A product event may tell the price too. */
const eventsOf = (kind: string, name: string, id: number | string): readonly string[] => {
  if (kind === "product") return [name, `price/${id}`, `stock/${id}`];
  return kind === "price" ? [name, `product/${id}`] : [name];
};

/** Entities that are named otherwise than by a number. */
const unnumbered = ["settings", "robots", "agent"];

const noEntity = (name: string, isNumbered: boolean): VitrineError =>
  new VitrineError(
    "usage",
    `${shown(name)} is nothing that events tell of${isNumbered ? ": an id is a positive whole number" : ""}`,
    "give product/ID, price/ID, stock/ID, category/ID, page/ID, carrier/ID, agent/LABEL, settings or robots",
  );
