import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-info.ts";
import { memoize } from "../../platform/memo.ts";
import type { JsonObject } from "../json.ts";
import { documentPaths, surfacePaths } from "../paths.ts";

/** Releases of UCP in whose words the catalogue is answered, the newest first. The address of a request says which. */
export const ucpVersions = ["2026-08-25", "2026-04-08"] as const;
export type UcpVersion = (typeof ucpVersions)[number];

export const newestUcp: UcpVersion = ucpVersions[0];

/** The path below which a version is answered. */
export const ucpPath = (version: UcpVersion): string =>
  version === newestUcp ? surfacePaths.ucp : `${surfacePaths.ucp}/${version}`;

export const ucpProfilePath = (version: UcpVersion): string =>
  version === newestUcp ? documentPaths.ucpProfile : ucpPath(version) + documentPaths.ucpProfile;

export const ucpOperations = ["search", "lookup", "product"] as const;
export type UcpOperation = (typeof ucpOperations)[number];

/** The capability that an operation belongs to. */
export const capabilityOf = (operation: UcpOperation): string =>
  `dev.ucp.shopping.catalog.${operation === "search" ? "search" : "lookup"}`;

/** Reads the parts of `schema/ucp/VERSION.json`: the forms of requests and answers. */
export const readUcpSchemas = memoize(
  (version: UcpVersion): Readonly<Record<string, JsonObject>> => {
    const file = join(packageRoot, "schema", "ucp", `${version}.json`);
    return JSON.parse(readFileSync(file, "utf8")).$defs;
  },
);
