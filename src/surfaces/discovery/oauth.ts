import { addresses, surfaces } from "../paths.ts";
import { type DiscoveryWorld, json, jsonType, type PublishedDocument } from "./document.ts";

/**
 * Metadata of the protected resources (RFC 9728): one of the tool endpoint, which every 401 names, and one of the
 * origin. `resource` is what the address of each was made from, as its section 3.3 has readers check.
 */
export const protectedResources = ({ baseUrl }: DiscoveryWorld): readonly PublishedDocument[] => {
  const document = (path: string, resource: string, name: string): PublishedDocument => ({
    path,
    type: jsonType,
    bytes: json({
      resource,
      authorization_servers: [baseUrl],
      bearer_methods_supported: ["header"],
      resource_name: name,
      resource_documentation: `${baseUrl}${addresses.authMd}`,
    }),
  });
  return [
    document(addresses.protectedResource, baseUrl, "Read-only store interface for agents"),
    document(addresses.toolResource, `${baseUrl}${surfaces.tools}`, "Read-only store tools (MCP)"),
  ];
};

/**
 * Metadata of an authorization server that has no grants (RFC 8414): no flow is listed that a machine cannot
 * complete, and no endpoint that does not work. Absent lists would stand for defaults that do not hold, so the empty
 * ones are told, against the letter of its section 3.2. Publishing it keeps clients from guessing at endpoints.
 */
export const authorizationServer = (world: DiscoveryWorld): PublishedDocument => ({
  path: addresses.authorizationServer,
  type: jsonType,
  bytes: json({
    issuer: world.baseUrl,
    service_documentation: `${world.baseUrl}${addresses.authMd}`,
    protected_resources: [`${world.baseUrl}${surfaces.tools}`],
    grant_types_supported: [],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: [],
    agent_auth: {
      skill: `${world.baseUrl}${addresses.authMd}`,
      ...(world.registration === "open" ? selfIssued(world) : ownerIssued(world)),
      identity_assertion: { supported: false },
    },
  }),
});

/** The names of auth.md's first versions and of its present one: both are read. */
const selfIssued = ({ baseUrl }: DiscoveryWorld) => ({
  register_uri: `${baseUrl}${surfaces.register}`,
  identity_endpoint: `${baseUrl}${surfaces.register}`,
  identity_types_supported: ["anonymous"],
  anonymous: { supported: true, credential_types_supported: ["api_key"] },
});

const ownerIssued = ({ baseUrl }: DiscoveryWorld) => ({
  identity_types_supported: [],
  anonymous: { supported: true, credential_types_supported: ["none"] },
  service_auth: { supported: "manual", documentation: `${baseUrl}${addresses.authMd}` },
});
