import type { Registration } from "../access/registration.ts";

/** All that documents about the service depend on: they are the same bytes as long as it is deployed so. */
export interface DiscoveryWorld {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Documents tell only the story of tokens that holds here. */
  readonly registration: Registration;
}

/** A document as it is served. */
export interface PublishedDocument {
  readonly path: string;
  /** Media type, with its parameters. */
  readonly type: string;
  readonly bytes: Buffer;
}

export const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
export const jsonType = "application/json; charset=utf-8";
export const markdownType = "text/markdown; charset=utf-8";
