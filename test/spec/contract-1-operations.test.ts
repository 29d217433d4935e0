import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../src/log.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { readToken } from "../../src/surfaces/access/bearer.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { settingsUpdated, tokenRevoked } from "../helpers/events.ts";
import { asUser, isRoot, otherUser } from "../helpers/other-user.ts";
import { publishTo } from "../helpers/publish.ts";
import { appendRaw } from "../helpers/raw-log.ts";
import { runHere } from "../helpers/run-here.ts";
import { run, start, startVitrine, until } from "../helpers/vitrine.ts";

const test = suite("contract §1");

const newPath = (name = "data"): string => join(temporaryDirectory().path, name);

/** Characters that control a terminal, hide text or reorder it: ESC, BEL, CSI, a direction mark, a joiner, a tag; one of private use. */
const hostile = "a\u001b]0;title\u0007\u009b2J\u202eb\u200dc\u{e0041}\u007fd\uf8ff";
const control = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/u;

const issue = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const { code, stdout, stderr } = await runHere(["token", "issue", "--label", "bot"], { env });
  assert.is(code, 0, stderr);
  return stdout.trim();
};

test("contract §1 --events with user information works, and standard error names EVENTS", async () => {
  for (const address of [
    "nats://shop:hunter2@127.0.0.1:9",
    "nats://a:9,tls://hunter2@127.0.0.1:9",
  ]) {
    const { code, stderr } = await runHere(["tail", "--events", address]);
    assert.is(code, 4, stderr);
    assert.match(stderr, "set EVENTS");
    assert.not.match(stderr, "hunter2");
    const variable = await runHere(["tail"], { env: { EVENTS: address } });
    assert.is(variable.code, 4, variable.stderr);
    assert.not.match(variable.stderr, "flags");
  }
});

test("contract §1 --token-secret works, and standard error names TOKEN_SECRET", async () => {
  const secret = "a secret of sixteen or more";
  const args = ["token", "issue", "--label", "bot", "--token-secret", secret];
  const { stdout, stderr } = await runHere(args, { env: { DATA_DIR: newPath() } });
  assert.match(stderr, "TOKEN_SECRET");
  assert.is(readToken(stdout.trim(), secret)?.label, "bot");
});

test("contract §1 white space around the token secret does not count", async () => {
  const [first, file] = [newPath(), newPath("secret")];
  await issue({ DATA_DIR: first });
  const bytes = readFileSync(join(first, "token-secret"), "utf8");
  writeFileSync(file, `\n${bytes}\r\n`);
  for (const env of [{ TOKEN_SECRET: bytes }, { TOKEN_SECRET_FILE: file }])
    assert.ok(readToken(await issue({ DATA_DIR: newPath(), ...env }), bytes.trim()));
  const ignored = { TOKEN_SECRET: bytes, TOKEN_SECRET_FILE: "/nowhere" };
  assert.ok(readToken(await issue({ DATA_DIR: newPath(), ...ignored }), bytes.trim()));
});

test("contract §1 TOKEN_SECRET_FILE that cannot be read is a bad setting", async () => {
  const env = { DATA_DIR: newPath(), TOKEN_SECRET_FILE: newPath("none") };
  const { code, stderr } = await runHere(["token", "issue", "--label", "bot"], { env });
  assert.is(code, 2);
  assert.match(stderr, "TOKEN_SECRET_FILE=");
});

test("contract §1 the hint for an address that cannot be listened on names the host or the port", async () => {
  const hintFor = async (env: Readonly<Record<string, string>>) => {
    const all = { PORT: "0", OPS_PORT: "0", DATA_DIR: newPath(), ...env };
    const { code, stderr } = await run(["serve"], { env: all });
    assert.is(code, 7, stderr);
    return stderr;
  };
  assert.match(await hintFor({ HOST: "203.0.113.9" }), "--host (HOST)");
  assert.match(await hintFor({ OPS_HOST: "unknown.invalid" }), "--ops-host (OPS_HOST)");
  const taken = createServer().listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    assert.match(await hintFor({ OPS_PORT: String(port) }), "choose another with --ops-port");
  } finally {
    taken.close();
  }
});

test("contract §1 an own data directory that others may write loses their access", () => {
  for (const mode of [0o777, 0o770, 0o1777, 0o702, 0o2775]) {
    const path = newPath();
    mkdirSync(path);
    chmodSync(path, mode);
    openDataDirectory(path);
    assert.is(statSync(path).mode & 0o777, 0o700, mode.toString(8));
    chmodSync(path, mode);
    openDataDirectory(path);
    assert.is(statSync(path).mode & 0o777, 0o700, `${mode.toString(8)} again`);
  }
  const path = newPath();
  openDataDirectory(path);
  chmodSync(path, 0o750);
  openDataDirectory(path);
  assert.is(statSync(path).mode & 0o777, 0o750, "read access stays");
  const foreign = newPath();
  mkdirSync(foreign);
  chmodSync(foreign, 0o777);
  writeFileSync(join(foreign, "photo.jpg"), "");
  assert.throws(() => openDataDirectory(foreign), "not a data directory");
  assert.is(statSync(foreign).mode & 0o777, 0o777);
});

