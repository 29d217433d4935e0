import { surfacePaths } from "../paths.ts";
import type { Site } from "../site.ts";
import type { Evidence } from "./evidence.ts";
import {
  aiSdkProgram,
  desktopConfig,
  type Endpoint,
  httpConfig,
  langChainProgram,
  openAiAgentsProgram,
  shellHeader,
  vsCodeConfig,
} from "./snippets.ts";

/** How one client connects to the tools of this service. */
export interface Guide {
  readonly client: string;
  /** Plain text, before the snippet. */
  readonly how: string;
  readonly snippet: Snippet;
  readonly evidence: Evidence;
}

export interface Snippet {
  readonly language: "sh" | "json" | "ts" | "text";
  readonly code: string;
}

/** Lists the clients, with the service's own address filled in. */
export const connectionGuides = (site: Site): readonly Guide[] => {
  const endpoint: Endpoint = {
    url: `${site.baseUrl}${surfacePaths.tools}`,
    needsToken: site.toolsAccess === "token",
  };
  return [
    ...commandLineGuides(endpoint),
    ...assistantGuides(endpoint, `${site.baseUrl}${surfacePaths.research}`),
    ...editorGuides(endpoint),
    ...libraryGuides(endpoint),
  ];
};

const commandLineGuides = (endpoint: Endpoint): readonly Guide[] => [
  commandGuide("Claude Code", "claude", "2.1.332", endpoint),
  commandGuide("Gemini CLI", "gemini", "0.61.0", endpoint),
  {
    client: "curl",
    how: "One request calls a tool.",
    snippet: {
      language: "sh",
      code: `curl -s ${endpoint.url}${shellHeader("-H", endpoint)} -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_products","arguments":{"query":"jacket"}}}'`,
    },
    evidence: { kind: "tested" },
  },
];

/** @param version with which the command was tried */
const commandGuide = (
  client: string,
  program: string,
  version: string,
  endpoint: Endpoint,
): Guide => ({
  client,
  how: "Run this in a terminal.",
  snippet: {
    language: "sh",
    code: `${program} mcp add --transport http shop ${endpoint.url}${shellHeader("--header", endpoint)}`,
  },
  evidence: { kind: "tried", version },
});

const assistantGuides = (endpoint: Endpoint, researchUrl: string): readonly Guide[] => [
  {
    client: "Claude Desktop",
    how: "Put this in claude_desktop_config.json (Settings, Developer, Edit Config). Claude Desktop starts mcp-remote, which needs Node.",
    snippet: { language: "json", code: desktopConfig(endpoint) },
    evidence: {
      kind: "untried",
      reason:
        "Claude Desktop needs an account; the tests of Vitrine run mcp-remote with these arguments",
    },
  },
  {
    client: "Claude.ai",
    how: `${connectorAccess(endpoint)}Settings, Connectors, Add custom connector: enter this URL, which the public internet must reach by HTTPS.`,
    snippet: { language: "text", code: endpoint.url },
    evidence: { kind: "untried", reason: "it needs an account and a public address" },
  },
  {
    client: "ChatGPT",
    how: `${connectorAccess(endpoint)}Settings, Connectors, in developer mode: create a connector with No authentication and the first URL. Deep research takes the second. The public internet must reach both by HTTPS.`,
    snippet: { language: "text", code: `${endpoint.url}\n${researchUrl}` },
    evidence: { kind: "untried", reason: "it needs an account and a public address" },
  },
];

/** The forms of both assistants take no bearer token. */
const connectorAccess = ({ needsToken }: Endpoint): string =>
  needsToken
    ? "It sends no bearer token, so it is refused here until the owner opens the tools (--tools-access open). Then: "
    : "";

const editorGuides = (endpoint: Endpoint): readonly Guide[] => [
  {
    client: "Cursor",
    how: "Put this in .cursor/mcp.json of a project, or in ~/.cursor/mcp.json.",
    snippet: { language: "json", code: httpConfig(endpoint) },
    evidence: { kind: "untried", reason: "it needs a desktop" },
  },
  {
    client: "VS Code",
    how: "Put this in .vscode/mcp.json of a project.",
    snippet: { language: "json", code: vsCodeConfig(endpoint) },
    evidence: { kind: "untried", reason: "it needs a desktop" },
  },
];

const libraryGuides = (endpoint: Endpoint): readonly Guide[] => [
  {
    client: "LangChain",
    how: "npm install @langchain/mcp-adapters @langchain/core",
    snippet: { language: "ts", code: langChainProgram(endpoint) },
    evidence: { kind: "tested" },
  },
  {
    client: "AI SDK",
    how: "npm install ai @ai-sdk/mcp",
    snippet: { language: "ts", code: aiSdkProgram(endpoint) },
    evidence: { kind: "tested" },
  },
  {
    client: "OpenAI Agents",
    how: "npm install @openai/agents",
    snippet: { language: "ts", code: openAiAgentsProgram(endpoint) },
    evidence: { kind: "tested" },
  },
];
