import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { exitCodes } from "../../src/errors.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { run } from "../helpers/vitrine.ts";

const test = suite("the command line");
const commands = [
  "serve",
  "project",
  "publish",
  "status",
  "lint",
  "tail",
  "backup",
  "restore",
  "reconcile",
  "dead-letters",
  "token",
];

test("tells what it can do, with examples and exit codes", async () => {
  const { code, stdout } = await run(["--help"]);
  assert.is(code, 0);
  for (const command of commands) assert.match(stdout, new RegExp(`^ {2}${command} `, "m"));
  assert.match(stdout, "Examples:");
  assert.match(stdout, "Exit codes:");
  assert.match((await run(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test("the help names every exit code that there is", async () => {
  const { stdout } = await run(["--help"]);
  const codes = stdout.slice(stdout.indexOf("Exit codes:"));
  for (const code of new Set([0, ...Object.values(exitCodes), 130])) {
    assert.match(codes, new RegExp(`(^| )  ?${code} \\w`, "m"), `exit code ${code}`);
  }
});

test("tells of each command what it does, with an example", async () => {
  const helps = await Promise.all(commands.map((command) => run([command, "--help"])));
  for (const [at, { code, stdout, stderr }] of helps.entries()) {
    assert.is(code, 0);
    assert.is(stderr, "");
    assert.match(stdout, `Usage: vitrine ${commands[at]}`);
    assert.match(stdout, `$ vitrine ${commands[at]}`, commands[at]);
  }
});

test("without a command shows the help as an error", async () => {
  const { code, stdout, stderr } = await run([]);
  assert.is(code, 2);
  assert.is(stdout, "");
  assert.match(stderr, "Usage: vitrine");
});

test("refuses what it does not know in one line, and names what was meant", async () => {
  const [command, flag, value, argument, group] = await Promise.all([
    run(["srve"]),
    run(["serve", "--prot", "1"]),
    run(["serve", "--port"]),
    run(["status", "now"]),
    run(["dead-letters", "--data-dir", "data"]),
  ]);
  assert.is(command.stderr, "vitrine: unknown command 'srve'\n  -> Did you mean serve?\n");
  assert.is(flag.stderr, "vitrine: unknown option '--prot'\n  -> Did you mean --port?\n");
  assert.is(
    value.stderr,
    "vitrine: option '--port <port>' argument missing\n  -> vitrine serve --help shows what there is\n",
  );
  assert.match(argument.stderr, /^vitrine: too many arguments/);
  assert.match(group.stderr, "vitrine dead-letters needs one of list, show, retry, discard");
  for (const { code } of [command, flag, value, argument, group]) assert.is(code, 2);
});

test("a file of synonyms that is not there is told with the other bad settings", async () => {
  const { code, stderr } = await run(["serve", "--synonyms", "/nope", "--port", "zz"]);
  assert.is(code, 2);
  assert.match(stderr, "--port zz: give");
  assert.match(stderr, "--synonyms /nope: cannot be read");
});

test("helps with what a choice may be", async () => {
  const help = (await run(["serve", "--help"])).stdout.replace(/\s+/g, " ");
  assert.match(help, "rebuild or stop:");
  assert.match(help, "NATS_CREDS, NATS_USER, NATS_PASS,");
  assert.match(help, "silent, fatal, error, warn, info, debug, trace");
});

test("refuses all bad settings together, and makes nothing", async () => {
  const { path } = temporaryDirectory();
  const { code, stderr } = await run(
    ["serve", "--data-dir", join(path, "data"), "--workers", "none", "--base-url", "shop"],
    { env: { PORT: "abc", LOG_LEVEL: "loud" } },
  );
  assert.is(code, 2);
  assert.equal(
    stderr
      .trim()
      .split("\n")
      .map((line) => line.split(": give ")[0]),
    [
      "vitrine: PORT=abc",
      "vitrine: --base-url shop",
      "vitrine: --workers none",
      "vitrine: LOG_LEVEL=loud",
    ],
  );
  assert.equal(readdirSync(path), []);
});

test("refuses a directory that is not its own, or cannot be written", async () => {
  const { path } = temporaryDirectory();
  const foreign = join(path, "foreign");
  mkdirSync(foreign);
  writeFileSync(join(foreign, "letters.txt"), "dear");
  const refused = async (dataDir: string) => {
    const { code, stderr } = await run(["serve", "--port", "0", "--ops-port", "0"], {
      env: { DATA_DIR: dataDir },
    });
    assert.is(code, 3);
    assert.is(stderr.trim().split("\n").length, 2);
    assert.match(stderr, "--data-dir");
    return stderr;
  };
  assert.match(await refused(foreign), "is not empty and not a data directory of Vitrine");
  assert.equal(readdirSync(foreign), ["letters.txt"]);
  assert.match(await refused(join(foreign, "letters.txt")), "cannot use the data directory");
  assert.match(await refused("/dev/null/vitrine"), "cannot use the data directory");
  assert.is((await run(["status", "--data-dir", foreign])).code, 3);
});

test("names the port that is in use, and the flag that changes it", async () => {
  const { path } = temporaryDirectory();
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  const env = { DATA_DIR: join(path, "data") };
  const [http, ops] = [
    await run(["serve", "--port", String(port), "--ops-port", "0"], { env }),
    await run(["serve", "--port", "0", "--ops-port", String(port)], { env }),
  ];
  taken.close();
  for (const [{ code, stderr }, flag] of [
    [http, "--port"],
    [ops, "--ops-port"],
  ] as const) {
    assert.is(code, 7);
    assert.match(stderr, `cannot listen on 127.0.0.1:${port}: the port is in use`);
    assert.match(stderr, `another with ${flag}`);
  }
});

test("says at once that a broker is not there, when there is no model to show meanwhile", async () => {
  const { path } = temporaryDirectory();
  const log = ["--events", "nats://127.0.0.1:1"];
  const env = { DATA_DIR: join(path, "data") };
  const runs = await Promise.all([
    run(["serve", "--port", "0", "--ops-port", "0", ...log], { env }),
    run(["tail", ...log]),
    run(["publish", "-", ...log]),
  ]);
  for (const { code, stderr } of runs) {
    assert.is(code, 4, stderr);
    assert.match(stderr, "vitrine: nats://127.0.0.1:1: connection refused\n  -> ");
  }
});

test.run();
