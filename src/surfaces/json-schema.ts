import type { ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { lazy } from "../platform/memo.ts";

/** What does not fit. */
export type SchemaError = ErrorObject;

/** Checks a value. @returns the error of a value that does not fit */
export type CheckValue = (value: unknown) => SchemaError | undefined;

/**
 * Compiles a schema of `schema/` at its first use, because all of them took a tenth of a second of the start of an HTTP process. Ajv
 * does not check the schema against its meta-schema, because the tests do. Errors name the schema that did not fit.
 */
export const compileSchema = (schema: object): CheckValue => {
  const compile = lazy(() => new Ajv2020({ strict: true, ...trusted }).compile(schema));
  return (value) => {
    const validate = compile();
    // Takes the last error, because the errors before it are those of `anyOf` branches.
    return validate(value) ? undefined : (validate.errors?.at(-1) ?? unknownError);
  };
};

const trusted = { meta: false, validateSchema: false, verbose: true } as const;

const unknownError: SchemaError = { keyword: "", instancePath: "", schemaPath: "", params: {} };

/** Splits the path of an error into its steps, with a member that is missing or unknown as the last. */
export const pathOfError = ({ instancePath, params }: SchemaError): readonly string[] => {
  const path = instancePath.split("/").slice(1).map(unescapePointer);
  const member = params.missingProperty ?? params.additionalProperty;
  return typeof member === "string" ? [...path, member] : path;
};

/** Unescapes one step of a JSON Pointer (RFC 6901). */
const unescapePointer = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");
