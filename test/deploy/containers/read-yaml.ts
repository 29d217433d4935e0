import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { packageRoot } from "../../../src/package-info.ts";

/**
 * Reads the documents of a YAML file in `deploy/`, with merged keys.
 * @throws when a document has a syntax error or a key twice
 */
export const readYaml = <T>(file: string): readonly T[] =>
  [...parseAllDocuments(readDeployFile(file), { merge: true })].map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS();
  });

export const readDeployFile = (file: string): string =>
  readFileSync(join(packageRoot, "deploy", file), "utf8");
