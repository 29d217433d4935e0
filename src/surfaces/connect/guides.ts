import { surfacePaths } from "../paths.ts";
import type { Site } from "../site.ts";
import {
  aiSdkProgram,
  desktopConfig,
  httpConfig,
  langChainProgram,
  openAiAgentsProgram,
  shellHeader,
  type Target,
  vsCodeConfig,
} from "./snippets.ts";

/** How one client connects to the tools of this service. */
export interface Guide {
  readonly client: string;
  /** Plain text, before the snippet. */
  readonly how: string;
  readonly snippet: Snippet;
  /** Who runs the snippet, as a sentence. */
  readonly evidence: string;
}

interface Snippet {
  readonly language: "sh" | "json" | "ts" | "text";
  readonly code: string;
}

const tested = "The tests of Vitrine run this.";
const triedWith = (version: string): string => `Tried by hand with version ${version}.`;
/** @param reason why: the client needs an account or a desktop */
const untried = (reason: string): string => `Not tried: ${reason}.`;

/** Lists the clients, with the service's own address filled in. */
export const connectionGuides = (site: Site): readonly Guide[] => {
  const target: Target = {
    url: `${site.baseUrl}${surfacePaths.tools}`,
    needsToken: site.toolsAccess === "token",
  };
  return [
    ...commandLineGuides(target),
    ...assistantGuides(target, `${site.baseUrl}${surfacePaths.research}`),
    ...editorGuides(target),
    ...libraryGuides(target),
  ];
};

const commandLineGuides = (target: Target): readonly Guide[] => [
  commandGuide("Claude Code", "claude", "2.1.332", target),
  commandGuide("Gemini CLI", "gemini", "0.61.0", target),
  {
    client: "curl",
    how: "One request calls a tool.",
    snippet: {
      language: "sh",
      code: `curl -s ${target.url}${shellHeader("-H", target)} -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_products","arguments":{"query":"jacket"}}}'`,
    },
    evidence: tested,
  },
];

/** @param version with which the command was tried */
const commandGuide = (client: string, program: string, version: string, target: Target): Guide => ({
  client,
  how: "Run this in a terminal.",
  snippet: {
    language: "sh",
    code: `${program} mcp add --transport http shop ${target.url}${shellHeader("--header", target)}`,
  },
  evidence: triedWith(version),
});

const assistantGuides = (target: Target, researchUrl: string): readonly Guide[] => [
  {
    client: "Claude Desktop",
    how: "Put this in claude_desktop_config.json (Settings, Developer, Edit Config). Claude Desktop starts mcp-remote, which needs Node.",
    snippet: { language: "json", code: desktopConfig(target) },
    evidence: untried(
      "Claude Desktop needs an account; the tests of Vitrine run mcp-remote with these arguments",
    ),
  },
  {
    client: "Claude.ai",
    how: `${connectorAccess(target)}Settings, Connectors, Add custom connector: enter this URL, which the public internet must reach by HTTPS.`,
    snippet: { language: "text", code: target.url },
    evidence: untried("it needs an account and a public address"),
  },
  {
    client: "ChatGPT",
    how: `${connectorAccess(target)}Settings, Connectors, in developer mode: create a connector with No authentication and the first URL. Deep research takes the second. The public internet must reach both by HTTPS.`,
    snippet: { language: "text", code: `${target.url}\n${researchUrl}` },
    evidence: untried("it needs an account and a public address"),
  },
];

/** The forms of both assistants take no bearer token. */
const connectorAccess = ({ needsToken }: Target): string =>
  needsToken
    ? "This connector sends no bearer token, so the service refuses it until the owner opens the tools (--tools-access open). Then: "
    : "";

const editorGuides = (target: Target): readonly Guide[] => [
  {
    client: "Cursor",
    how: "Put this in .cursor/mcp.json of a project, or in ~/.cursor/mcp.json.",
    snippet: { language: "json", code: httpConfig(target) },
    evidence: untried("it needs a desktop"),
  },
  {
    client: "VS Code",
    how: "Put this in .vscode/mcp.json of a project.",
    snippet: { language: "json", code: vsCodeConfig(target) },
    evidence: untried("it needs a desktop"),
  },
];

const libraryGuides = (target: Target): readonly Guide[] => [
  {
    client: "LangChain",
    how: "npm install @langchain/mcp-adapters @langchain/core",
    snippet: { language: "ts", code: langChainProgram(target) },
    evidence: tested,
  },
  {
    client: "AI SDK",
    how: "npm install ai @ai-sdk/mcp",
    snippet: { language: "ts", code: aiSdkProgram(target) },
    evidence: tested,
  },
  {
    client: "OpenAI Agents",
    how: "npm install @openai/agents",
    snippet: { language: "ts", code: openAiAgentsProgram(target) },
    evidence: tested,
  },
];
