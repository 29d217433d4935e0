import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../package-info.ts";

/** A JSON Schema whose root is an object, as MCP requires for tools. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, unknown>>;
  readonly [keyword: string]: unknown;
}

/** One tool. Its published schema is frozen: only additions are allowed. `tools/list` shows it flattened. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: Readonly<Record<string, unknown>>;
}

export const readDefinition = (name: string): ToolDefinition =>
  JSON.parse(readFileSync(join(packageRoot, "schema", "tools", `${name}.json`), "utf8"));
