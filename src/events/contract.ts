import { type EventType, eventTypes } from "./event.ts";
import { type Shape, shapeOf } from "./normalize.ts";
import type { Fault } from "./schema-violation.ts";
import { type Check, compilerOf, readSchemas, resolverOf, type Schemas } from "./schemas.ts";
import { type Chain, type Upcasters, upcasters } from "./upcast.ts";

/** The definition of one event type, read from its schemas. */
export interface EventKind {
  readonly type: EventType;
  /** Latest schema version; the first is 1. */
  readonly newest: number;
  /**
   * Validates data by the schema of a version.
   * @returns undefined when the data is valid
   */
  check(version: number, data: unknown): Fault | undefined;
  readonly chain: Chain;
  /** Normalizes data that the latest schema accepted. */
  readonly shape: Shape;
  /** The rule of the schema's `x-subject`: `product/{id}` contains the id of the data. */
  readonly subject: Subject;
}

/** The compiled schemas of `schema/events`. */
export interface Contract {
  /**
   * Validates the attributes of an event (Contract §2).
   * @returns undefined when they are valid
   */
  readonly checkEnvelope: Check;
  readonly kinds: ReadonlyMap<string, EventKind>;
}

let contract: Contract | undefined;

/** Returns the contract of this build, compiled once per process. */
export function shippedContract(): Contract {
  contract ??= createContract(readSchemas(), upcasters);
  return contract;
}

/**
 * Compiles schemas.
 * @throws when they do not fit the program: an event type without a schema, a schema without an event type, a gap in
 * the versions, an old version without an upcaster
 */
export function createContract(schemas: Schemas, upcasters: Upcasters): Contract {
  rejectUnknownSchemas(schemas);
  const compile = compilerOf(schemas);
  const definitions = eventTypes.map((type): [string, EventKind] => {
    const typeUpcasters = upcasters[type] ?? {};
    const latest = findLatestVersion(type, schemas, typeUpcasters);
    const validators = versionsUpTo(latest).map((version) =>
      compile(`${type}.v${version}.json`, "data"),
    );
    const schema = schemas[`${type}.v${latest}.json`] ?? {};
    return [
      type,
      {
        type,
        newest: latest,
        check: (version, data) => validators[version - 1]?.(data),
        chain: typeUpcasters,
        shape: shapeOf(schema, resolverOf(schemas)),
        subject: buildSubjectRule(String(schema["x-subject"])),
      },
    ];
  });
  return { checkEnvelope: compile("envelope.json", ""), kinds: new Map(definitions) };
}

const versionsUpTo = (latest: number): readonly number[] =>
  Array.from({ length: latest }, (_, index) => index + 1);

function findLatestVersion(type: string, schemas: Schemas, typeUpcasters: Chain): number {
  const latest = Object.keys(schemas).filter((file) => parseEventType(file) === type).length;
  const missingVersion = versionsUpTo(Math.max(latest, 1)).find(
    (version) => !schemas[`${type}.v${version}.json`],
  );
  if (missingVersion !== undefined)
    throw new Error(`schema/events/${type}.v${missingVersion}.json is missing`);
  const stuckVersion = versionsUpTo(latest - 1).find((version) => !typeUpcasters[version]);
  if (stuckVersion !== undefined)
    throw new Error(`no upcaster converts ${type} from version ${stuckVersion}`);
  return latest;
}

function rejectUnknownSchemas(schemas: Schemas): void {
  const expectedTypes: readonly string[] = [...eventTypes, "definitions"];
  const unknownFile = Object.keys(schemas).find((file) => {
    const type = parseEventType(file);
    return type !== undefined && !expectedTypes.includes(type);
  });
  if (unknownFile) throw new Error(`schema/events/${unknownFile} belongs to no event type`);
}

const parseEventType = (file: string): string | undefined => /^(.+)\.v\d+\.json$/.exec(file)?.[1];

/** The subject that an event must have, computed from its data. */
export interface Subject {
  of(data: unknown): string;
  /** Compares without building the subject. */
  is(text: string, data: unknown): boolean;
}

/** @param template `product/{id}`: the member of the data to insert */
function buildSubjectRule(template: string): Subject {
  const [prefix = "", member] = template.split(/[{}]/);
  if (member === undefined) return { of: () => template, is: (text) => text === template };
  const readId = (data: unknown): string =>
    String((data as Readonly<Record<string, unknown>>)[member]);
  return {
    of: (data) => prefix + readId(data),
    is(text, data) {
      const id = readId(data);
      const hasLength = text.length === prefix.length + id.length;
      return hasLength && text.startsWith(prefix) && text.endsWith(id);
    },
  };
}
