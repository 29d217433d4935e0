import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../../../src/package-info.ts";

const file = pathToFileURL(join(packageRoot, "test", "helpers", "bug.mjs")).href;

/** Settings of a service whose projector fails at the event with the id `bug`, and at product 666. */
export const withBug: Readonly<Record<string, string>> = { NODE_OPTIONS: `--import ${file}` };

const gatewayFile = pathToFileURL(join(packageRoot, "test", "helpers", "gateway-bug.mjs")).href;

/** Settings of a gateway whose translators fail at a product with the title `bug`. */
export const withTranslatorBug: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--import ${gatewayFile}`,
};