test("contract §1 a data directory of another user is refused before anything is written", async () => {
  if (!isRoot) return;
  const above = temporaryDirectory().path;
  chmodSync(above, 0o755);
  for (const [owner, user] of [
    [0, otherUser],
    [otherUser - 1, otherUser],
  ] as const) {
    const path = join(above, `of-${owner}`);
    mkdirSync(path);
    chmodSync(path, 0o777);
    chownSync(path, owner, owner);
    const refused = asUser(user, () =>
      assert.throws(() => openDataDirectory(path), `user ${owner}`),
    );
    assert.is(refused, undefined);
    assert.equal(readdirSync(path), []);
  }
  const path = join(above, `of-${otherUser - 1}`);
  const { code, stderr } = await runHere(["publish", "-", "--data-dir", path], {
    input: JSON.stringify(settingsUpdated()),
  });
  assert.is(code, 3, stderr);
  assert.equal(readdirSync(path), []);
});

test("contract §1 a file of another user in a data directory is refused", () => {
  if (!isRoot) return;
  const path = newPath();
  openDataDirectory(path);
  for (const name of ["token-secret", "journal", "projector.json"]) {
    writeFileSync(join(path, name), "");
    chownSync(join(path, name), otherUser, otherUser);
    assert.throws(() => openDataDirectory(path), `${name} belongs to the user ${otherUser}`);
    chownSync(join(path, name), 0, 0);
    openDataDirectory(path);
  }
});

test("contract §1 root may read a data directory of another user, and is refused before it writes", async () => {
  if (!isRoot) return;
  const path = newPath();
  openDataDirectory(path);
  for (const name of [".", ...readdirSync(path)]) chownSync(join(path, name), otherUser, 0);
  openDataDirectory(path);
  for (const args of [["publish", "-"], ["serve"], ["token", "revoke", "--label", "bot"]]) {
    const env = { DATA_DIR: path, PORT: "0", OPS_PORT: "0" };
    const input = JSON.stringify(settingsUpdated());
    const { code, stderr } = await runHere(args, { env, input });
    assert.is(code, 3, `${args}: ${stderr}`);
    assert.match(stderr, `belongs to the user ${otherUser}`);
  }
});

test("contract §1 a backup may go to the root of a volume", async () => {
  const dataDir = newPath();
  await publishTo(dataDir, [settingsUpdated()]);
  const service = await startVitrine([], { dataDir });
  try {
    await service.ready();
    const volume = newPath("volume");
    mkdirSync(join(volume, "lost+found"), { recursive: true });
    mkdirSync(join(volume, "volume.unfinished-999999999"));
    const made = await run(["backup", volume, "--data-dir", dataDir]);
    assert.is(made.code, 0, made.stderr);
    const content = ["journal", "lost+found", "manifest.json", "model"];
    assert.equal(
      readdirSync(volume).filter((name) => content.includes(name)),
      content,
    );
    assert.not(readdirSync(volume).some((name) => name.includes("unfinished")));
    assert.match((await run(["backup", volume, "--data-dir", dataDir])).stderr, "is not empty");
    const restored = await run(["restore", volume, "--data-dir", newPath()]);
    assert.is(restored.code, 0, restored.stderr);
  } finally {
    await service.stop();
  }
});

test("contract §1 printed text cannot control a terminal", async () => {
  const dataDir = newPath();
  await publishTo(dataDir, [settingsUpdated({ name: `Shop ${hostile}` })]);
  await appendRaw(dataDir, [
    JSON.stringify({ a: hostile }),
    tokenRevoked("a\u202eb\u200bc"),
    hostile,
  ]);
  const service = await startVitrine([], { dataDir });
  try {
    await until(
      () => service.ops("/status"),
      ({ text }) => JSON.parse(text).status?.checkpoint === 4,
    );
    const commands = [
      ["status"],
      ["explain", "settings"],
      ["explain", `product/${hostile}`],
      ["dead-letters", "list"],
      ["dead-letters", "show", "4"],
      ["dead-letters", "retry", "--all"],
    ];
    const tail = start(["tail", "--from", "1", "--data-dir", dataDir]);
    await tail.says(/^ +4 .*\n/m);
    tail.child.kill("SIGTERM");
    assert.not.match((await tail.ended).stdout, control);
    for (const args of commands) {
      const printed = await runHere([...args, "--data-dir", dataDir], {
        env: { OPS_PORT: new URL(service.opsUrl).port },
      });
      assert.not.match(printed.stdout + printed.stderr, control, args.join(" "));
      const json = await runHere([...args, "--json", "--data-dir", dataDir]);
      assert.not.match(json.stdout, control, args.join(" "));
    }
  } finally {
    const { stderr } = await service.stop();
    assert.not.match(stderr, control);
  }
});

