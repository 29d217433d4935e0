import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-info.ts";
import { documentPaths } from "../paths.ts";
import { type DiscoveryOptions, encodeJson, jsonType, type PublishedDocument } from "./document.ts";

type ModeEntry = { readonly "x-registration"?: string };

interface OpenApi {
  readonly paths: Readonly<Record<string, ModeEntry>>;
  readonly components: { readonly schemas: Readonly<Record<string, ModeEntry>> };
}

/**
 * Builds the OpenAPI 3.1 description (Specification §4.4) from `schema/openapi.json`: fills in the base URL, and leaves
 * out the entries of the other registration mode.
 */
export const openApi = ({ baseUrl, registration }: DiscoveryOptions): PublishedDocument => {
  const source = readFileSync(join(packageRoot, "schema", "openapi.json"), "utf8");
  const { paths, components, ...rest }: OpenApi = JSON.parse(
    source.replaceAll("{base_url}", baseUrl),
  );
  const selectEntries = (entries: Readonly<Record<string, ModeEntry>>) =>
    Object.fromEntries(
      Object.entries(entries).flatMap(([name, { "x-registration": mode, ...entry }]) =>
        mode === undefined || mode === registration ? [[name, entry]] : [],
      ),
    );
  const schemas = selectEntries(components.schemas);
  const document = { ...rest, paths: selectEntries(paths), components: { ...components, schemas } };
  return { path: documentPaths.openApi, type: jsonType, bytes: encodeJson(document) };
};
