import { get, type IncomingHttpHeaders } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import type { DeadLetter } from "../../src/read-model/schema/checkpoint.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { productUpserted, settingsUpdated, stockChanged } from "../helpers/events.ts";
import { appendRaw } from "../helpers/raw-log.ts";
import { childProcessesOf, type RunningVitrine, startVitrine, until } from "../helpers/vitrine.ts";

const test = suite<{ service: RunningVitrine }>("API of the console at the ops port");

const fine = [
  settingsUpdated(),
  productUpserted({ id: 4711, name: "Rain jacket" }),
  stockChanged({ productId: 4711, quantity: 3 }, { time: "2026-10-02T08:00:00Z" }),
  stockChanged({ productId: 4711, quantity: 9 }, { time: "2026-10-01T08:00:00Z" }),
];
const bad = Array.from({ length: 25 }, (_, at) => `{"nonsense":${at}}`);

test.before(async (context) => {
  const service = await startVitrine(["--ops-names", "ops.shop.example, box-7"]);
  context.service = service;
  await appendRaw(service.dataDir, [...fine.slice(0, 3), ...bad, ...fine.slice(3)]);
  await until(
    () => service.ops("/status"),
    ({ text }) => JSON.parse(text).status?.checkpoint === 29,
  );
});
test.after(async ({ service }) => {
  await service?.stop();
});

const json = async <T>(service: RunningVitrine, path: string): Promise<T> => {
  const { status, text } = await service.ops(path);
  assert.is(status, 200, text);
  return JSON.parse(text);
};
const error = async (service: RunningVitrine, path: string) => {
  const { status, text } = await service.ops(path);
  return { status, ...JSON.parse(text).error };
};

interface OpsResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request with any headers; `fetch` does not allow all of them. */
const ask = (
  { opsUrl }: RunningVitrine,
  path: string,
  headers: Record<string, string>,
): Promise<OpsResponse> =>
  new Promise((resolve, reject) => {
    get(`${opsUrl}${path}`, { headers, agent: false }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body }),
      );
    }).on("error", reject);
  });

interface DeadLetterPage {
  readonly letters: readonly { readonly sequence: number }[];
  readonly total: number;
  readonly older: number | null;
}

test("dead letters come in pages, newest first, each once", async ({ service }) => {
  const sequences: number[] = [];
  let path = "/dead-letters?limit=10";
  for (let pages = 1; pages <= 3; pages += 1) {
    const page = await json<DeadLetterPage>(service, path);
    assert.is(page.total, 25);
    sequences.push(...page.letters.map(({ sequence }) => sequence));
    assert.is(page.older === null, pages === 3);
    path = `/dead-letters?limit=10&before=${page.older}`;
  }
  assert.equal(
    sequences,
    Array.from({ length: 25 }, (_, at) => 28 - at),
  );
});

test("a dead letter has its reason and the original event", async ({ service }) => {
  const letter = await json<Record<string, unknown>>(service, "/dead-letters/4");
  assert.is(letter.text, bad[0]);
  assert.is(letter.bytes, bad[0]?.length);
  assert.is(letter.isCut, false);
  assert.is(letter.subject, "shop.product.1");
  assert.ok(String(letter.reason).length > 0);
});

test("a long event that is not text is shown in part, as base64", async ({ service }) => {
  const long = Buffer.alloc(100_000, 0xff);
  await appendRaw(service.dataDir, [long.toString("latin1")]);
  const { status } = await until(
    () => service.ops("/dead-letters/30"),
    ({ status }) => status === 200,
  );
  assert.is(status, 200);
  const letter = await json<Record<string, unknown>>(service, "/dead-letters/30");
  assert.is(letter.isCut, true);
  assert.is(letter.bytes, 200_000, "latin1 as UTF-8");
  assert.is(String(letter.text).length, 32_768);
});

test("explain shows which event wrote what, and which came too late", async ({ service }) => {
  interface Group {
    name: string;
    writtenBy: { sequence: number };
    counts: Record<string, number>;
  }
  const { found, groups } = await json<{ found: boolean; groups: Group[] }>(
    service,
    "/explain/product/4711",
  );
  assert.is(found, true);
  const stock = groups.find(({ name }) => name === "stock");
  assert.is(stock?.writtenBy.sequence, 3);
  assert.is(stock?.counts.stale, 1);
  const nothing = await json<{ found: boolean }>(service, "/explain/product/9");
  assert.is(nothing.found, false);
});

