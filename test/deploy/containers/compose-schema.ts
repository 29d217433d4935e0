import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";

/** The schema of the Compose specification, of which the package dclint has a copy. */
const readSchema = (): object => {
  const path = createRequire(import.meta.url).resolve("dclint/package.json");
  const text = readFileSync(path.replace("package.json", "schemas/compose.schema.json"), "utf8");
  const { $schema: _, ...schema } = JSON.parse(text);
  return schema;
};

const validate = new Ajv({ strict: false, allErrors: true, logger: false }).compile(readSchema());

/** Lists what is wrong with a Compose file: errors of the schema, which allows no unknown field. */
export const findFaults = (document: object): readonly string[] =>
  validate(document) ? [] : (validate.errors ?? []).map((error) => JSON.stringify(error));
