import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, CommanderError, Option } from "commander";
import {
  type Config,
  type Environment,
  type Flags,
  readConfig,
  type SettingName,
  settings,
} from "../config.ts";
import { VitrineError } from "../errors.ts";
import { packageRoot } from "../root.ts";
import { lint } from "./lint.ts";
import { projectAlone } from "./project.ts";
import { publish } from "./publish.ts";
import { serve } from "./serve.ts";
import { status } from "./status.ts";
import { tail } from "./tail.ts";
import { type TokenAction, type TokenOptions, token } from "./token.ts";

export interface ProgramWorld {
  readonly env: Environment;
  /** The file that runs, to be started again for the processes of `serve`. */
  readonly program: string;
}

const logSettings = ["dataDir", "events", "natsStream"] as const;
const opsSettings = ["opsPort", "opsHost"] as const;
const projectorSettings = [
  ...opsSettings,
  ...logSettings,
  "maxLag",
  "onDivergence",
  "logLevel",
] as const;
const serveSettings = [
  "port",
  "host",
  "baseUrl",
  "workers",
  "registration",
  "tokenSecret",
  "rateLimit",
  "trustProxy",
  "allowedOrigins",
  "synonyms",
  ...projectorSettings,
] as const;
const tokenSettings = [...logSettings, "tokenSecret"] as const;

/**
 * Runs the command line.
 * @param args without node and the file
 * @returns exit code
 * @throws VitrineError; of a command line that cannot be used, `usage`
 */
export const runProgram = async (args: readonly string[], world: ProgramWorld): Promise<number> => {
  let exitCode = 0;
  const program = describe(world, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help that was asked for, and the version, are no errors.
    if (error.exitCode === 0) return 0;
    if (error.code === "commander.help") return 2;
    throw misused(error);
  }
};

type Done = (exitCode: number) => void;

const describe = (world: ProgramWorld, done: Done): Command => {
  const program = new Command("vitrine")
    .description(
      "A read-only window on an online store for AI agents: change events in, GraphQL, tools and Markdown out.",
    )
    .version(versionOf(), "--version", "print the version")
    .helpOption("--help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .addHelpText("after", epilogue);
  const command = (
    usage: string,
    tells: string,
    names: readonly SettingName[],
    example: string,
    parent = program,
  ) => {
    const added = parent.command(usage).description(tells).helpOption("--help", "print help");
    for (const name of names) added.addOption(optionOf(name));
    return added.addHelpText("after", `\nExample:\n  $ ${example}`);
  };
  const config = (flags: Flags, names: readonly SettingName[], defaults?: Partial<Config>) =>
    readConfig(flags, world.env, names, defaults);

  command(
    "serve",
    "run the service: projector, HTTP and ops port",
    serveSettings,
    "vitrine serve --port 8080 --events nats://127.0.0.1:4222 --workers 2",
  )
    .option("--demo", "load the demo shop if the journal is empty, and say what to try", false)
    .action(async (flags: Flags & { demo: boolean }) => {
      // Somebody who looks at the demo reads what it prints, not its log.
      const defaults = flags.demo ? { logLevel: "warn" } : {};
      const { demo } = flags;
      done(await serve(config(flags, serveSettings, defaults), { demo, program: world.program }));
    });

  command(
    "project",
    "run the projector alone; one per data directory",
    projectorSettings,
    "vitrine project --data-dir /var/lib/vitrine --events nats://127.0.0.1:4222",
  ).action(async (flags: Flags) => done(await projectAlone(config(flags, projectorSettings))));

  command(
    "publish",
    "check event files (NDJSON) and append them to the event log",
    logSettings,
    "vitrine publish shop.ndjson\n  $ export-shop | vitrine publish - --events nats://127.0.0.1:4222",
  )
    .argument("<file...>", "NDJSON files of CloudEvents, - for standard input")
    .option("--skip-invalid", "append the good lines of a file that has bad ones", false)
    .option("--json", "print one JSON object", false)
    .action(async (files: string[], flags: Flags & { skipInvalid: boolean; json: boolean }) =>
      done(await publish(config(flags, logSettings), files, flags)),
    );

  command(
    "status",
    "tell checkpoint, lag, counts and sizes",
    [...opsSettings, ...logSettings],
    "vitrine status --json",
  )
    .option("--json", "print one JSON object", false)
    .action(async (flags: Flags & { json: boolean }) => {
      const { json } = flags;
      done(
        await status(config(flags, [...opsSettings, ...logSettings]), { json, now: Date.now() }),
      );
    });

  command("lint", "check event files (NDJSON) without appending", [], "vitrine lint shop.ndjson")
    .argument("<file...>", "NDJSON files of CloudEvents, - for standard input")
    .option("--json", "print one JSON object", false)
    .action(async (files: string[], flags: { json: boolean }) => done(await lint(files, flags)));

  command(
    "tail",
    "show events as they arrive, decoded, one line each",
    logSettings,
    "vitrine tail --last 10",
  )
    .addOption(new Option("--from <sequence>", "begin with this event").argParser(sequence))
    .addOption(
      new Option("--last <n>", "begin with the newest n events").argParser(count).conflicts("from"),
    )
    .option("--json", "print one JSON object a line", false)
    .action(async (flags: Flags & { json: boolean; from?: number; last?: number }) =>
      done(await tail(config(flags, logSettings), flags)),
    );

  const tokens = program
    .command("token")
    .description("bearer tokens of agents: issue, regenerate, revoke")
    .helpOption("--help", "print help")
    .helpCommand("help [command]", "print help for a command");
  for (const [action, tells, more] of tokenActions) {
    const example = `vitrine token ${action} --label price-watcher${more}`;
    command(action, tells, tokenSettings, example, tokens)
      .requiredOption("--label <label>", "what you call the agent")
      .option("--json", "print one JSON object", false)
      .action(async (flags: Flags & TokenOptions) =>
        done(await token(action, config(flags, tokenSettings), flags)),
      );
  }
  return program;
};

const tokenActions: readonly (readonly [TokenAction, string, string])[] = [
  ["issue", "print a bearer token; it works until its label is regenerated or revoked", ""],
  ["regenerate", "print a new token; every older one of the label stops working", " --json"],
  ["revoke", "end every token of a label", ""],
];

const optionOf = (name: SettingName): Option => {
  const { flag, value, tells, env, fallback, shownFallback } = settings[name];
  return new Option(`${flag} ${value}`, `${tells} (${env}; default ${shownFallback ?? fallback})`);
};

const wholeNumber =
  (flag: string, least: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (value >= least) return value;
    throw new VitrineError("usage", `${flag} ${text}: give a whole number from ${least}`);
  };
const sequence = wholeNumber("--from", 1);
const count = wholeNumber("--last", 0);

const epilogue = `
Examples:
  $ vitrine serve --demo
  $ vitrine publish shop.ndjson && vitrine status

Settings come from flags, then the environment (named in each command's help), then a default.

Exit codes:
  0 done   1 bad events   2 bad command line or setting   3 data directory   4 event log
  5 (status) nothing more is applied: the log no longer continues the model, or a fault
  7 a port   70 a bug`;

/** One line, in the manner of all other errors. */
const misused = (error: CommanderError): VitrineError => {
  const [line = "", suggestion = ""] = error.message.replace(/^error: /, "").split("\n");
  const hint = suggestion.replace(/^\(|\)$/g, "");
  return new VitrineError("usage", line, hint ? hint : "vitrine --help shows what there is");
};

const versionOf = (): string =>
  JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")).version;
