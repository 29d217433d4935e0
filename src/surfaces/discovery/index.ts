import { apiCatalog } from "./api-catalog.ts";
import type { DiscoveryOptions, PublishedDocument } from "./document.ts";
import { authorizationServer, protectedResources } from "./oauth.ts";
import { openApi } from "./openapi.ts";
import { aiCatalog, serverCards } from "./server-card.ts";
import { skills } from "./skills.ts";

/** Builds every discovery document; their bytes stay the same for one deployment (Contract §8). */
export const discoveryDocuments = (options: DiscoveryOptions): readonly PublishedDocument[] => [
  ...protectedResources(options),
  authorizationServer(options),
  apiCatalog(options),
  ...skills(options),
  ...serverCards(options),
  aiCatalog(options),
  openApi(options),
];
