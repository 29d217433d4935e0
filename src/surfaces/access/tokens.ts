import type { AgentDocument } from "../../read-model/schema/documents.ts";
import type { TokenFacts } from "./bearer.ts";

/** Generation of the tokens of a label that no event was told about. */
export const firstGeneration = 0;

/** What an agent may be called, as the events that name it have it. */
export const labelPattern = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,100}$/u;
export const labelRule = "a text of 1 to 100 characters without control characters";

/**
 * Whether a token that we made may still be used (§5 rules 5 and 6): it never expires, and dies when its label is
 * regenerated or revoked.
 * @param agent what the model knows of the token's label
 */
export const isAlive = ({ generation }: TokenFacts, agent: AgentDocument | undefined): boolean => {
  if (!agent) return true;
  // A later generation than the model knows comes from an event that has not arrived here yet.
  return generation > agent.generation || (generation === agent.generation && !agent.revoked);
};

/** The bearer token of an `Authorization` header (RFC 6750 section 2.1); undefined for another scheme or none. */
export const bearerOf = (authorization: string): string | undefined => {
  const [scheme = "", token = "", ...rest] = authorization.trim().split(/ +/);
  if (scheme.toLowerCase() !== "bearer") return undefined;
  return rest.length === 0 ? token : "";
};

/** Where the metadata of the token-protected endpoint is (RFC 9728, its path as a suffix). */
export const resourceMetadataOf = (baseUrl: string): string =>
  `${baseUrl}/.well-known/oauth-protected-resource/agent/mcp`;

/**
 * The `WWW-Authenticate` of a 401 (§5 rule 8, RFC 6750 section 3).
 * @param wasSent whether the request held a token; only then is there an error to tell
 */
export const challengeOf = (baseUrl: string, wasSent: boolean): string => {
  const where = `Bearer resource_metadata="${resourceMetadataOf(baseUrl)}"`;
  return wasSent ? `${where}, error="invalid_token"` : where;
};
