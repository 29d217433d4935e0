/** The lines that auth.md has for each client, as a reader copies them. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectBridge } from "./mcp/stdio-bridge.ts";
import { services, tokenFor } from "./services.ts";

const test = suite("lines that connect a client");
const run = promisify(execFile);

const mcpRemote = fileURLToPath(import.meta.resolve("mcp-remote/dist/proxy.js"));

/** Directory from which imports of the clients resolve. The next run empties it. */
const cache = fileURLToPath(new URL("node_modules/.cache/", import.meta.url));

const readSnippets = async (url: string): Promise<ReadonlyMap<string, string>> => {
  const text = await (await fetch(`${url}/auth.md`)).text();
  const guides = text.matchAll(/^### (.+)\n\n.+\n\n```\w+\n([\s\S]+?)\n```$/gm);
  const token = tokenFor("connect");
  return new Map(
    [...guides].map(([, client = "", code = ""]) => [client, code.replace("vit_...", token)]),
  );
};

for (const [access, url] of [
  ["token", services.url],
  ["open", services.openUrl],
] as const) {
  const snippets = await readSnippets(url);

  const snippetOf = (client: string): string => {
    const code = snippets.get(client);
    if (code === undefined) throw new Error(`auth.md has no lines for ${client}`);
    assert.is(code.includes("Bearer"), access === "token", client);
    return code;
  };

  for (const client of ["LangChain", "AI SDK", "OpenAI Agents"])
    test(`${client}, tools ${access}: the program lists the tools`, async () => {
      mkdirSync(cache, { recursive: true });
      const program = join(mkdtempSync(join(cache, "connect-")), "program.mjs");
      writeFileSync(program, snippetOf(client));
      const { stdout } = await run(process.execPath, [program]);
      for (const tool of ["search_products", "create_checkout_link"]) assert.match(stdout, tool);
    });

  test(`curl, tools ${access}: the command searches`, async () => {
    const { stdout } = await run("bash", ["-c", snippetOf("curl")]);
    const { result } = JSON.parse(stdout);
    assert.match(result.content[0].text, /Jacket/i);
  });

  test(`Claude Desktop, tools ${access}: mcp-remote connects with the arguments and the variable of the configuration`, async () => {
    const { args, env } = JSON.parse(snippetOf("Claude Desktop")).mcpServers.shop;
    assert.equal(args.slice(0, 2), ["-y", "mcp-remote"]);
    const bridge = await connectBridge([mcpRemote, ...args.slice(2)], env);
    assert.is((await bridge.listTools()).length, 7);
    await bridge.close();
  });
}

test.run();
