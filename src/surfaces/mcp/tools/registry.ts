import type { Logger } from "../../../log.ts";
import type { Reader } from "../../../read-model/reader/reader.ts";
import type { JsonObject } from "../../json.ts";
import { internalError, type UserError } from "../../user-error.ts";
import type { SerializedResult } from "../json-rpc.ts";
import { writeText } from "../text-bound.ts";
import { compileArgumentCheck, dropBlankArguments } from "../validate-arguments.ts";
import { flattenSchema, readDefinition, type ToolDefinition } from "./definition.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

export type Tools = ReturnType<typeof createTools>;

interface ToolsDeps {
  readonly baseUrl: string;
  readonly log: Logger;
}

export type RegisteredTool = ReturnType<typeof register>;

/**
 * Reads a tool's definition, once per process. The cast is safe, because the schema accepts only the type's arguments.
 */
export const register = <A>(tool: Tool<A>) => {
  const published = readDefinition(tool.name);
  /** As `tools/list` shows it. */
  const definition: ToolDefinition = {
    ...published,
    inputSchema: flattenSchema(published.inputSchema),
    outputSchema: flattenSchema(published.outputSchema),
  };
  const check = compileArgumentCheck(published);
  const answer = (context: ToolContext, args: JsonObject) => tool.answer(context, args as A);
  return { definition, check, answer };
};

/** Creates the tools of one endpoint. */
export const createTools = ({ baseUrl, log }: ToolsDeps, all: readonly RegisteredTool[]) => {
  const byName = new Map(all.map((tool) => [tool.definition.name, tool]));
  const answer = (reader: Reader, name: string, given: JsonObject): SerializedResult => {
    const tool = byName.get(name);
    if (!tool) throw new Error(`there is no tool ${name}`);
    const args = dropBlankArguments(given);
    const error = tool.check(args);
    if (error) return { resultJson: writeCallResult(error) };
    return reader.snapshot((snapshot, madeFrom) => ({
      resultJson: writeCallResult(tool.answer({ snapshot, baseUrl }, args)),
      madeFrom,
    }));
  };
  return {
    /** As `tools/list` shows them. */
    definitions: all.map(({ definition }) => definition),
    has: (name: string): boolean => byName.has(name),
    /**
     * Executes one call on one snapshot of the read model. It never throws: a failure becomes a result with `isError`.
     */
    call(reader: Reader, name: string, args: JsonObject): SerializedResult {
      try {
        return answer(reader, name, args);
      } catch (err) {
        log.error({ err, tool: name }, "a tool failed");
        return { resultJson: writeCallResult(internalError([])) };
      }
    },
  };
};

const writeCallResult = (result: ToolResult | UserError): string => {
  if ("structured" in result) return writeContent(result.text, result.structured);
  const { code, field, message } = result;
  const path = field.length > 0 ? ` (${field.join(".")})` : "";
  return writeContent(`${code}${path}: ${message}`, { code, field, message }, ',"isError":true');
};

const writeContent = (text: string, structured: object, rest = ""): string =>
  `{"content":[{"type":"text","text":${writeText(text)}}],"structuredContent":${JSON.stringify(structured)}${rest}}`;
