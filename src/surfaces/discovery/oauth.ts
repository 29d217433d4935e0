import { documentPaths, surfacePaths } from "../paths.ts";
import type { Site } from "../site.ts";
import { encodeJson, jsonType, type PublishedDocument } from "./document.ts";

/**
 * Builds the metadata of the protected resources (RFC 9728): of the origin, and of each endpoint of tools, which every 401
 * names. `resource` is the URL that the metadata's own URL is derived from, because clients check it (RFC 9728 §3.3). Where the
 * tools are open no authorization server is named, so that no client begins a flow.
 */
export const protectedResources = ({ baseUrl, toolsAccess }: Site) => {
  const document = (path: string, target: string, name: string): PublishedDocument => ({
    path,
    type: jsonType,
    bytes: encodeJson({
      resource: `${baseUrl}${target}`,
      ...(toolsAccess === "token" && { authorization_servers: [baseUrl] }),
      bearer_methods_supported: ["header"],
      resource_name: name,
      resource_documentation: `${baseUrl}${documentPaths.authMd}`,
    }),
  });
  const { protectedResource, toolResource, researchResource } = documentPaths;
  return [
    document(protectedResource, "", "Read-only store interface for agents"),
    document(toolResource, surfacePaths.tools, "Read-only store tools (MCP)"),
    document(researchResource, surfacePaths.research, "Read-only research tools (MCP)"),
  ];
};

/**
 * Builds the metadata of an authorization server without grants (RFC 8414). It lists no flow that a machine cannot
 * complete and no endpoint that does not work. Empty lists are included although RFC 8414 §3.2 forbids them, because
 * an absent list means a default that is not supported here. The document is published so that clients do not guess
 * endpoints.
 */
export const authorizationServer = (site: Site): PublishedDocument => ({
  path: documentPaths.authorizationServer,
  type: jsonType,
  bytes: encodeJson({
    issuer: site.baseUrl,
    service_documentation: `${site.baseUrl}${documentPaths.authMd}`,
    protected_resources:
      site.toolsAccess === "open"
        ? []
        : [surfacePaths.tools, surfacePaths.research].map((path) => `${site.baseUrl}${path}`),
    grant_types_supported: [],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: [],
    agent_auth: {
      skill: `${site.baseUrl}${documentPaths.authMd}`,
      ...(site.registration === "open" ? selfIssued(site) : ownerIssued(site)),
      ...(site.toolsAccess === "open" && anonymous(site)),
      identity_assertion: { supported: false },
    },
  }),
});

/** Includes the member names of auth.md's first versions and of the current one, because clients read either. */
const selfIssued = ({ baseUrl }: Site) => ({
  register_uri: `${baseUrl}${surfacePaths.register}`,
  identity_endpoint: `${baseUrl}${surfacePaths.register}`,
  identity_types_supported: ["anonymous"],
  anonymous: { supported: true, credential_types_supported: ["api_key"] },
});

/** Describes open tools: no credential is needed, and a token may be sent. */
const anonymous = ({ registration }: Site) => ({
  identity_types_supported: ["anonymous"],
  anonymous: {
    supported: true,
    credential_types_supported: registration === "open" ? ["none", "api_key"] : ["none"],
  },
});

const ownerIssued = ({ baseUrl }: Site) => ({
  identity_types_supported: [],
  anonymous: { supported: true, credential_types_supported: ["none"] },
  service_auth: { supported: "manual", documentation: `${baseUrl}${documentPaths.authMd}` },
});
