/** Commands, configurations and programs that connect a client, ready to paste. */

export interface Endpoint {
  readonly url: string;
  /** Whether a call without a token is refused. */
  readonly needsToken: boolean;
}

/** Stands for the reader's own token. */
export const tokenPlaceholder = "vit_...";

const bearer = `Bearer ${tokenPlaceholder}`;

/** Formats the option of a command that sends the token. */
export const shellHeader = (option: "--header" | "-H", { needsToken }: Endpoint): string =>
  needsToken ? ` ${option} "Authorization: ${bearer}"` : "";

const headers = ({ needsToken }: Endpoint) =>
  needsToken ? { headers: { Authorization: bearer } } : {};

const format = (config: unknown): string => JSON.stringify(config, null, 2);

/** Configures a client that takes a URL and headers. */
export const httpConfig = (endpoint: Endpoint): string =>
  format({ mcpServers: { shop: { url: endpoint.url, ...headers(endpoint) } } });

export const vsCodeConfig = (endpoint: Endpoint): string =>
  format({ servers: { shop: { type: "http", url: endpoint.url, ...headers(endpoint) } } });

/** Configures mcp-remote. It reads the token from a variable, because some systems split an argument at its space. */
export const desktopConfig = ({ url, needsToken }: Endpoint): string => {
  const args = ["-y", "mcp-remote", url];
  const shop = needsToken
    ? {
        command: "npx",
        args: [...args, "--header", "Authorization:${AUTHORIZATION}"],
        env: { AUTHORIZATION: bearer },
      }
    : { command: "npx", args };
  return format({ mcpServers: { shop } });
};

/** Formats the member of an object that holds the headers, at the end of a line. */
const headersMember = ({ needsToken }: Endpoint): string =>
  needsToken ? `, headers: { Authorization: "${bearer}" }` : "";

export const langChainProgram = (endpoint: Endpoint): string =>
  `import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const client = new MultiServerMCPClient({
  mcpServers: {
    shop: { transport: "http", url: "${endpoint.url}"${headersMember(endpoint)} },
  },
});
const tools = await client.getTools(); // for createAgent({ model, tools })
console.log(tools.map(({ name }) => name));
await client.close();`;

export const aiSdkProgram = (endpoint: Endpoint): string =>
  `import { createMCPClient } from "@ai-sdk/mcp";

const client = await createMCPClient({
  transport: { type: "http", url: "${endpoint.url}"${headersMember(endpoint)} },
});
const tools = await client.tools(); // for generateText({ model, tools, prompt })
console.log(Object.keys(tools));
await client.close();`;

export const openAiAgentsProgram = (endpoint: Endpoint): string => {
  const options = endpoint.needsToken
    ? `
  requestInit: { headers: { Authorization: "${bearer}" } },`
    : "";
  return `import { MCPServerStreamableHttp } from "@openai/agents";

const shop = new MCPServerStreamableHttp({
  url: "${endpoint.url}",${options}
});
await shop.connect(); // for new Agent({ name, mcpServers: [shop] })
console.log((await shop.listTools()).map(({ name }) => name));
await shop.close();`;
};
