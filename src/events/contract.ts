import { type EventType, eventTypes } from "./event.ts";
import { type Shape, shapeOf } from "./normalize.ts";
import type { Fault } from "./schema-violation.ts";
import { type Check, compilerOf, readSchemas, resolverOf, type Schemas } from "./schemas.ts";
import { type Chain, type Upcasters, upcasters } from "./upcast.ts";

/** Everything known of one event type, read from its schemas. */
export interface EventKind {
  readonly type: EventType;
  /** Its newest version; the first is 1. */
  readonly newest: number;
  /** Undefined when the data follows the schema of that version. */
  check(version: number, data: unknown): Fault | undefined;
  readonly chain: Chain;
  /** For data the newest schema accepted. */
  readonly shape: Shape;
  /** As the schema's `x-subject` says: `product/{id}` with the data's own id in it. */
  readonly subject: Subject;
}

/** The schemas of `schema/events`, compiled. */
export interface Contract {
  /** Undefined when an event has the attributes contract section 2 asks for. */
  readonly checkEnvelope: Check;
  readonly kinds: ReadonlyMap<string, EventKind>;
}

let shipped: Contract | undefined;

/** The contract this build ships, compiled once per process. */
export function shippedContract(): Contract {
  shipped ??= createContract(readSchemas(), upcasters);
  return shipped;
}

/**
 * Compiles schemas, and throws when they do not fit the program: an event type without a schema, a
 * schema without an event type, a gap in the versions, an old version that nothing brings up.
 */
export function createContract(schemas: Schemas, upcasters: Upcasters): Contract {
  refuseStrangers(schemas);
  const compile = compilerOf(schemas);
  const kinds = eventTypes.map((type): [string, EventKind] => {
    const chain = upcasters[type] ?? {};
    const newest = newestVersion(type, schemas, chain);
    const checks = upTo(newest).map((version) => compile(`${type}.v${version}.json`, "data"));
    const schema = schemas[`${type}.v${newest}.json`] ?? {};
    return [
      type,
      {
        type,
        newest,
        check: (version, data) => checks[version - 1]?.(data),
        chain,
        shape: shapeOf(schema, resolverOf(schemas)),
        subject: subjectOf(String(schema["x-subject"])),
      },
    ];
  });
  return { checkEnvelope: compile("envelope.json", ""), kinds: new Map(kinds) };
}

const upTo = (newest: number): readonly number[] =>
  Array.from({ length: newest }, (_, index) => index + 1);

function newestVersion(type: string, schemas: Schemas, chain: Chain): number {
  const newest = Object.keys(schemas).filter((file) => typeOf(file) === type).length;
  const gap = upTo(Math.max(newest, 1)).find((version) => !schemas[`${type}.v${version}.json`]);
  if (gap !== undefined) throw new Error(`schema/events/${type}.v${gap}.json is missing`);
  const stuck = upTo(newest - 1).find((version) => !chain[version]);
  if (stuck !== undefined) throw new Error(`no upcaster brings ${type} up from version ${stuck}`);
  return newest;
}

function refuseStrangers(schemas: Schemas): void {
  const known: readonly string[] = [...eventTypes, "definitions"];
  const stranger = Object.keys(schemas).find((file) => {
    const type = typeOf(file);
    return type !== undefined && !known.includes(type);
  });
  if (stranger) throw new Error(`schema/events/${stranger} belongs to no event type`);
}

const typeOf = (file: string): string | undefined => /^(.+)\.v\d+\.json$/.exec(file)?.[1];

/** What an event's subject has to be, by its data. */
export interface Subject {
  of(data: unknown): string;
  /** Whether that is what a text is, without making it. */
  is(text: string, data: unknown): boolean;
}

/** @param template `product/{id}`: the data's own id is put in */
function subjectOf(template: string): Subject {
  const [before = "", member] = template.split(/[{}]/);
  if (member === undefined) return { of: () => template, is: (text) => text === template };
  const idOf = (data: unknown): string =>
    String((data as Readonly<Record<string, unknown>>)[member]);
  return {
    of: (data) => before + idOf(data),
    is(text, data) {
      const id = idOf(data);
      const isLong = text.length === before.length + id.length;
      return isLong && text.startsWith(before) && text.endsWith(id);
    },
  };
}
