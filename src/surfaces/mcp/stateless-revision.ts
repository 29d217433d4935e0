import { codes, failed, type RpcError } from "./json-rpc.ts";
import { isObject, type Params, type RpcRequest } from "./message.ts";
import { modernRevision, revisions } from "./server-info.ts";

/** The stateless revision: what a request must carry (protocol revision 2026-07-28, Streamable HTTP). */

/** Request headers that repeat the body; undefined where absent. */
export interface McpHeaders {
  /** `MCP-Protocol-Version` */
  readonly version: string | undefined;
  /** `Mcp-Method` */
  readonly method: string | undefined;
  /** `Mcp-Name` */
  readonly name: string | undefined;
}

const envelopeVersion = "io.modelcontextprotocol/protocolVersion";
const envelopeCapabilities = "io.modelcontextprotocol/clientCapabilities";

/** The methods of the revision that a server with nothing but tools has; the others it removed or does not need. */
export const modernMethods: readonly string[] = ["server/discover", "tools/list", "tools/call"];

/** Whether a request is of the stateless era: it carries an envelope, or its header names that revision. */
export const isModern = ({ version }: McpHeaders, params: Params | undefined): boolean =>
  version === modernRevision || metaOf(params)[envelopeVersion] != null;

const metaOf = (params: Params | undefined): Params =>
  isObject(params?._meta) ? params._meta : {};

/** Why a request of the stateless era is refused with 400; undefined when it is in order. */
export const modernProblem = (
  headers: McpHeaders,
  { method, params }: RpcRequest,
): RpcError | undefined => {
  const meta = metaOf(params);
  const version = meta[envelopeVersion];
  return (
    mismatch("MCP-Protocol-Version", headers.version, version) ??
    unsupported(version) ??
    mismatch("Mcp-Method", headers.method, method) ??
    (method === "tools/call" ? nameMismatch(headers.name, params?.name) : undefined) ??
    envelopeProblem(meta)
  );
};

const mismatch = (
  header: string,
  sent: string | undefined,
  told: unknown,
): RpcError | undefined => {
  if (sent === undefined) return refused(codes.headerMismatch, `Header ${header} is missing.`);
  // What the body lacks is told by the check of the body.
  if (told == null || sent === told) return undefined;
  return refused(
    codes.headerMismatch,
    `Header mismatch: ${header} does not say the same as the body.`,
  );
};

const nameMismatch = (sent: string | undefined, told: unknown): RpcError | undefined => {
  const plain = sent === undefined ? undefined : decoded(sent);
  if (plain === null) {
    return refused(codes.headerMismatch, "Header mismatch: Mcp-Name is not well encoded.");
  }
  return mismatch("Mcp-Name", plain, told);
};

/** The text in a header: as it is, or in Base64 between the marks the revision defines; null when that is broken. */
const decoded = (header: string): string | null => {
  const match = /^=\?base64\?(.*)\?=$/.exec(header);
  if (!match) return header;
  const [, encoded = ""] = match;
  const bytes = Buffer.from(encoded, "base64");
  return bytes.toString("base64") === encoded ? bytes.toString("utf8") : null;
};

const unsupported = (version: unknown): RpcError | undefined =>
  version == null || version === modernRevision ? undefined : unsupportedVersion(version);

export const unsupportedVersion = (requested: unknown): RpcError =>
  failed(codes.unsupportedVersion, "Unsupported protocol version", {
    supported: revisions,
    requested: String(requested).slice(0, 100),
  }).error;

const envelopeProblem = (meta: Params): RpcError | undefined => {
  if (typeof meta[envelopeVersion] !== "string") {
    return refused(codes.invalidParams, `\`_meta\` must hold ${envelopeVersion}.`);
  }
  if (!isObject(meta[envelopeCapabilities])) {
    return refused(codes.invalidParams, `\`_meta\` must hold ${envelopeCapabilities}.`);
  }
  return undefined;
};

const refused = (code: number, message: string): RpcError => failed(code, message).error;
