/** Commands, configurations and programs that connect a client, ready to paste. */

/** The address of the tools. */
export interface Target {
  readonly url: string;
  /** Whether a call without a token is refused. */
  readonly needsToken: boolean;
}

/** Stands for the reader's own token. */
export const tokenPlaceholder = "vit_...";

const bearer = `Bearer ${tokenPlaceholder}`;

/** Formats the option of a command that sends the token. */
export const shellHeader = (option: "--header" | "-H", { needsToken }: Target): string =>
  needsToken ? ` ${option} "Authorization: ${bearer}"` : "";

const headers = ({ needsToken }: Target) =>
  needsToken ? { headers: { Authorization: bearer } } : {};

const format = (config: unknown): string => JSON.stringify(config, null, 2);

/** Configures a client that takes a URL and headers. */
export const httpConfig = (target: Target): string =>
  format({ mcpServers: { shop: { url: target.url, ...headers(target) } } });

export const vsCodeConfig = (target: Target): string =>
  format({ servers: { shop: { type: "http", url: target.url, ...headers(target) } } });

/** Configures mcp-remote. It reads the token from a variable, because some systems split an argument at its space. */
export const desktopConfig = ({ url, needsToken }: Target): string => {
  const args = ["-y", "mcp-remote", url, ...(isPlainRemote(url) ? ["--allow-http"] : [])];
  const shop = needsToken
    ? {
        command: "npx",
        args: [...args, "--header", "Authorization:${AUTHORIZATION}"],
        env: { AUTHORIZATION: bearer },
      }
    : { command: "npx", args };
  return format({ mcpServers: { shop } });
};

/** mcp-remote refuses such a URL by default. */
const isPlainRemote = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !["localhost", "127.0.0.1"].includes(hostname);
};

/** Formats the member of an object that holds the headers, at the end of a line. */
const headersMember = ({ needsToken }: Target): string =>
  needsToken ? `, headers: { Authorization: "${bearer}" }` : "";

export const langChainProgram = (target: Target): string =>
  `import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const client = new MultiServerMCPClient({
  mcpServers: {
    shop: { transport: "http", url: "${target.url}"${headersMember(target)} },
  },
});
const tools = await client.getTools(); // for createAgent({ model, tools })
console.log(tools.map(({ name }) => name));
await client.close();`;

export const aiSdkProgram = (target: Target): string =>
  `import { createMCPClient } from "@ai-sdk/mcp";

const client = await createMCPClient({
  transport: { type: "http", url: "${target.url}"${headersMember(target)} },
});
const tools = await client.tools(); // for generateText({ model, tools, prompt })
console.log(Object.keys(tools));
await client.close();`;

export const openAiAgentsProgram = (target: Target): string => {
  const options = target.needsToken
    ? `
  requestInit: { headers: { Authorization: "${bearer}" } },`
    : "";
  return `import { MCPServerStreamableHttp } from "@openai/agents";

const shop = new MCPServerStreamableHttp({
  url: "${target.url}",${options}
});
await shop.connect(); // for new Agent({ name, mcpServers: [shop] })
console.log((await shop.listTools()).map(({ name }) => name));
await shop.close();`;
};
