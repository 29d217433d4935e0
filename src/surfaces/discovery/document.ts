import type { RegistrationMode } from "../access/registration.ts";

/** Settings that discovery documents depend on; their bytes stay the same for one deployment. */
export interface DiscoveryOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Selects the way to get a token that the documents describe. */
  readonly registration: RegistrationMode;
}

/** A discovery document with its path and response body. */
export interface PublishedDocument {
  readonly path: string;
  /** Media type with its parameters. */
  readonly type: string;
  readonly bytes: Buffer;
}

export const encodeJson = (value: unknown): Buffer =>
  Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
export const jsonType = "application/json; charset=utf-8";
export const markdownType = "text/markdown; charset=utf-8";
