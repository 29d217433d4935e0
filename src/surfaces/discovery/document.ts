import type { Site } from "../site.ts";

/** A discovery document with its path and response body. */
export interface PublishedDocument {
  readonly path: string;
  /** Media type with its parameters. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Builds the path of an agent skill, a folder of `schema/skills`. */
export const skillPath = (name: string): string => `/.well-known/agent-skills/${name}/SKILL.md`;

/**
 * Fills the settings of a deployment into a text of `schema/`: the base URL for `{base_url}`. Of `{token|…}` and `{open|…}` it keeps
 * the text of the mode in which the tools are accessed.
 */
export const fillIn = (text: string, { baseUrl, toolsAccess }: Site): string =>
  text
    .replaceAll("{base_url}", baseUrl)
    .replace(/\{(token|open)\|([^{}]*)\}/g, (_, mode, content) =>
      mode === toolsAccess ? content : "",
    );

export const encodeJson = (value: unknown): Buffer =>
  Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
export const jsonType = "application/json; charset=utf-8";
export const markdownType = "text/markdown; charset=utf-8";
