import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-info.ts";
import { documentPaths } from "../paths.ts";
import type { Site } from "../site.ts";
import { encodeJson, fillIn, jsonType, type PublishedDocument } from "./document.ts";

type ModeEntry = { readonly "x-registration"?: string };

interface OpenApi {
  readonly paths: Readonly<Record<string, ModeEntry>>;
  readonly components: { readonly schemas: Readonly<Record<string, ModeEntry>> };
}

/**
 * Builds the OpenAPI 3.1 description (Specification §4.4) from `schema/openapi.json`: fills in the deployment's settings, and leaves
 * out the entries of the other registration mode.
 */
export const openApi = (site: Site): PublishedDocument => {
  const source = fillIn(readFileSync(join(packageRoot, "schema", "openapi.json"), "utf8"), site);
  const { paths, components, ...rest }: OpenApi =
    site.toolsAccess === "open" ? JSON.parse(source, withOptionalToken) : JSON.parse(source);
  const selectEntries = (entries: Readonly<Record<string, ModeEntry>>) =>
    Object.fromEntries(
      Object.entries(entries).flatMap(([name, { "x-registration": mode, ...entry }]) =>
        mode === undefined || mode === site.registration ? [[name, entry]] : [],
      ),
    );
  const schemas = selectEntries(components.schemas);
  const document = { ...rest, paths: selectEntries(paths), components: { ...components, schemas } };
  return { path: documentPaths.openApi, type: jsonType, bytes: encodeJson(document) };
};

/** Adds the empty requirement to each `security` that requires a token, so that the token is optional. */
const withOptionalToken = (key: string, value: unknown): unknown =>
  key === "security" && Array.isArray(value) && value.length > 0 ? [{}, ...value] : value;
