import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type AnySchema, type ValidateFunction } from "ajv/dist/2020.js";
import { packageRoot } from "../../src/package-info.ts";
import type { TestServer } from "../helpers/test-server.ts";

/** The tool endpoint as an agent sees it. */

export const toolNames = [
  "search_products",
  "get_product",
  "list_categories",
  "check_availability",
  "get_shipping_options",
  "get_policies",
  "create_checkout_link",
] as const;
export type ToolName = (typeof toolNames)[number];

/** Result of a tool call. */
export interface CallResult<T = Record<string, unknown>> {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: T;
  readonly isError?: boolean;
}

export interface RpcAnswer<R = Record<string, unknown>> {
  readonly jsonrpc: string;
  readonly id: string | number | null;
  readonly result: R;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Agent {
  /** Sends a request of any method with any body: a string as it is, anything else as JSON. */
  send(body: unknown, headers?: Record<string, string>, method?: string): Promise<Response>;
  /** Sends one JSON-RPC request. */
  rpc<R = Record<string, unknown>>(
    method: string,
    params?: unknown,
    headers?: Record<string, string>,
  ): Promise<RpcAnswer<R>>;
  /** Calls a tool, and fails unless the result matches the tool's output schema. */
  call<T = Record<string, unknown>>(name: ToolName, args?: object): Promise<CallResult<T>>;
}

/** Registers like any agent, and calls with the token. */
export const agentOf = async ({ request }: Pick<TestServer, "request">): Promise<Agent> => {
  const token = await register(request);
  const send: Agent["send"] = (body, headers = {}, method = "POST") =>
    request("/agent/mcp", {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  const rpc: Agent["rpc"] = async <R>(method: string, params?: unknown, headers = {}) => {
    const response = await send({ jsonrpc: "2.0", id: 1, method, params }, headers);
    return (await response.json()) as RpcAnswer<R>;
  };
  return {
    send,
    rpc,
    async call<T>(name: ToolName, args?: object) {
      const { result } = await rpc<CallResult<T>>("tools/call", { name, arguments: args });
      mustConform(name, result);
      return result;
    },
  };
};

export const register = async (request: TestServer["request"]): Promise<string> => {
  const response = await request("/v1/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ label: "test agent" }),
  });
  const { token } = (await response.json()) as { token: string };
  return token;
};

/** The published definition of a tool. */
export const publishedTool = (name: ToolName) =>
  JSON.parse(readFileSync(join(packageRoot, "schema", "tools", `${name}.json`), "utf8"));

const validators = new Map<ToolName, ValidateFunction>();

/** Fails unless the structured content matches the published output schema. */
export const mustConform = (name: ToolName, { structuredContent }: CallResult<unknown>): void => {
  const cached = validators.get(name);
  const schema = publishedTool(name).outputSchema as AnySchema;
  const validate =
    cached ??
    new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);
  validators.set(name, validate);
  if (validate(structuredContent)) return;
  throw new Error(
    `${name} returned what its schema does not allow: ${JSON.stringify(validate.errors)}\n${JSON.stringify(structuredContent)}`,
  );
};
