import { type EventType, eventTypes } from "./event.ts";
import { buildNormalizer, type Normalizer } from "./normalize.ts";
import type { SchemaViolation } from "./schema-violation.ts";
import {
  createCompiler,
  createRefResolver,
  readSchemas,
  type Schemas,
  type Validate,
} from "./schemas.ts";
import { type UpcasterChain, type Upcasters, upcasters } from "./upcast.ts";

/** The definition of one event type, read from its schemas. */
export interface EventDefinition {
  readonly type: EventType;
  /** Latest schema version; the first is 1. */
  readonly latestVersion: number;
  /**
   * Validates data by the schema of a version.
   * @returns undefined when the data is valid
   */
  validate(version: number, data: unknown): SchemaViolation | undefined;
  readonly upcasters: UpcasterChain;
  /** Normalizes data that the latest schema accepted. */
  readonly normalize: Normalizer;
  /** Builds the subject by the schema's `x-subject`: `product/{id}` contains the id of the data. */
  buildSubject(data: unknown): string;
}

/** The compiled schemas of `schema/events`. */
export interface Contract {
  /**
   * Validates the attributes of an event (Contract §2).
   * @returns undefined when they are valid
   */
  readonly validateEnvelope: Validate;
  readonly definitions: ReadonlyMap<string, EventDefinition>;
}

let contract: Contract | undefined;

/** Returns the contract of this build, compiled once per process. */
export function defaultContract(): Contract {
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
  const compile = createCompiler(schemas);
  const definitions = eventTypes.map((type): [string, EventDefinition] => {
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
        latestVersion: latest,
        validate: (version, data) => validators[version - 1]?.(data),
        upcasters: typeUpcasters,
        normalize: buildNormalizer(schema, createRefResolver(schemas)),
        buildSubject: createSubjectBuilder(String(schema["x-subject"])),
      },
    ];
  });
  return { validateEnvelope: compile("envelope.json", ""), definitions: new Map(definitions) };
}

const versionsUpTo = (latest: number): readonly number[] =>
  Array.from({ length: latest }, (_, index) => index + 1);

function findLatestVersion(type: string, schemas: Schemas, typeUpcasters: UpcasterChain): number {
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
  const expectedTypes: readonly string[] = [...eventTypes, "definitions", "goods"];
  const unknownFile = Object.keys(schemas).find((file) => {
    const type = parseEventType(file);
    return type !== undefined && !expectedTypes.includes(type);
  });
  if (unknownFile) throw new Error(`schema/events/${unknownFile} belongs to no event type`);
}

const parseEventType = (file: string): string | undefined => /^(.+)\.v\d+\.json$/.exec(file)?.[1];

/**
 * Creates a function that builds the subject of an event from its data.
 * @param template `product/{id}`: members of the data to insert; a part in brackets, as in `price/{productId}[/{variantId}]`, is
 * left out without its member
 */
function createSubjectBuilder(template: string): (data: unknown) => string {
  const parts = [...template.matchAll(/\[?([^{[\]]*)\{(\w+)\}\]?/g)].map(
    ([, prefix = "", member = ""]) => ({ prefix, member }),
  );
  if (parts.length === 0) return () => template;
  return (data) => {
    const members = data as Readonly<Record<string, unknown>>;
    let subject = "";
    for (const { prefix, member } of parts) {
      if (members[member] !== undefined) subject += `${prefix}${members[member]}`;
    }
    return subject;
  };
}
