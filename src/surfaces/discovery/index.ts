import type { Site } from "../site.ts";
import { apiCatalog } from "./api-catalog.ts";
import type { PublishedDocument } from "./document.ts";
import { authorizationServer, protectedResources } from "./oauth.ts";
import { openApi } from "./openapi.ts";
import { aiCatalog, serverCards } from "./server-card.ts";
import { skills } from "./skills.ts";

/** Builds every discovery document; their bytes stay the same for one deployment (Contract §8). */
export const discoveryDocuments = (site: Site): readonly PublishedDocument[] => [
  ...protectedResources(site),
  authorizationServer(site),
  apiCatalog(site),
  ...skills(site),
  ...serverCards(site),
  aiCatalog(site),
  openApi(site),
];
