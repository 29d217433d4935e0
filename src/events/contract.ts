import { lazy } from "../platform/memo.ts";
import { type EventType, eventTypes } from "./event.ts";
import { buildNormalizer, type Normalizer } from "./normalize.ts";
import {
  createCompiler,
  createRefResolver,
  readSchemas,
  type Schemas,
  type Validate,
} from "./schemas.ts";

/** The definition of one event type, read from its schema. */
export interface EventDefinition {
  readonly type: EventType;
  readonly validate: Validate;
  /** Normalizes data that the schema accepted. */
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

/** Returns the contract of this build, compiled once per process. */
export const defaultContract = lazy(() => createContract(readSchemas()));

/**
 * Compiles schemas.
 * @throws when they do not fit the program: an event type without a schema, a schema without an event type
 */
export function createContract(schemas: Schemas): Contract {
  rejectUnknownSchemas(schemas);
  const compile = createCompiler(schemas);
  const definitions = eventTypes.map((type): [string, EventDefinition] => {
    const file = `${type}.v1.json`;
    const schema = schemas[file];
    if (!schema) throw new Error(`schema/events/${file} is missing`);
    const normalize = buildNormalizer(schema, createRefResolver(schemas));
    const buildSubject = createSubjectBuilder(String(schema["x-subject"]));
    return [type, { type, validate: compile(file, "data"), normalize, buildSubject }];
  });
  return { validateEnvelope: compile("envelope.json", ""), definitions: new Map(definitions) };
}

function rejectUnknownSchemas(schemas: Schemas): void {
  const expected = [...eventTypes, "definitions", "goods"].map((name) => `${name}.v1.json`);
  const unknown = Object.keys(schemas).find(
    (file) => /\.v\d+\.json$/.test(file) && !expected.includes(file),
  );
  if (unknown) throw new Error(`schema/events/${unknown} belongs to no event type`);
}

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
