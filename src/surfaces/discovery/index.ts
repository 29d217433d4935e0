import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-info.ts";
import { documentPaths } from "../paths.ts";
import type { Site } from "../site.ts";
import { apiCatalog } from "./api-catalog.ts";
import {
  encodeJson,
  fillIn,
  jsonType,
  markdownType,
  type PublishedDocument,
  skillPath,
} from "./document.ts";
import { authorizationServer, protectedResources } from "./oauth.ts";
import { aiCatalog, serverCards } from "./server-card.ts";

/** Builds every discovery document; their bytes stay the same for one deployment (Contract §8). */
export const discoveryDocuments = (site: Site): readonly PublishedDocument[] => [
  ...atDerivedPaths(site, [...protectedResources(site), authorizationServer(site)]),
  apiCatalog(site),
  ...skills(site),
  ...serverCards(site),
  aiCatalog(site),
  openApi(site),
];

/**
 * Publishes OAuth metadata of a base URL with a path also where clients derive its address: with that path after the name of the
 * metadata (RFC 8414 §3.1, RFC 9728 §3.1).
 */
const atDerivedPaths = (
  { baseUrl }: Site,
  documents: readonly PublishedDocument[],
): readonly PublishedDocument[] => {
  const { pathname } = new URL(baseUrl);
  if (pathname === "/") return documents;
  // Escapes the signs of patterns, because the router reads the path as one.
  const suffix = pathname.replace(/[+:[\]]/g, "\\$&");
  const derive = (path: string): string => {
    const [root, folder, name, ...rest] = path.split("/");
    return [root, folder, name + suffix, ...rest].join("/");
  };
  return documents.flatMap((each) => [each, { ...each, path: derive(each.path) }]);
};

const folder = join(packageRoot, "schema", "skills");

/**
 * Reads each SKILL.md and builds their index (agent skills discovery 0.2.0). The index has the digests of the served
 * bytes.
 */
const skills = (site: Site): readonly PublishedDocument[] => {
  const documents = readdirSync(folder)
    .sort()
    .map((name) => readSkill(name, site));
  const index = {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: documents.map(({ path, bytes }) => ({
      ...parseFrontMatter(bytes.toString()),
      type: "skill-md",
      url: `${site.baseUrl}${path}`,
      digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    })),
  };
  return [{ path: documentPaths.skills, type: jsonType, bytes: encodeJson(index) }, ...documents];
};

const readSkill = (name: string, site: Site): PublishedDocument => {
  const text = readFileSync(join(folder, name, "SKILL.md"), "utf8");
  return {
    path: skillPath(name),
    type: markdownType,
    bytes: Buffer.from(fillIn(text, site)),
  };
};

/** Parses name and description of a SKILL.md. Each must be on one line, as in `schema/skills`. */
const parseFrontMatter = (text: string) => {
  const member = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(text)?.[1] ?? "";
  return { name: member("name"), description: member("description") };
};

type ModeEntry = { readonly "x-registration"?: string };

interface OpenApi {
  readonly paths: Readonly<Record<string, ModeEntry>>;
  readonly components: { readonly schemas: Readonly<Record<string, ModeEntry>> };
}

/**
 * Builds the OpenAPI 3.1 description (Specification §4.4) from `schema/openapi.json`: fills in the deployment's settings, and leaves
 * out the entries of the other registration mode.
 */
const openApi = (site: Site): PublishedDocument => {
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
