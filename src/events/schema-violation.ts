import type { ErrorObject } from "ajv/dist/2020.js";
import { quoteForMessage } from "./rejection.ts";

/** A JSON Schema with this project's keywords. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** The expected value in words. */
  readonly "x-must-be"?: string;
}

export interface SchemaViolation {
  readonly field: string | null;
  readonly reason: string;
}

/**
 * Selects one violation of a validator's errors: the deepest, because among several alternatives the intended one
 * validates furthest.
 * @param prefix path of the validated value: `data`, or empty for the envelope
 */
export function firstViolation(
  errors: readonly ErrorObject[],
  prefix: string,
  resolve: (schema: Schema) => Schema,
): SchemaViolation {
  const deepest = Math.max(...errors.map(computeDepth));
  const candidates = errors.filter((error) => computeDepth(error) === deepest);
  const error = candidates.findLast((each) => readExpectation(each, resolve)) ?? candidates[0];
  if (error === undefined) return { field: prefix || null, reason: "it breaks its schema" };
  const field = toFieldPath(error, prefix);
  const expected = readExpectation(error, resolve) ?? "as its schema says";
  const name = field ?? "the event";
  if (error.keyword === "required")
    return { field, reason: `${name} is missing: it must be ${expected}` };
  if (error.keyword === "additionalProperties") {
    const extra = [field, error.params.additionalProperty].filter(Boolean).join(".");
    return { field: extra, reason: `${extra} is no member: remove it, or correct its name` };
  }
  return { field, reason: `${name} must be ${expected}, not ${quoteForMessage(error.data)}` };
}

const getMissingMember = (error: ErrorObject): string | undefined =>
  error.keyword === "required" ? String(error.params.missingProperty) : undefined;

/** A wrong member identifies the intended alternative better than a missing one. */
const computeDepth = (error: ErrorObject): number =>
  error.instancePath.split("/").length + (getMissingMember(error) === undefined ? 0 : 0.5);

function readExpectation(
  error: ErrorObject,
  resolve: (schema: Schema) => Schema,
): string | undefined {
  const schema = error.parentSchema as Schema;
  const member = getMissingMember(error);
  if (member === undefined) return schema["x-must-be"];
  const property = schema.properties?.[member];
  return property && resolve(property)["x-must-be"];
}

/** Converts a JSON pointer: `/price/amount` → `data.price.amount`, `/images/0/url` → `data.images[0].url`. */
function toFieldPath(error: ErrorObject, prefix: string): string | null {
  const steps = error.instancePath.split("/").slice(1);
  const member = getMissingMember(error);
  const path = (member === undefined ? steps : [...steps, member]).reduce(
    (before, step) => (/^\d+$/.test(step) ? `${before}[${step}]` : `${before}.${step}`),
    prefix,
  );
  return path.replace(/^\./, "") || null;
}
