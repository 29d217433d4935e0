import type { Logger } from "../../../log.ts";
import type { Reader } from "../../../read-model/reader/reader.ts";
import type { JsonObject } from "../../json.ts";
import { internalError, type UserError } from "../../user-error.ts";
import type { RpcRefusal, SerializedResult } from "../json-rpc.ts";
import { writeText } from "../text-bound.ts";
import { compileArgumentCheck, dropBlankArguments } from "../validate-arguments.ts";
import { flattenSchema, readDefinition, type ToolDefinition } from "./definition.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

export type Tools = ReturnType<typeof createTools>;

interface ToolsDeps {
  readonly baseUrl: string;
  readonly log: Logger;
}

export interface RegisteredTool {
  /** As `tools/list` shows it. */
  readonly definition: ToolDefinition;
  /** Absent for a tool that checks its arguments itself. */
  readonly check?: (args: JsonObject) => UserError | undefined;
  answer(context: ToolContext, args: JsonObject): ToolResult | UserError | RpcRefusal;
}

/**
 * Reads a tool's definition, once per process. The cast is safe, because the schema accepts only the type's arguments.
 */
export const register = <A>(tool: Tool<A>): RegisteredTool => {
  const published = readDefinition(tool.name);
  return {
    definition: {
      ...published,
      inputSchema: flattenSchema(published.inputSchema),
      outputSchema: flattenSchema(published.outputSchema),
    },
    check: compileArgumentCheck(published),
    answer: (context, args) => tool.answer(context, args as A),
  };
};

/** Creates the tools of one endpoint. */
export const createTools = ({ baseUrl, log }: ToolsDeps, all: readonly RegisteredTool[]) => {
  const byName = new Map(all.map((tool) => [tool.definition.name, tool]));
  const answer = (reader: Reader, name: string, given: JsonObject): Called => {
    const tool = byName.get(name);
    if (!tool) throw new Error(`there is no tool ${name}`);
    const args = dropBlankArguments(given);
    const error = tool.check?.(args);
    if (error) return { resultJson: writeCallResult(error) };
    return reader.snapshot((snapshot, madeFrom) => {
      const answered = tool.answer({ snapshot, baseUrl }, args);
      return "error" in answered ? answered : { resultJson: writeCallResult(answered), madeFrom };
    });
  };
  return {
    /** As `tools/list` shows them. */
    definitions: all.map(({ definition }) => definition),
    has: (name: string): boolean => byName.has(name),
    /**
     * Executes one call on one snapshot of the read model. It never throws: a failure becomes a result with `isError`.
     */
    call(reader: Reader, name: string, args: JsonObject): Called {
      try {
        return answer(reader, name, args);
      } catch (err) {
        log.error({ err, tool: name }, "a tool failed");
        return { resultJson: writeCallResult(internalError([])) };
      }
    },
  };
};

type Called = SerializedResult | RpcRefusal;

const writeCallResult = (result: ToolResult | UserError): string => {
  if ("structured" in result) {
    const { text, structured } = result;
    const json = JSON.stringify(structured);
    return writeContent(text === undefined ? JSON.stringify(json) : writeText(text), json);
  }
  const { code, field, message } = result;
  const path = field.length > 0 ? ` (${field.join(".")})` : "";
  const json = JSON.stringify({ code, field, message });
  return writeContent(writeText(`${code}${path}: ${message}`), json, ',"isError":true');
};

/** @param text and `structured` as JSON */
const writeContent = (text: string, structured: string, rest = ""): string =>
  `{"content":[{"type":"text","text":${text}}],"structuredContent":${structured}${rest}}`;
