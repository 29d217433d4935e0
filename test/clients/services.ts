/** The services that run for the tests of all clients (`run-clients.ts`). */
import { setTimeout as delay } from "node:timers/promises";
import { signToken } from "../../src/surfaces/access/bearer.ts";
import { type Services, servicesVariable } from "./environment.ts";

const readServices = (): Services => {
  const text = process.env[servicesVariable];
  if (text === undefined)
    throw new Error(
      "No services run: start this file with `npm run test:clients -- PART_OF_PATH`.",
    );
  return JSON.parse(text);
};

export const services = readServices();

export const toolsUrl = `${services.url}/agent/mcp`;
export const limitedToolsUrl = `${services.limitedUrl}/agent/mcp`;
export const graphqlUrl = `${services.url}/graphql`;
export const limitedGraphqlUrl = `${services.limitedUrl}/graphql`;

/** Creates a token that both services accept. */
export const tokenFor = (label: string): string =>
  signToken({ label, tokenEpoch: 0 }, services.tokenSecret);

export const bearer = (token: string): { readonly Authorization: string } => ({
  Authorization: `Bearer ${token}`,
});

/** Minimum seconds for which the limit stays exhausted. */
const minSeconds = 20;

/** Uses up the requests of this machine at the limited service. Requests are counted by address, with and without a token. */
export const exhaustLimit = async (): Promise<void> => {
  for (;;) {
    const response = await fetch(`${services.limitedUrl}/llms.txt`);
    await response.arrayBuffer();
    if (response.status !== 429) continue;
    const seconds = Number(response.headers.get("retry-after"));
    if (seconds >= minSeconds) return;
    await delay(seconds * 1000);
  }
};