test("contract §1 the status of another program on the ops port cannot control a terminal, or forge a field", async () => {
  const dataDir = newPath();
  openDataDirectory(dataDir);
  const text = `${hostile}\nlag         0 events\r`;
  const status = { dataDir, state: text, ready: false, reason: text, reasons: [text] };
  const server = createServer((_, response) => response.end(JSON.stringify(status)));
  server.listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const env = { OPS_PORT: String((server.address() as AddressInfo).port), DATA_DIR: dataDir };
    const { stdout } = await runHere(["status"], { env });
    assert.match(stdout, "title");
    assert.not.match(stdout, control);
    assert.not.match(stdout, /^lag {9}0 events/m);
    const json = await runHere(["status", "--json"], { env });
    assert.not.match(json.stdout, control);
    assert.is(JSON.parse(json.stdout).reason, text);
  } finally {
    server.close();
  }
});

test("contract §1 log lines have no controls, and the same meaning", () => {
  const lines: string[] = [];
  const log = createLogger("info", "test", { write: (line) => lines.push(line) });
  log.info({ subject: `${hostile}\u2028` }, "an event was refused");
  assert.not.match(lines.join(), control);
  assert.is(JSON.parse(lines.join()).subject, `${hostile}\u2028`);
});

test("contract §1 a dead letter of many levels is shown as text", async () => {
  const dataDir = newPath();
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  const lists = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const bodies = [
    nested(170_000),
    nested(4_000),
    lists(101),
    nested(100),
    `[${lists(3)},${lists(200)}]`,
  ];
  await publishTo(dataDir, [settingsUpdated()]);
  await appendRaw(dataDir, bodies);
  const service = await startVitrine([], { dataDir });
  try {
    await until(
      () => service.ops("/status"),
      ({ text }) => JSON.parse(text).status?.checkpoint === 6,
    );
    const forms: string[] = [];
    for (const [at, body] of bodies.entries()) {
      const args = ["dead-letters", "show", String(at + 2), "--data-dir", dataDir];
      const { code, stdout, stderr } = await runHere(args);
      assert.is(code, 0, stderr);
      assert.ok(stdout.length < body.length + 60_000, `${stdout.length} characters`);
      const json = await runHere([...args, "--json"]);
      assert.is(json.code, 0, json.stderr);
      forms.push(JSON.parse(json.stdout).body.form);
    }
    assert.equal(forms, ["text", "text", "text", "JSON", "text"]);
  } finally {
    await service.stop();
  }
});

/** Sends any headers, and returns the status with the body. */
const ask = (opsUrl: string, path: string, headers: Readonly<Record<string, string>>) =>
  new Promise<readonly [number | undefined, string]>((resolve, reject) => {
    get(`${opsUrl}${path}`, { headers, agent: false }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => resolve([response.statusCode, body]));
    }).on("error", reject);
  });

test("contract §1 the console answers to its hosts, its own origin and its header", async () => {
  const service = await startVitrine(["--ops-names", "ops.shop.example"]);
  try {
    const port = new URL(service.opsUrl).port;
    const statusOf = async (path: string, headers: Readonly<Record<string, string>>) =>
      (await ask(service.opsUrl, path, headers))[0];
    for (const host of [
      "192.168.1.4",
      `[fe80::1]:${port}`,
      "localhost",
      `OPS.shop.example:${port}`,
    ])
      assert.is(await statusOf("/status", { host }), 200, host);
    for (const host of [
      "nas.local",
      "router",
      "a.localhost",
      "shop.example",
      "ops.shop.example.evil.test",
    ])
      assert.is(await statusOf("/status", { host }), 421, host);
    const origin = `http://localhost:${port}`;
    assert.is(await statusOf("/status", { host: `localhost:${port}`, origin }), 200);
    assert.is(await statusOf("/status", { host: "localhost:1", origin }), 403);
    assert.is(await statusOf("/explain/settings", {}), 403);
    const allowed = await statusOf("/explain/settings", { "Vitrine-Console": "x" });
    assert.ok(allowed === 200 || allowed === 503, String(allowed));
    const [, foreign] = await ask(service.opsUrl, "/readyz", { host: "nas.local" });
    assert.equal(Object.keys(JSON.parse(foreign)), ["ready", "state", "lag"]);
  } finally {
    await service.stop();
  }
});

test.run();
