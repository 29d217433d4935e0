import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  applyEvent,
  type EntityKind,
  type EventTypeOf,
  entities,
  isEventOf,
  type ProductTable,
  type SnapshotKind,
} from "../../projections/entities.ts";
import { projections } from "../../projections/index.ts";
import { type EntityTable, entityTables, type KeyOf } from "../../projections/projection.ts";
import { entityKinds, formatSubject, parseSubject } from "../../projections/subjects.ts";
import { eventTypes } from "../../src/events/event.ts";
import { oneOfEach } from "../helpers/events.ts";
import { openRows } from "./entity-rows.ts";
import { eventOf, text } from "./events.ts";

const test = suite("the registry of entities");

const events = oneOfEach().map((event) => {
  const type = eventTypes.find((one) => one === event.type);
  assert.ok(type, event.type);
  return eventOf(type, event);
});

test("the examples have an event of every type", () => {
  assert.equal(new Set(events.map(({ type }) => type)), new Set(eventTypes));
});

test("every event type belongs to one entity, which its subject names", () => {
  for (const event of events) {
    const kinds = entityKinds.filter((kind) => isEventOf(kind, event));
    assert.equal(kinds, [parseSubject(event.subject)?.kind], event.type);
  }
});

test("an event writes tables of its entity only, under the key of its subject", () => {
  for (const event of events) {
    const { rows, written } = openRows();
    assert.is(applyEvent(rows, event, text).outcome, "applied", event.type);
    const ref = parseSubject(event.subject);
    assert.ok(ref);
    const allowed: readonly EntityTable[] = entities[ref.kind].tables;
    assert.ok(written.size > 0, event.type);
    for (const [table, keys] of written) {
      assert.ok(allowed.includes(table), `${event.type} writes ${table}`);
      assert.equal(keys, [ref.key], `${event.type} writes ${table}`);
    }
  }
});

const subjects: readonly (readonly [subject: string, kind: string | undefined, key?: unknown])[] = [
  ["product/4711", "product", 4711],
  ["agent/my agent/2", "agent", "my agent/2"],
  ["settings", "settings", "settings"],
  ["settings/1", undefined],
  ["product", undefined],
  ["product/", undefined],
  ["product/0", undefined],
  ["product/007", undefined],
  ["product/9007199254740993", undefined],
  ["agent/", undefined],
  ["toString/1", undefined],
];
for (const [subject, kind, key] of subjects) {
  test(`the subject ${subject} is ${kind ? "parsed" : "that of no entity"}`, () => {
    const ref = parseSubject(subject);
    assert.equal(ref, kind === undefined ? undefined : { kind, key });
    if (ref) assert.is(formatSubject(ref), subject);
  });
}

test("every event type and every table belongs to a projection", () => {
  const kinds: readonly EntityKind[] = projections.flatMap((one) => one.entities);
  const types = new Set(kinds.flatMap((kind) => Object.keys(entities[kind].events)));
  assert.equal([...types].sort(), [...eventTypes].sort());
  assert.equal(new Set(kinds.flatMap((kind) => entities[kind].tables)), new Set(entityTables));
});

test("entities that are replayed together have keys of one form", () => {
  for (const kind of entityKinds) {
    const { key, replayUnit } = entities[kind];
    const own = key.replace("idOrPair", "id").replace("pair", "id");
    assert.is(own, entities[replayUnit].key.replace("idOrPair", "id"), kind);
  }
});

/** Each line compiles only while the registry has the types that it should have. */
export const typesOfRegistry = () => {
  const kinds: Readonly<Record<EntityKind, true>> = {
    ...{ settings: true, robots: true, category: true, page: true, carrier: true },
    ...{ product: true, variant: true, price: true, stock: true, agent: true },
  };
  // @ts-expect-error: a snapshot of the shop contains no agents.
  const agent: SnapshotKind = "agent";
  // @ts-expect-error: a table that events are folded into is not a derived one.
  const derived: EntityTable = "products";
  // @ts-expect-error: changes of pages do not concern products.
  const page: ProductTable = "pages";
  // @ts-expect-error: the key of a product is a number.
  const key: KeyOf<"productCores"> = "4711";
  // @ts-expect-error: the price has an event of its own.
  const type: EventTypeOf<"price"> = "shop.product.patched";
  // @ts-expect-error: every kind needs its member.
  const missing: Readonly<Record<EntityKind, true>> = { ...kinds, agent: undefined };
  return [agent, derived, page, key, type, missing];
};

test.run();
