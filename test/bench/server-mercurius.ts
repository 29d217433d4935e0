import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Fastify from "fastify";
import { open } from "lmdb";
import mercurius from "mercurius";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import type { Edge } from "./exchanges.ts";
import { reportToParent } from "./report-to-parent.ts";

/**
 * A mercurius server with its JIT, Vitrine's schema, and resolvers that only look up products.
 * Argument: `memory` looks up plain objects, which is the best case; `lmdb` decodes each product from a store.
 */

const [edges] = (await once(process, "message")) as [readonly Edge[]];

const inMemory = () => {
  const byId = new Map(edges.map(({ node }) => [node.id, node]));
  return (id: string) => byId.get(id) ?? null;
};

const inLmdb = () => {
  const directory = temporaryDirectory();
  process.on("exit", () => directory.remove());
  const store = open<Edge["node"], string>({ path: directory.path, noSubdir: false });
  store.transactionSync(() => {
    for (const { node } of edges) store.putSync(node.id, node);
  });
  return (id: string) => store.get(id) ?? null;
};

const find = process.argv[2] === "lmdb" ? inLmdb() : inMemory();
const startIndexes = new Map(edges.map(({ cursor }, index) => [cursor, index + 1]));

const resolvers = {
  Query: {
    product: (_: unknown, { id }: { id: string }) => ({ product: find(id), userErrors: [] }),
    products(_: unknown, { first, after }: { first: number; after: string | null }) {
      const start = after === null ? 0 : (startIndexes.get(after) ?? 0);
      const page = edges.slice(start, start + first);
      return {
        edges: page.map(({ cursor, node }) => ({ cursor, node: find(node.id) })),
        pageInfo: {
          hasNextPage: start + first < edges.length,
          endCursor: page.at(-1)?.cursor ?? null,
        },
        totalCount: edges.length,
        userErrors: [],
      };
    },
  },
};

const app = Fastify();
const schema = readFileSync(join(packageRoot, "schema", "graphql", "schema.graphql"), "utf8");
await app.register(mercurius, { schema, resolvers, jit: 1 });
await app.listen({ port: 0, host: "127.0.0.1" });
reportToParent(app.server);
