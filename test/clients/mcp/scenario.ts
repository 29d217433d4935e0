/** What each MCP client must be able to do, and what it must show when it is refused. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bearer, exhaustLimit, limitedToolsUrl, tokenFor, toolsUrl } from "../services.ts";

/** A client that is connected to the tools. */
export interface ToolsClient {
  /** Names of the tools as the client shows them, without a prefix of its own. */
  listTools(): Promise<readonly string[]>;
  /** Returns the result as text, or throws. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

export type Connect = (
  url: string,
  headers: Readonly<Record<string, string>>,
) => Promise<ToolsClient>;

/** What a client shows of a refusal: by default the status or the message of the response. */
export interface Shown {
  readonly unauthorized: RegExp;
  readonly rateLimited: RegExp;
}

const names = [
  "check_availability",
  "create_checkout_link",
  "get_policies",
  "get_product",
  "get_shipping_options",
  "list_categories",
  "search_products",
];

/** A product of the demo shop. */
export const backpackId = 1006;

export const testToolsClient = (
  client: string,
  connect: Connect,
  shown: Shown = {
    unauthorized: /\b401\b|The bearer token is invalid or was revoked/,
    rateLimited: /\b429\b|The limit is 1 request per minute/,
  },
): void => {
  const test = suite(`${client}, tools`);
  const token = bearer(tokenFor(client));

  const use = async <T>(work: (connected: ToolsClient) => Promise<T>): Promise<T> => {
    const connected = await connect(toolsUrl, token);
    try {
      return await work(connected);
    } finally {
      await connected.close();
    }
  };

  test("lists the tools, searches, reads a product and shows why a call failed", () =>
    use(async ({ listTools, call }) => {
      assert.equal([...(await listTools())].sort(), names);
      assertShown(
        await call("search_products", { query: "leather backpack" }),
        /Urban Explorer Leather Backpack/,
      );
      assertShown(await call("get_product", { product_id: backpackId }), /129\.99/);
      const failure = await textOrError(call("get_product", { product_id: 99_999_999 }));
      assertShown(failure, /No product has the id 99999999/);
    }));

  test("shows 401 for a token that was not issued", async () => {
    assertShown(await refusal(toolsUrl, bearer("vit_not-issued")), shown.unauthorized);
  });

  test("shows 429 over the rate limit", async () => {
    await exhaustLimit();
    assertShown(await refusal(limitedToolsUrl, token), shown.rateLimited);
  });

  /** Connects, lists and calls. @returns the message of the first step that fails, else the result */
  const refusal = (url: string, headers: Readonly<Record<string, string>>): Promise<string> =>
    textOrError(
      (async () => {
        const connected = await connect(url, headers);
        try {
          await connected.listTools();
          return await connected.call("get_product", { product_id: backpackId });
        } finally {
          await connected.close();
        }
      })(),
    );

  test.run();
};

/** @param expected what the text of a result or of an error contains */
export const assertShown = (text: string, expected: RegExp): void =>
  assert.ok(expected.test(text), `the client showed: ${text}`);

/** @returns the text, or the messages of the error and its causes */
const textOrError = (work: Promise<string>): Promise<string> => work.catch(describeError);

export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const status = "status" in error ? ` (${String(error.status)})` : "";
  const cause = error.cause === undefined ? "" : `\n${describeError(error.cause)}`;
  return `${error.message}${status}${cause}`;
};

/** Joins the text of a tool result as MCP defines it. */
export const resultText = (result: object): string =>
  "content" in result && Array.isArray(result.content)
    ? result.content.map((item: { readonly text?: string }) => item.text ?? "").join("\n")
    : JSON.stringify(result);
