import type { ShopDocument } from "../../read-model/schema/documents.ts";
import { autolink, escapeInline } from "../../text/markdown/escape.ts";
import { connectSection } from "../connect/markdown.ts";
import { documentPaths, surfacePaths } from "../paths.ts";
import type { Site } from "../site.ts";

/** @param shop gives the store's name and contact; undefined while the read model has no shop settings */
type WriteAuthMd = (shop: ShopDocument | undefined) => string;

/**
 * Creates the writer of auth.md, which explains to agents how to get access (Specification §5). It accompanies the protected
 * resource metadata.
 */
export const createAuthMd = (site: Site): WriteAuthMd => {
  const rest = [use(site), errors(site), revocation(site), connectSection(site)];
  return (shop) =>
    [
      `# auth.md: access for agents at ${shop ? escapeInline(shop.name) : new URL(site.baseUrl).host}`,
      introduction(site),
      discover(site),
      site.registration === "open" ? selfIssued(site) : ownerIssued(site, shop),
      ...rest,
    ]
      .join("\n\n")
      .concat("\n");
};

const introduction = (site: Site): string =>
  `This service shows a store to agents: products, prices, stock, categories, shipping and policies. Everything in it
is a read. ${site.toolsAccess === "open" ? nothingNeedsAToken(site) : onlyToolsNeedAToken(site)}`;

const onlyToolsNeedAToken = ({ baseUrl }: Site): string =>
  `**Most of it needs no credentials at all**: GraphQL at \`POST ${baseUrl}${surfacePaths.graphql}\`, its schema at
<${baseUrl}${surfacePaths.schema}>, every page as Markdown, <${baseUrl}${surfacePaths.overview}>,
<${baseUrl}${surfacePaths.sitemap}>, the change feed at \`GET ${baseUrl}${surfacePaths.changes}\`, the catalogue in the words of UCP at
\`POST ${baseUrl}${surfacePaths.ucp}/catalog/search\` and \`${surfacePaths.ucpTools}\`, and all discovery documents are
anonymous. Only the tool endpoint (MCP), \`POST ${baseUrl}${surfacePaths.tools}\`, requires a bearer token, and so do its two tools for research connectors at
\`POST ${baseUrl}${surfacePaths.research}\`.`;

const nothingNeedsAToken = ({ baseUrl }: Site): string =>
  `**None of it needs credentials**: GraphQL at \`${baseUrl}${surfacePaths.graphql}\`, the tool endpoint (MCP) at
\`POST ${baseUrl}${surfacePaths.tools}\`, its two tools for research connectors at
\`POST ${baseUrl}${surfacePaths.research}\`, every page as Markdown, <${baseUrl}${surfacePaths.overview}>,
<${baseUrl}${surfacePaths.sitemap}>, the change feed at \`GET ${baseUrl}${surfacePaths.changes}\`, the catalogue in the words of UCP at
\`POST ${baseUrl}${surfacePaths.ucp}/catalog/search\` and \`${surfacePaths.ucpTools}\`, and all discovery documents are
anonymous. Requests are counted by address.`;

const discover = (site: Site): string =>
  site.toolsAccess === "open" ? discoverOpenTools(site) : discoverTokens(site);

const discoverOpenTools = ({ baseUrl }: Site): string =>
  `## 1. Call the tools

\`\`\`sh
curl -s ${baseUrl}${surfacePaths.tools} -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
\`\`\`

An agent may send a token, which names it by a label. A token opens nothing more. A wrong or revoked one is answered with 401,
so send none rather than an old one. <${baseUrl}${documentPaths.toolResource}> (RFC 9728) names the resource. There is no OAuth flow
here. The next sections describe how to get a token.`;

const discoverTokens = ({ baseUrl }: Site): string =>
  `## 1. Discover

A call of ${baseUrl}${surfacePaths.tools} without a token is answered with 401 and

\`\`\`
WWW-Authenticate: Bearer resource_metadata="${baseUrl}${documentPaths.toolResource}"
\`\`\`

That document (RFC 9728, <${baseUrl}${documentPaths.toolResource}>) names the resource, and
<${baseUrl}${documentPaths.authorizationServer}> (RFC 8414) describes the issuer. There is no OAuth flow here: no
authorization endpoint, no token endpoint, no grant, no identity assertion. The next sections describe how to get a token.`;

