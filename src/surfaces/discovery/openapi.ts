import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-info.ts";
import { addresses } from "../paths.ts";
import { type DiscoveryWorld, json, jsonType, type PublishedDocument } from "./document.ts";

type Marked = { readonly "x-registration"?: string };

interface OpenApi {
  readonly paths: Readonly<Record<string, Marked>>;
  readonly components: { readonly schemas: Readonly<Record<string, Marked>> };
}

/** The OpenAPI 3.1 description (§4.4): `schema/openapi.json` with the address filled in, without what is not here. */
export const openApi = ({ baseUrl, registration }: DiscoveryWorld): PublishedDocument => {
  const source = readFileSync(join(packageRoot, "schema", "openapi.json"), "utf8");
  const { paths, components, ...rest }: OpenApi = JSON.parse(
    source.replaceAll("{base_url}", baseUrl),
  );
  const here = (marked: Readonly<Record<string, Marked>>) =>
    Object.fromEntries(
      Object.entries(marked).flatMap(([name, { "x-registration": mode, ...entry }]) =>
        mode === undefined || mode === registration ? [[name, entry]] : [],
      ),
    );
  const schemas = here(components.schemas);
  const document = { ...rest, paths: here(paths), components: { ...components, schemas } };
  return { path: addresses.openApi, type: jsonType, bytes: json(document) };
};
