import type { Site } from "../site.ts";
import { apiCatalog } from "./api-catalog.ts";
import type { PublishedDocument } from "./document.ts";
import { authorizationServer, protectedResources } from "./oauth.ts";
import { openApi } from "./openapi.ts";
import { aiCatalog, serverCards } from "./server-card.ts";
import { skills } from "./skills.ts";

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
  const derive = (path: string): string => {
    const [root, folder, name, ...rest] = path.split("/");
    return [root, folder, name + pathname, ...rest].join("/");
  };
  return documents.flatMap((each) => [each, { ...each, path: derive(each.path) }]);
};
