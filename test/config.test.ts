import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readConfig, type SettingName } from "../src/config.ts";
import { VitrineError } from "../src/errors.ts";
import { settings } from "../src/settings.ts";
import { temporaryDirectory } from "./helpers/directory.ts";

const test = suite("settings");
const all = Object.keys(settings) as SettingName[];

const refusalOf = (read: () => unknown): readonly string[] => {
  try {
    read();
  } catch (error) {
    assert.instance(error, VitrineError);
    assert.is((error as VitrineError).exitCode, 2);
    return (error as VitrineError).message.split("\n");
  }
  return assert.unreachable("nothing was refused") as never;
};

test("a setting comes from its flag, then its variable, then its default", () => {
  const config = readConfig({ port: "1234" }, { PORT: "99", WORKERS: "3" }, all);
  assert.is(config.port, 1234);
  assert.is(config.workers, 3);
  assert.is(config.opsPort, 9090);
  assert.is(config.events, "journal:");
  assert.is(config.baseUrl, undefined);
  assert.ok(Object.isFrozen(config));
});

test("all invalid settings are reported together, each with its name and value", () => {
  const lines = refusalOf(() =>
    readConfig(
      { maxLag: "soon", events: "kafka://host" },
      { PORT: "70000", ON_DIVERGENCE: "panic", BASE_URL: "https://x.example/?a=1" },
      all,
    ),
  );
  assert.is(lines.length, 5);
  for (const start of [
    "PORT=70000: give a whole number",
    "--max-lag soon: give a number of seconds",
    "--events kafka://host: give journal:",
    "ON_DIVERGENCE=panic: give rebuild or stop",
    "BASE_URL=https://x.example/?a=1: give an http or https address",
  ]) {
    assert.ok(
      lines.some((line) => line.startsWith(start)),
      start,
    );
  }
});

test("a rate limit of 0, which would reject every request, is invalid", () => {
  const [limit = "", proxies = ""] = refusalOf(() =>
    readConfig({ rateLimit: "0", trustProxy: "all" }, {}, all),
  );
  assert.match(limit, "--rate-limit 0: give a whole number from 1 ");
  assert.match(proxies, "--trust-proxy all: give a whole number from 0 to 32");
  const { rateLimit, trustProxy } = readConfig({}, {}, all);
  assert.equal({ rateLimit, trustProxy }, { rateLimit: 600, trustProxy: 0 });
});

test("a token secret that is mostly white space is invalid", () => {
  for (const tokenSecret of [" ".repeat(20), `${"x".repeat(15)}${" ".repeat(20)}`]) {
    const [line = ""] = refusalOf(() => readConfig({ tokenSecret }, {}, all));
    assert.match(line, "give a text of 16 to 1024 characters");
  }
  const secret = "x".repeat(16);
  for (const text of [`${secret}\n`, `\t ${secret}\r\n`, `\ufeff${secret}\u00a0`]) {
    assert.is(readConfig({ tokenSecret: text }, {}, all).tokenSecret, secret);
    assert.is(readConfig({}, { TOKEN_SECRET: text }, all).tokenSecret, secret);
  }
});

test("a base URL that could not be pasted into a shell or a program is invalid", () => {
  const read = (baseUrl: string) => readConfig({ baseUrl }, {}, all).baseUrl;
  for (const path of ["$(id)", "`id`", "a;b", "a|b", "a&b", 'a"b', "a'b", "a\\b", "a b"])
    assert.match(refusalOf(() => read(`https://shop.example/${path}`)).join(), "give an http");
  for (const url of ["https://shop.example/agents", "http://[::1]:8080", "https://müller.example"])
    assert.is(read(`${url}/`), url);
});

test("a message about an address does not contain its password", () => {
  const [line = ""] = refusalOf(() => readConfig({ events: "nats://u:secret@h/x/y" }, {}, all));
  assert.not.match(line, "secret");
  assert.match(line, "nats://…@h");
});

test("a message about an address without a known scheme does not contain its password", () => {
  for (const events of ["u:secret@h:4222", "nats:u:secret@h", "natss://u:secret@h"]) {
    const [line = ""] = refusalOf(() => readConfig({ events }, { EVENTS: events }, all));
    assert.not.match(line, "secret");
    assert.match(line, "…@h");
  }
});

