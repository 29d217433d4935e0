import { isObject, type JsonObject } from "../json.ts";
import {
  invalidParams,
  type RpcError,
  type RpcRequest,
  rpcError,
  rpcErrorCodes,
} from "./json-rpc.ts";
import { revisions, statelessRevision } from "./server-info.ts";

/** Checks on requests of the stateless revision (protocol revision 2026-07-28, Streamable HTTP). */

/** Request headers that repeat members of the body; undefined when absent. */
export interface McpHeaders {
  /** `MCP-Protocol-Version` */
  readonly version: string | undefined;
  /** `Mcp-Method` */
  readonly method: string | undefined;
  /** `Mcp-Name` */
  readonly name: string | undefined;
}

const metaVersion = "io.modelcontextprotocol/protocolVersion";
const metaCapabilities = "io.modelcontextprotocol/clientCapabilities";

/** Methods of the stateless revision for a server that has only tools. */
export const statelessMethods: readonly string[] = ["server/discover", "tools/list", "tools/call"];

/** Checks whether a request is of the stateless revision: by its version header, or by a version in `_meta`. */
export const isStateless = ({ version }: McpHeaders, params: JsonObject | undefined): boolean =>
  version === statelessRevision || getMeta(params)[metaVersion] != null;

const getMeta = (params: JsonObject | undefined): JsonObject =>
  isObject(params?._meta) ? params._meta : {};

/** Checks a request of the stateless revision. @returns the error of a 400; undefined when the request is valid */
export const checkStatelessRequest = (
  headers: McpHeaders,
  { method, params }: RpcRequest,
): RpcError | undefined => {
  const meta = getMeta(params);
  const version = meta[metaVersion];
  return (
    checkHeader("MCP-Protocol-Version", headers.version, version) ??
    checkVersion(version) ??
    checkHeader("Mcp-Method", headers.method, method) ??
    (method === "tools/call" ? checkNameHeader(headers.name, params?.name) : undefined) ??
    checkMeta(meta)
  );
};

const checkHeader = (
  header: string,
  sent: string | undefined,
  expected: unknown,
): RpcError | undefined => {
  if (sent === undefined) return headerMismatch(`Header ${header} is missing.`);
  // Skips a member that the body lacks, because the check of the body reports it.
  if (expected == null || sent === expected) return undefined;
  return headerMismatch(`Header mismatch: ${header} differs from the body.`);
};

const checkNameHeader = (sent: string | undefined, expected: unknown): RpcError | undefined => {
  const name = sent === undefined ? undefined : decodeHeader(sent);
  if (name === null) {
    return headerMismatch("Header mismatch: Mcp-Name has an invalid encoding.");
  }
  return checkHeader("Mcp-Name", name, expected);
};

/**
 * Decodes a header's text: plain, or Base64 between the revision's markers.
 * @returns null when the Base64 is invalid
 */
const decodeHeader = (header: string): string | null => {
  const match = /^=\?base64\?(.*)\?=$/.exec(header);
  if (!match) return header;
  const [, encoded = ""] = match;
  const bytes = Buffer.from(encoded, "base64");
  return bytes.toString("base64") === encoded ? bytes.toString("utf8") : null;
};

const checkVersion = (version: unknown): RpcError | undefined =>
  version == null || version === statelessRevision ? undefined : unsupportedVersion(version);

export const unsupportedVersion = (requested: unknown): RpcError =>
  rpcError(rpcErrorCodes.unsupportedVersion, "Unsupported protocol version", {
    supported: revisions,
    requested: String(requested).slice(0, 100),
  }).error;

const checkMeta = (meta: JsonObject): RpcError | undefined => {
  if (typeof meta[metaVersion] !== "string") {
    return invalidParams(`\`_meta\` must contain ${metaVersion}.`).error;
  }
  if (!isObject(meta[metaCapabilities])) {
    return invalidParams(`\`_meta\` must contain ${metaCapabilities}.`).error;
  }
  return undefined;
};

const headerMismatch = (message: string): RpcError =>
  rpcError(rpcErrorCodes.headerMismatch, message).error;
