import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

/** What the tests of the change feed share. */

export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly op: "upsert" | "remove";
  readonly record?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
}

export interface Page {
  readonly position: string | null;
  readonly as_of: string;
  readonly next: string;
  readonly changes: readonly Change[];
}

export const changesPath = "/agent/changes";

/** Requests a page. @param address of the page, or the value of `since` */
export const readPage = async (service: TestServer, address: string): Promise<Page> => {
  const path = address.startsWith("/") ? address : `${changesPath}?since=${address}`;
  const response = await service.get(path);
  assert.is(response.status, 200, path);
  return (await response.json()) as Page;
};

/** Reads pages until one may be claimed. */
export const readToClaim = async (
  service: TestServer,
  address: string,
): Promise<{
  readonly pages: readonly Page[];
  readonly changes: readonly Change[];
  readonly last: Page;
}> => {
  const pages = [await readPage(service, address)];
  while (pages.at(-1)?.position === null)
    pages.push(await readPage(service, pages.at(-1)?.next ?? ""));
  const last = pages.at(-1) as Page;
  return { pages, changes: pages.flatMap(({ changes }) => changes), last };
};

export const keysOf = (changes: readonly Change[]): readonly string[] =>
  changes.map(({ kind, id }) => `${kind}/${id}`).sort();

export const find = (changes: readonly Change[], key: string): Change | undefined =>
  changes.find(({ kind, id }) => `${kind}/${id}` === key);

/** A message of a stream. */
export interface Message {
  readonly event?: string;
  readonly id?: string;
  readonly retry?: string;
  readonly data: Page & { readonly error?: Readonly<Record<string, string>> };
}

/** Reads the messages of a stream one at a time. */
export const openStream = async (
  service: TestServer,
  query: string,
  headers: Record<string, string> = {},
) => {
  const abort = new AbortController();
  const response = await service.request(`${changesPath}/stream?${query}`, {
    headers: { accept: "text/event-stream", ...headers },
    signal: abort.signal,
  });
  const isStream = response.status === 200;
  const reader = isStream ? response.body?.pipeThrough(new TextDecoderStream()).getReader() : null;
  let buffered = "";
  const read = async (): Promise<Message | undefined> => {
    for (;;) {
      const end = buffered.indexOf("\n\n");
      if (end >= 0) {
        const block = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        return parseMessage(block);
      }
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return undefined;
      buffered += chunk.value;
    }
  };
  return {
    response,
    async next(): Promise<Message> {
      const message = await read();
      if (!message) throw new Error("the stream has ended");
      return message;
    },
    /** Fails when another message comes before the end. */
    async end(): Promise<void> {
      assert.is(await read(), undefined);
    },
    close: () => abort.abort(),
  };
};

const parseMessage = (block: string): Message => {
  const fields = block
    .split("\n")
    .filter((line) => !line.startsWith(":"))
    .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]);
  const { data = "null", ...others } = Object.fromEntries(fields);
  return { ...others, data: JSON.parse(data) };
};

/** Builds a function that runs a test on a service with some events, and closes the service. */
export const shopWith =
  (events: () => readonly CloudEvent[]) =>
  async (
    use: (service: TestServer) => Promise<void>,
    options: Parameters<typeof openTestServer>[0] = {},
  ): Promise<void> => {
    const service = await openTestServer(options);
    service.apply(...events());
    try {
      await use(service);
    } finally {
      await service.close();
    }
  };