test("a message about an address does not contain a password with @ or a slash", () => {
  for (const password of ["Zm9v/YmFy", "passed@hidden/word", "secret@other"]) {
    const events = `nats://u:${password}@h/x/y`;
    const [line = ""] = refusalOf(() => readConfig({ events }, {}, all));
    assert.match(line, "nats://…@h");
    for (const part of password.split(/[/@]/)) assert.not.match(line, part);
  }
});

test("a file may hold the token secret, and its name and error are in the message", () => {
  const home = temporaryDirectory();
  const path = join(home.path, "secret");
  const read = (env: Record<string, string> = {}) =>
    readConfig({}, { TOKEN_SECRET_FILE: path, ...env }, all).tokenSecret;
  assert.match(refusalOf(read).join(), `TOKEN_SECRET_FILE=${path}: ENOENT`);
  writeFileSync(path, "too short\n");
  assert.match(refusalOf(read).join(), `TOKEN_SECRET_FILE=${path}: give a text of 16`);
  assert.not.match(refusalOf(read).join(), "too short");
  writeFileSync(path, "\n secret of the file \r\n");
  assert.is(read(), "secret of the file");
  assert.is(read({ TOKEN_SECRET: "secret of the variable" }), "secret of the variable");
  home.remove();
});

test("line ends at the end of a broker's credentials do not count", () => {
  const { nats } = readConfig(
    {},
    { NATS_USER: "u\r\n", NATS_PASS: " p \n\n", NATS_TOKEN: "\n" },
    all,
  );
  assert.equal(nats, { user: "u", pass: " p " });
});

test("several broker addresses are accepted", () => {
  for (const events of [
    "nats://a:4222,nats://b:4222",
    "nats://a:4222, b:4222",
    "tls://u:p@a,tls://b",
  ]) {
    assert.is(readConfig({ events }, {}, all).events, events);
  }
  for (const events of ["nats://a,http://b", "nats://a,", "nats://a b"]) {
    const [line = ""] = refusalOf(() => readConfig({ events }, {}, all));
    assert.match(line, "separate several brokers with commas");
  }
});

test("settings that a command does not list are not read", () => {
  assert.equal(Object.keys(readConfig({}, { PORT: "nonsense" }, ["dataDir"])), ["dataDir", "nats"]);
});

test("an empty variable counts as absent", () => {
  assert.is(readConfig({}, { PORT: "", EVENTS: "" }, all).port, 8080);
});

test("the slash at the end of a base address is removed", () => {
  const read = (baseUrl: string) => readConfig({ baseUrl }, {}, all).baseUrl;
  assert.is(read("https://shop.example/"), "https://shop.example");
  assert.is(read("https://shop.example/agents/"), "https://shop.example/agents");
});

test("the two ports differ, unless both are 0", () => {
  const [line] = refusalOf(() => readConfig({ port: "7000", opsPort: "7000" }, {}, all));
  assert.is(line, "--ops-port 7000: is the public port too: give another one");
  assert.is(readConfig({ port: "0", opsPort: "0" }, {}, all).port, 0);
});

test("broker credentials come from the environment", () => {
  const { nats } = readConfig({}, { NATS_CREDS: "/a", NATS_TLS_CA: "/b", NATS_USER: "" }, all);
  assert.equal(nats, { creds: "/a", tlsCa: "/b" });
});

test("the allowed origins are a list, each in the form that a browser sends", () => {
  const origins = (allowedOrigins: string) =>
    readConfig({ allowedOrigins }, {}, all).allowedOrigins;
  assert.equal(readConfig({}, {}, all).allowedOrigins, []);
  assert.equal(origins("https://Chat.example, http://localhost:3000"), [
    "https://chat.example",
    "http://localhost:3000",
  ]);
  for (const wrong of ["*", "chat.example", "https://a.example/", "https://a.example:443", ","]) {
    assert.throws(() => origins(wrong), /--allowed-origins/, wrong);
  }
});

test.run();
