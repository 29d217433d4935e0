/** Contract 8: how each client connects, in auth.md, on the home page, and in the MCP registry. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import type { ToolsAccess } from "../../src/surfaces/access/tokens.ts";
import { connectionGuides } from "../../src/surfaces/connect/guides.ts";
import { baseUrl, openTestServer, type TestServer } from "../helpers/test-server.ts";

const accesses = ["token", "open"] as const satisfies readonly ToolsAccess[];
const test = suite<Record<ToolsAccess, TestServer>>("Contract 8: connecting a client");

test.before(async (context) => {
  for (const toolsAccess of accesses) context[toolsAccess] = await openTestServer({ toolsAccess });
});
test.after(async (context) => {
  for (const toolsAccess of accesses) await context[toolsAccess].close();
});

const clients = [
  "Claude Code",
  "Gemini CLI",
  "curl",
  "Claude Desktop",
  "Claude.ai",
  "ChatGPT",
  "Cursor",
  "VS Code",
  "LangChain",
  "AI SDK",
  "OpenAI Agents",
];

const guidesFor = (toolsAccess: ToolsAccess, url = baseUrl) =>
  connectionGuides({ baseUrl: url, registration: "open", toolsAccess });

test("§8: every client has a guide with the address of the tools", () => {
  for (const toolsAccess of accesses) {
    const guides = guidesFor(toolsAccess);
    assert.equal(
      guides.map(({ client }) => client),
      clients,
    );
    for (const { client, snippet } of guides)
      assert.match(snippet.code, `${baseUrl}/agent/mcp`, client);
  }
});

test("§8: the guides name a token where the tools need one, and none where they are open", () => {
  const namesToken = (toolsAccess: ToolsAccess) =>
    guidesFor(toolsAccess)
      .filter(({ snippet }) => snippet.code.includes("Bearer vit_..."))
      .map(({ client }) => client);
  const connectors = ["Claude.ai", "ChatGPT"];
  assert.equal(
    namesToken("token"),
    clients.filter((client) => !connectors.includes(client)),
  );
  assert.equal(namesToken("open"), []);
});

for (const toolsAccess of accesses) {
  test(`§8: auth.md and the home page have every guide, tools ${toolsAccess}`, async (context) => {
    const service = context[toolsAccess];
    const authMd = await (await service.get("/auth.md")).text();
    const home = decodeHtml(await (await service.get("/", { accept: "text/html" })).text());
    for (const { client, how, snippet } of guidesFor(toolsAccess)) {
      assert.match(
        authMd,
        `### ${client}\n\n${how}\n\n\`\`\`${snippet.language}\n${snippet.code}\n`,
      );
      assert.match(home, `<summary>${client}</summary>\n<p>${how}</p>`);
      assert.match(home, `<pre tabindex="0"><code>${snippet.code}</code></pre>`);
    }
  });
}

interface RegistryEntry {
  readonly remotes: readonly {
    readonly url: string;
    readonly headers?: readonly { readonly name: string }[];
  }[];
}

const decodeHtml = (html: string): string =>
  html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

test("§8: server.json is valid by the schema of the MCP registry", async (context) => {
  const path = join(packageRoot, "test", "fixtures", "mcp-server.schema.json");
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile<RegistryEntry>(JSON.parse(readFileSync(path, "utf8")));
  for (const toolsAccess of accesses)
    for (const endpoint of ["/agent/mcp", "/agent/mcp/research"]) {
      const entry: RegistryEntry = JSON.parse(
        await (await context[toolsAccess].get(`${endpoint}/server.json`)).text(),
      );
      assert.ok(validate(entry), JSON.stringify(validate.errors));
      assert.is(entry.remotes[0]?.url, `${baseUrl}${endpoint}`);
      assert.equal(
        entry.remotes[0]?.headers?.map(({ name }) => name),
        toolsAccess === "token" ? ["Authorization"] : undefined,
      );
    }
});

test("§8: the README has the commands and configurations of the demo shop's address", () => {
  const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
  const url = "http://localhost:8080";
  for (const { client, snippet } of guidesFor("token", url)) {
    assert.match(readme, client);
    if (snippet.language === "sh") assert.match(readme, snippet.code.split(" \\\n")[0] ?? "");
    if (snippet.language === "json") assert.match(readme, JSON.stringify(JSON.parse(snippet.code)));
  }
});

test.run();
