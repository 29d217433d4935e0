import { readFileSync } from "node:fs";
import { join } from "node:path";
import Fastify from "fastify";
import { open } from "lmdb";
import mercurius from "mercurius";
import { packageRoot } from "../../../src/package-info.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { reportToParent } from "../report-to-parent.ts";
import { readOrGenerateProducts } from "./corpus.ts";
import { toPeerDocument } from "./peer-document.ts";
import { fts5, miniSearch } from "./peers.ts";

/**
 * A mercurius server with its JIT and a search engine.
 * Arguments: `memory` for MiniSearch and plain objects, or `lmdb` for SQLite FTS5 and documents in LMDB; number of products.
 */

const [kind, count] = process.argv.slice(2);
const texts = readOrGenerateProducts(Number(count));
const engine = await (kind === "lmdb" ? fts5(texts) : miniSearch(texts));
if (!engine) throw new Error("this Node has no SQLite");

const inMemory = () => {
  const byId = new Map(texts.map((text) => [text.id, toPeerDocument(text)]));
  return (id: number) => byId.get(id);
};

const inLmdb = () => {
  const directory = temporaryDirectory();
  process.on("exit", () => directory.remove());
  const store = open<ReturnType<typeof toPeerDocument>, number>({
    path: directory.path,
    noSubdir: false,
  });
  store.transactionSync(() => {
    for (const text of texts) store.putSync(text.id, toPeerDocument(text));
  });
  return (id: number) => store.get(id);
};

const find = kind === "lmdb" ? inLmdb() : inMemory();

const resolvers = {
  Query: {
    products(_: unknown, { query, first }: { query: string; first: number }) {
      const { ids, total } = engine.find(query, first);
      return { nodes: ids.map(find), totalCount: total, userErrors: [] };
    },
  },
};

const app = Fastify();
const schema = readFileSync(join(packageRoot, "schema", "graphql", "schema.graphql"), "utf8");
await app.register(mercurius, { schema, resolvers, jit: 1 });
await app.listen({ port: 0, host: "127.0.0.1" });
reportToParent(app.server);
