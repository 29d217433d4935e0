import {
  capabilityOf,
  newestUcp,
  type UcpOperation,
  type UcpVersion,
  ucpPath,
  ucpProfilePath,
  ucpVersions,
} from "./version.ts";

const origin = "https://ucp.dev";

/** Builds the profile of a version, from which agents learn where the catalogue is and in which words. */
export const ucpProfile = (
  baseUrl: string,
  version: UcpVersion,
  { hidesPrices }: { readonly hidesPrices: boolean },
): object => {
  const spec = `${origin}/${version}/specification`;
  const toEndpoint = (transport: "rest" | "mcp", schema: string, path: string) => ({
    ...{ version, spec: `${spec}/overview`, transport },
    schema: `${origin}/${version}/services/shopping/${schema}`,
    endpoint: `${baseUrl}${ucpPath(version)}${path}`,
  });
  const others = ucpVersions.filter((each) => each !== newestUcp);
  const services = [
    toEndpoint("rest", "rest.openapi.json", ""),
    toEndpoint("mcp", "mcp.openrpc.json", "/mcp"),
  ];
  const pages = version === newestUcp ? `${spec}/shopping/catalog` : `${spec}/catalog`;
  const capability = (operation: UcpOperation, name: string) => [
    capabilityOf(operation),
    [
      {
        ...{ version, spec: `${pages}/${name}` },
        schema: `${origin}/${version}/schemas/shopping/catalog_${name}.json`,
      },
    ],
  ];
  const capabilities = [capability("search", "search"), capability("lookup", "lookup")];
  return {
    ucp: {
      version,
      ...(version === newestUcp && {
        supported_versions: Object.fromEntries(
          others.map((each) => [each, `${baseUrl}${ucpProfilePath(each)}`]),
        ),
      }),
      services: { "dev.ucp.shopping": services },
      capabilities: hidesPrices ? {} : Object.fromEntries(capabilities),
      payment_handlers: {},
    },
  };
};