const selfIssued = ({ baseUrl }: Site): string =>
  `## 2. Pick a method

One method exists: an agent registers itself, with no human step.

## 3. Register

\`\`\`sh
curl -s ${baseUrl}${surfacePaths.register} -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: $(uuidgen)" -d '{"label":"price-watcher"}'
\`\`\`

\`label\` is a name of 1 to 100 characters for your agent. The response is 201:

\`\`\`json
{"token":"vit_...","token_type":"Bearer","label":"price-watcher","expires_at":null,"endpoint":"${baseUrl}${surfacePaths.tools}"}
\`\`\`

\`Idempotency-Key\` is optional. The same key with the same label gives the same token, so a request that timed out can be
repeated; the response has the key in \`Idempotency-Replayed\`. Make a new key for each agent. A key counts for your network alone (an
IPv4 address, or a /64 of IPv6). One that was used with another label in the last 24 hours gets 400.

There is nothing to claim and nothing to exchange: the token works at once.`;

const ownerIssued = ({ baseUrl }: Site, shop: ShopDocument | undefined): string =>
  `## 2. Pick a method

One method exists: the store's owner issues the token by hand. A program cannot register itself.

## 3. Ask the owner

Write to the store${formatContact(shop)} and describe what your agent does and its name. The owner issues a token for
${baseUrl}${surfacePaths.tools} and sends it to you over a channel you both trust.

There is nothing to claim and nothing to exchange: the token works at once.`;

const formatContact = (shop: ShopDocument | undefined): string => {
  const email = shop?.contact?.email;
  const url = shop?.contact?.url;
  const contacts = [email && escapeInline(email), url && /^https?:/i.test(url) && autolink(url)];
  const text = contacts.filter(Boolean).join(" or ");
  return text ? ` (${text})` : "";
};

const use = ({ baseUrl, toolsAccess }: Site): string =>
  `## 4. Use${toolsAccess === "open" ? " a token" : ""}

Send the token in the \`Authorization\` header of every call, never in a URL:

\`\`\`sh
curl -s ${baseUrl}${surfacePaths.tools} -H 'Authorization: Bearer vit_...' -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
\`\`\`

The tools are described in <${baseUrl}${documentPaths.serverCard}> and, as skills, in <${baseUrl}${documentPaths.skills}>;
every URL of the service is in <${baseUrl}${documentPaths.openApi}> and <${baseUrl}${documentPaths.apiCatalog}>. A token that
leaks shows only what the store publishes anyway, but it stands for your agent: keep it to yourself.`;

const errors = ({ registration, toolsAccess }: Site): string =>
  `## 5. Errors

Bodies are \`{"error":{"code":"...","message":"..."}}\`; the code is stable.

| Status | \`error.code\` | What to do |
|---|---|---|
| 401 | \`unauthorized\` | ${
    toolsAccess === "open"
      ? "the token is invalid or revoked: send none, or get a new one"
      : "the token is missing, invalid or revoked: read `resource_metadata`, get a new one"
  } |
| 403 | \`forbidden\` | the store denied access to this agent: stop, and do not retry under another name |
${
  registration === "open"
    ? "| 400 | `bad_request` | the label, the body or the Idempotency-Key cannot be used; the message gives the reason |\n"
    : ""
}| 429 | \`rate_limited\` | wait for the seconds in \`Retry-After\` |
| 503 | \`unavailable\` | the store is loading its catalogue: repeat after \`Retry-After\` seconds |`;

const revocation = ({ registration }: Site): string =>
  `## 6. Revocation

A token has no expiry and no refresh. It works until the owner regenerates or revokes its label; from then on it
gets 401. ${
    registration === "open"
      ? "After a regeneration, register again with the same label. A revoked label gets 403."
      : "Then request another from the owner."
  }`;
