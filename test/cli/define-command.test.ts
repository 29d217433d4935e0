import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { exitCodeMeanings } from "../../src/cli/build-program.ts";
import { argument, integerFrom, optional, text } from "../../src/cli/command-spec.ts";
import { commandTable } from "../../src/cli/command-table.ts";
import { type DefinedCommand, defineCommand } from "../../src/cli/define-command.ts";
import { findEntry } from "../../src/cli/program.ts";
import { exitCodeOf } from "../../src/cli/terminal/signals.ts";
import { exitCodeByErrorCode } from "../../src/errors.ts";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { runHere } from "../helpers/run-here.ts";
import { run } from "../helpers/vitrine.ts";

const test = suite("command line");
/** Command lines of all commands: `serve`, `token issue`. */
const commandLines = commandTable.flatMap((entry) =>
  "commands" in entry ? entry.commands.map(({ name }) => [entry.name, name]) : [[entry.name]],
);

test("the help lists all commands with summary and argument, examples and exit codes", async () => {
  const { code, stdout } = await run(["--help"]);
  assert.is(code, 0);
  const listed = stdout.replace(/\s+/g, " ");
  for (const entry of commandTable) {
    const argument = "argument" in entry && entry.argument ? ` ${entry.argument}` : "";
    assert.match(listed, ` ${entry.name}${argument} ${entry.summary} `);
  }
  assert.match(stdout, "Examples:");
  assert.match(stdout, "Exit codes:");
  assert.match((await run(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test("the exit codes of the help are those of all errors, success and signals", async () => {
  const codes = new Set([0, ...Object.values(exitCodeByErrorCode), exitCodeOf("SIGINT")]);
  assert.equal(
    exitCodeMeanings.map(([code]) => code),
    [...codes].sort((a, b) => a - b),
  );
  const { stdout } = await runHere(["--help"]);
  const shown = stdout.slice(stdout.indexOf("Exit codes:")).replace(/\s+/g, " ");
  for (const [code, meaning] of exitCodeMeanings) assert.match(shown, ` ${code} ${meaning}`);
});

test("the help of each command shows its summary and an example of it", async () => {
  const helps = await Promise.all(commandLines.map((words) => runHere([...words, "--help"])));
  for (const [at, { code, stdout, stderr }] of helps.entries()) {
    const line = `vitrine ${commandLines[at]?.join(" ")}`;
    assert.is(code, 0);
    assert.is(stderr, "");
    assert.match(stdout, `Usage: ${line} [options]`);
    assert.match(stdout, `${line} `, line);
    assert.match(stdout, /Examples?:\n {2}\$ /);
  }
});

test("help NAME and NAME --help show the same", async () => {
  const [first, second, third] = await Promise.all([
    runHere(["help", "token"]),
    runHere(["token", "help", "issue"]),
    runHere(["token", "issue", "--help"]),
  ]);
  assert.match(first.stdout, "Usage: vitrine token");
  assert.is(second.stdout, third.stdout);
});

test("every example is a command line that its command accepts", async () => {
  for (const words of commandLines) {
    const { examples } = await loadCommand(words);
    for (const example of examples) {
      assert.ok(example.includes(`vitrine ${words.join(" ")}`), example);
    }
  }
});

test("an option that excludes others names options of the same command", async () => {
  for (const words of commandLines) {
    const { options } = await loadCommand(words);
    const excluded = Object.values(options).flatMap(({ conflicts = [] }) => conflicts);
    assert.equal(
      excluded.filter((name) => !Object.hasOwn(options, name)),
      [],
    );
  }
});

const loadCommand = (words: readonly string[]): Promise<DefinedCommand> => {
  const entry = findEntry(words);
  if (!entry) throw new Error(words.join(" "));
  return entry.load();
};

test("the help and the version load no command, and two packages only", () => {
  const { files, packages } = staticImports(["src/main.ts", "src/cli/program.ts"]);
  const folders = new Set(files.map((file) => dirname(file)));
  assert.equal([...folders].sort(), ["src", "src/cli", "src/cli/terminal", "src/platform"]);
  assert.equal(
    packages.filter((name) => !name.startsWith("node:")),
    ["commander", "picocolors"],
  );
});

/** Modules that are loaded with these files: their imports that are neither dynamic nor of types alone. */
const staticImports = (roots: readonly string[]) => {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const source = readFileSync(join(packageRoot, file), "utf8");
    for (const [, path = ""] of source.matchAll(
      /^(?:import|export) (?!type)[^;]*?from "([^"]+)"/gm,
    )) {
      if (path.startsWith(".")) visit(join(file, "..", path));
      else packages.add(path);
    }
  };
  roots.forEach(visit);
  return { files: [...files].sort(), packages: [...packages].sort() };
};

test("run receives the declared settings, options and arguments only", async () => {
  const defined = defineCommand({
    settings: ["dataDir"],
    options: { limit: optional("<n>", "limit", integerFrom(1)) },
    argument: argument("<dir>", "directory", text),
    examples: [],
    run({ config, options, argument: directory }) {
      const limit: number | undefined = options.limit;
      // @ts-expect-error a setting that is not listed cannot be read
      const port: unknown = config.port;
      // @ts-expect-error an option that is not declared cannot be read
      const { maximum }: { maximum?: unknown } = options;
      // @ts-expect-error the argument has the type that its parser returns
      const count: number = directory;
      assert.equal([limit, port, maximum], [3, undefined, undefined]);
      assert.is(count, "backups");
      return 0;
    },
  });
  // @ts-expect-error the table of commands names the argument of the command
  const load: () => Promise<DefinedCommand<"<file>">> = async () => defined;
  assert.type(load, "function");
  const line = { args: ["backups"], opts: <T>() => ({ limit: 3 }) as T };
  assert.is(await defined.execute(line, {}), 0);
});

test("without a command the help is printed as an error", async () => {
  const { code, stdout, stderr } = await run([]);
  assert.is(code, 2);
  assert.is(stdout, "");
  assert.match(stderr, "Usage: vitrine");
});

test("an unknown command, flag or value is rejected in one line with a suggestion", async () => {
  const [command, flag, value, argument, group] = await Promise.all([
    run(["srve"]),
    runHere(["serve", "--prot", "1"]),
    runHere(["serve", "--port"]),
    runHere(["status", "now"]),
    runHere(["dead-letters", "--data-dir", "data"]),
  ]);
  assert.is(command.stderr, "vitrine: unknown command 'srve'\n  -> Did you mean serve?\n");
  assert.is(flag.stderr, "vitrine: unknown option '--prot'\n  -> Did you mean --port?\n");
  assert.is(
    value.stderr,
    "vitrine: option '--port <port>' argument missing\n  -> vitrine serve --help lists what is accepted\n",
  );
  assert.match(argument.stderr, /^vitrine: too many arguments/);
  assert.match(group.stderr, "vitrine dead-letters needs one of list, show, retry, discard");
  for (const { code } of [command, flag, value, argument, group]) assert.is(code, 2);
});

test("a missing synonyms file is reported together with other invalid settings", async () => {
  const { code, stderr } = await runHere(["serve", "--synonyms", "/nope", "--port", "zz"]);
  assert.is(code, 2);
  assert.match(stderr, "--port zz: give");
  assert.match(stderr, "--synonyms /nope: cannot be read");
});

test("the help lists the values of a choice", async () => {
  const help = (await runHere(["serve", "--help"])).stdout.replace(/\s+/g, " ");
  assert.match(help, "rebuild or stop:");
  assert.match(help, "NATS_CREDS, NATS_USER, NATS_PASS,");
  assert.match(help, "silent, fatal, error, warn, info, debug, trace");
});

test("all invalid settings are reported together, and nothing is created", async () => {
  const { path } = temporaryDirectory();
  const { code, stderr } = await runHere(
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

test("a foreign or unwritable directory is rejected", async () => {
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
  assert.is((await runHere(["status", "--data-dir", foreign])).code, 3);
});

test("a port in use is named, with the flag that changes it", async () => {
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

test("a missing broker is reported at once when there is no model to show", async () => {
  const { path } = temporaryDirectory();
  const log = ["--events", "nats://127.0.0.1:1"];
  const env = { DATA_DIR: join(path, "data") };
  const runs = await Promise.all([
    run(["serve", "--port", "0", "--ops-port", "0", ...log], { env }),
    runHere(["tail", ...log]),
    runHere(["publish", "-", ...log]),
  ]);
  for (const { code, stderr } of runs) {
    assert.is(code, 4, stderr);
    assert.match(stderr, "vitrine: nats://127.0.0.1:1: connection refused\n  -> ");
  }
});

test.run();