test("the generations are listed", async ({ service }) => {
  interface Generation {
    name: string;
    role: string;
    created: string;
    rows: Record<string, number>;
    comparison: unknown;
  }
  const [live, ...others] = await json<readonly Generation[]>(service, "/generations");
  assert.equal(others, []);
  assert.is(live?.name, "0001");
  assert.is(live?.role, "live");
  assert.is(live?.rows.products, 1);
  assert.is(live?.comparison, null);
  assert.ok(Date.now() - Date.parse(live?.created ?? "") < 60_000);
});

test("an invalid request gets an error message", async ({ service }) => {
  assert.match((await error(service, "/dead-letters?limit=1000")).message, "from 1 to 100");
  assert.match((await error(service, "/dead-letters?before=x")).message, "positive integer");
  assert.is((await error(service, "/dead-letters/0")).status, 400);
  assert.is((await error(service, "/dead-letters/1")).status, 404);
  assert.is((await error(service, "/explain/prodct/4711")).status, 400);
  assert.is((await error(service, "/explain/%ff")).status, 400);
  assert.match((await error(service, "/nothing")).message, "/dead-letters");
});

test("every method but GET and HEAD is rejected", async ({ service }) => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const answer = await fetch(`${service.opsUrl}/dead-letters`, { method });
    assert.is(answer.status, 405, method);
    assert.is(answer.headers.get("allow"), "GET, HEAD");
  }
});

test("the console answers only to host names that nobody else controls", async ({ service }) => {
  const port = new URL(service.opsUrl).port;
  const statusBy = async (host: string, path = "/generations") =>
    (await ask(service, path, { host })).status;
  const own = ["127.0.0.1", `localhost:${port}`, "[::1]:1", "10.0.0.5:9090", "LOCALHOST."];
  for (const host of [...own, "ops.shop.example", "Box-7:9090"])
    assert.is(await statusBy(host), 200, host);
  const foreign = ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example", ":1"];
  const local = ["printer.local", "a.internal", "a.test", "a.home.arpa", "a.localhost", "vitrine"];
  for (const host of [...foreign, ...local, "box-8", "x.ops.shop.example"])
    assert.is(await statusBy(host), 421, host);
  assert.is(await statusBy("evil.example", "/"), 421);
  assert.is(await statusBy("evil.example", "/events"), 421);
  assert.is(
    await statusBy("evil.example", "/status"),
    421,
    "it contains the path of the directory",
  );
  assert.is(await statusBy("evil.example", "/readyz"), 200, "probes use any name");
  assert.is(await statusBy("evil.example", "/metrics"), 200, "scrapers use any name");
});

test("/readyz gives a foreign host no texts", async ({ service }) => {
  for (const host of ["evil.example", "printer.local", "vitrine:9090"]) {
    const { body } = await ask(service, "/readyz", { host });
    assert.equal(JSON.parse(body), {
      ready: true,
      state: "live",
      lag: { events: 0, seconds: 0 },
    });
  }
  const { body } = await ask(service, "/readyz", { host: "ops.shop.example" });
  assert.equal(JSON.parse(body).reasons, []);
});

test("costly queries need a header that no foreign page can send", async ({ service }) => {
  const costly = [
    "/explain/product/4711",
    "/dead-letters",
    "/dead-letters/4",
    "/dead-letters?limit=1",
  ];
  for (const path of costly) {
    assert.is((await ask(service, path, {})).status, 403, path);
    assert.is((await ask(service, path, { "vitrine-console": "1" })).status, 200, path);
  }
  const preflight = await fetch(`${service.opsUrl}/dead-letters`, {
    method: "OPTIONS",
    headers: { origin: "http://evil.example", "access-control-request-headers": "vitrine-console" },
  });
  assert.is(preflight.status, 405);
  assert.is(preflight.headers.get("access-control-allow-headers"), null);
});

test("a page of another origin gets no answer, also without Sec-Fetch-Site", async ({
  service,
}) => {
  const statusOf = async (origin: string, host: string, path: string) =>
    (await ask(service, path, { origin, host, "vitrine-console": "1" })).status;
  for (const path of ["/", "/status", "/events", "/generations", "/explain/product/4711"]) {
    for (const origin of ["http://evil.example", "null", "http://10.0.0.5:8080", "http://10.0.0.6"])
      assert.is(await statusOf(origin, "10.0.0.5:9090", path), 403, `${origin} ${path}`);
  }
  assert.is(await statusOf("http://10.0.0.5:9090", "10.0.0.5:9090", "/generations"), 200);
  assert.is(await statusOf("https://ops.shop.example", "ops.shop.example", "/status"), 200);
});

