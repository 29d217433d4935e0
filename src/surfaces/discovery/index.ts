import { apiCatalog } from "./api-catalog.ts";
import type { DiscoveryWorld, PublishedDocument } from "./document.ts";
import { authorizationServer, protectedResources } from "./oauth.ts";
import { openApi } from "./openapi.ts";
import { aiCatalog, serverCards } from "./server-card.ts";
import { skills } from "./skills.ts";

/** Every document about the service that is the same bytes as long as it is deployed so (contract section 8). */
export const discoveryDocuments = (world: DiscoveryWorld): readonly PublishedDocument[] => [
  ...protectedResources(world),
  authorizationServer(world),
  apiCatalog(world),
  ...skills(world),
  ...serverCards(world),
  aiCatalog(world),
  openApi(world),
];
