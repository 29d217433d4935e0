/** The lines that auth.md has for each client, as a reader copies them. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { services, tokenFor } from "./services.ts";

const test = suite("lines that connect a client");
const run = promisify(execFile);

/** Directory from which imports of the clients resolve. */
const cache = fileURLToPath(new URL("node_modules/.cache/", import.meta.url));

const readSnippets = async (): Promise<ReadonlyMap<string, string>> => {
  const text = await (await fetch(`${services.url}/auth.md`)).text();
  const guides = text.matchAll(/^### (.+)\n\n.+\n\n```\w+\n([\s\S]+?)\n```$/gm);
  const token = tokenFor("connect");
  return new Map(
    [...guides].map(([, client = "", code = ""]) => [client, code.replace("vit_...", token)]),
  );
};
const snippets = await readSnippets();

const snippetOf = (client: string): string => {
  const code = snippets.get(client);
  if (code === undefined) throw new Error(`auth.md has no lines for ${client}`);
  return code;
};

for (const client of ["LangChain", "AI SDK", "OpenAI Agents"])
  test(`${client}: the program lists the tools`, async () => {
    mkdirSync(cache, { recursive: true });
    const directory = mkdtempSync(join(cache, "connect-"));
    const program = join(directory, "program.mjs");
    writeFileSync(program, snippetOf(client));
    const { stdout } = await run(process.execPath, [program]);
    rmSync(directory, { recursive: true });
    for (const tool of ["search_products", "create_checkout_link"]) assert.match(stdout, tool);
  });

test("curl: the command searches", async () => {
  const { stdout } = await run("bash", ["-c", snippetOf("curl")]);
  const { result } = JSON.parse(stdout);
  assert.match(result.content[0].text, /Jacket/i);
});

test("Claude Desktop: mcp-remote connects with the arguments and the variable of the configuration", async () => {
  const { mcpServers } = JSON.parse(snippetOf("Claude Desktop"));
  const { args, env } = mcpServers.shop;
  assert.equal(args.slice(0, 2), ["-y", "mcp-remote"]);
  const program = fileURLToPath(import.meta.resolve("mcp-remote/dist/proxy.js"));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args.slice(2)],
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  assert.is((await client.listTools()).tools.length, 7);
  await client.close();
});

test.run();