test("pages of other sites get no answer", async ({ service }) => {
  const from = (site: string, mode: string) => ({ "sec-fetch-site": site, "sec-fetch-mode": mode });
  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await ask(service, path, headers)).status;
  assert.is(await statusOf("/explain/product/4711", from("cross-site", "no-cors")), 403);
  assert.is(await statusOf("/status", from("same-site", "no-cors")), 403);
  assert.is(await statusOf("/", from("cross-site", "no-cors")), 403);
  assert.is(await statusOf("/", from("cross-site", "navigate")), 200, "a link may lead here");
  assert.is(await statusOf("/generations", from("same-origin", "cors")), 200);
  const { headers } = await ask(service, "/readyz", { origin: "https://evil.example" });
  assert.is(headers["access-control-allow-origin"], undefined);
});

test("the page loads only from this origin, and has no inline script", async ({ service }) => {
  const { headers, body } = await ask(service, "/", {});
  assert.match(String(headers["content-security-policy"]), /^default-src 'self';/);
  assert.not.match(String(headers["content-security-policy"]), "unsafe");
  assert.not.match(body, /<script(?![^>]*src=)|\son\w+=|\sstyle=|https?:\/\//);
});

test("the event stream begins with the last minutes", async ({ service }) => {
  const answer = await fetch(`${service.opsUrl}/events`);
  assert.match(answer.headers.get("content-type") ?? "", "text/event-stream");
  const reader = (answer.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = "";
  while ((text.match(/event: status/g) ?? []).length < 2) text += (await reader.read()).value;
  await reader.cancel();
  const [history = "", first = ""] = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data);
  const { samples } = JSON.parse(history) as { samples: readonly { at: number }[] };
  assert.ok(samples.length >= 2, `${samples.length} samples`);
  assert.ok(samples.every(({ at }, index) => index === 0 || at > (samples[index - 1]?.at ?? 0)));
  const status = JSON.parse(first);
  assert.is(status.state, "live");
  assert.is(status.status.checkpoint, status.status.logLast);
});

test("the ops port answers while a lookup is slow, and when its process is killed", async ({
  service,
}) => {
  await json(service, "/explain/product/4711");
  const children = await childProcessesOf(service.child.pid ?? 0);
  const workers = children.flatMap(([title, pid]) =>
    title.startsWith("vitrine query") ? pid : [],
  );
  assert.ok(workers.length > 0);
  for (const pid of workers) process.kill(pid, "SIGSTOP");
  const explained = service.ops("/explain/product/4711");
  assert.is((await service.ops("/status")).status, 200);
  assert.is((await service.ops("/readyz")).status, 200);
  for (const pid of workers) process.kill(pid, "SIGKILL");
  const { status, text } = await explained;
  assert.is(status, 503);
  assert.match(text, "ended (killed by SIGKILL)");
  await json(service, "/explain/product/4711");
});

test("a bug in a lookup is a 500 without its message, which the log has in full", async () => {
  const first = await startVitrine();
  const { dataDir } = first;
  await appendRaw(dataDir, [settingsUpdated(), "{"]);
  const isApplied = ({ text }: { text: string }) => JSON.parse(text).status?.checkpoint === 2;
  await until(() => first.ops("/status"), isApplied);
  await first.stop();
  const store = openStore(openDataDirectory(dataDir).live() ?? "", { readOnly: false });
  // No version writes such a row: its reader meets an unexpected form.
  store.transaction((stored) => {
    const letter = stored.get(tables.deadLetters, 2) as DeadLetter;
    stored.put(tables.deadLetters, 2, { ...letter, body: null as unknown as string });
  });
  await store.close();
  const service = await startVitrine([], { dataDir });
  assert.equal(await error(service, "/dead-letters/2"), {
    status: 500,
    code: "internal",
    message: "internal error of the service; see its log",
  });
  const { stderr } = await service.stop();
  assert.match(stderr, "a query failed");
  assert.match(stderr, /TypeError.*\\n {4}at /);
});

test.run();
