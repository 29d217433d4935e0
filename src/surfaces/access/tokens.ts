import type { AgentDocument } from "../../read-model/schema/documents.ts";
import type { TokenClaims } from "./bearer.ts";

/** Who may call the tools: clients with a token, or any client. */
export type ToolsAccess = "token" | "open";

/** Epoch of a label's tokens while the log has no event of that label. */
export const initialTokenEpoch = 0;

/** Pattern of a label, the same as in events about agents. */
export const labelPattern = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,100}$/u;
export const labelRule = "a text of 1 to 100 characters without control characters";

/**
 * Checks whether a verified token is still valid (Specification §5 rules 5 and 6). A token has no expiry; it becomes
 * invalid when its label is regenerated or revoked.
 * @param agent the read model's document of the token's label
 */
export const isValid = ({ tokenEpoch }: TokenClaims, agent: AgentDocument | undefined): boolean => {
  if (!agent) return true;
  // A later epoch than the read model's comes from an event that is not projected here yet.
  return tokenEpoch > agent.tokenEpoch || (tokenEpoch === agent.tokenEpoch && !agent.revoked);
};

/**
 * Parses the bearer token of an `Authorization` header (RFC 6750 §2.1).
 * @returns undefined when the header has another scheme or none; "" when the token is malformed
 */
export const parseBearer = (authorization: string): string | undefined => {
  const [scheme = "", token = "", ...rest] = authorization.trim().split(/ +/);
  if (scheme.toLowerCase() !== "bearer") return undefined;
  return rest.length === 0 ? token : "";
};

/** Builds the URL of a tool endpoint's resource metadata (RFC 9728, with the endpoint's path as suffix). */
export const resourceMetadataUrl = (endpoint: ToolEndpoint): string =>
  `${endpoint.baseUrl}/.well-known/oauth-protected-resource${endpoint.path}`;

/** An endpoint of tools, which a 401 names. */
export interface ToolEndpoint {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly path: string;
}

/**
 * Builds the `WWW-Authenticate` header of a 401 (Specification §5 rule 8, RFC 6750 §3).
 * @param wasSent whether the request had a token; `error` is included only then
 */
export const wwwAuthenticate = (endpoint: ToolEndpoint, wasSent: boolean): string => {
  const challenge = `Bearer resource_metadata="${resourceMetadataUrl(endpoint)}"`;
  return wasSent ? `${challenge}, error="invalid_token"` : challenge;
};
