import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { type AppDeps, createApp } from "../../src/http/app.ts";
import { drain, listen } from "../../src/http/server.ts";
import { openAccess } from "../helpers/access.ts";
import { appDefaults } from "../helpers/app-defaults.ts";
import { endWithTest } from "../helpers/end-with-test.ts";
import { aShop, type MemoryShop, memoryReader } from "../helpers/reader.ts";
import { unlimited } from "../helpers/unlimited.ts";

export const baseUrl = "https://agents.shop.example";

/** The app over HTTP on a free loopback port, with a shop in memory. */
export interface TestApp {
  readonly url: string;
  /** Parsed lines of the log. */
  readonly logged: readonly Record<string, unknown>[];
  /** Posts a body to /graphql: a string as it is, anything else as JSON. */
  readonly post: (body: unknown, headers?: Record<string, string>) => Promise<Response>;
  /** Posts a document and reads the answer; `T` is the expected type of `data`. */
  readonly ask: <T = unknown>(query: string, variables?: object) => Promise<Answer<T>>;
  readonly close: () => Promise<void>;
}

export interface Answer<T> {
  readonly status: number;
  readonly data: T;
  readonly errors: readonly { readonly message: string }[] | undefined;
}

/** @param shop the shop, or a function that returns it for each request */
export const open = async (
  shop: MemoryShop | (() => MemoryShop) = { shop: aShop() },
  over: Partial<AppDeps> = {},
): Promise<TestApp> => {
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: "debug" }, { write: (line) => logged.push(JSON.parse(line)) });
  const reader = memoryReader(typeof shop === "function" ? shop : () => shop);
  const app = createApp({
    ...appDefaults,
    reader: () => reader,
    baseUrl,
    log,
    access: openAccess(),
    rateLimit: unlimited(),
    ...over,
  });
  const server = endWithTest(await listen(app, { host: "127.0.0.1", port: 0 }));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const post: TestApp["post"] = (body, headers = {}) =>
    fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const ask = async <T>(query: string, variables?: object): Promise<Answer<T>> => {
    const response = await post({ query, variables });
    const answer = (await response.json()) as Omit<Answer<T>, "status">;
    return { ...answer, status: response.status };
  };
  const close = async (): Promise<void> => {
    if (!(await drain(server, 2_000))) throw new Error("a request was still running");
  };
  return { url, logged, post, ask, close };
};
