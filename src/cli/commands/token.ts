import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConfigOf, Flags } from "../../config.ts";
import { VitrineError } from "../../errors.ts";
import type { EventLog } from "../../event-log/event-log.ts";
import { openDataDirectory } from "../../read-model/generations/data-directory.ts";
import { signToken } from "../../surfaces/access/bearer.ts";
import { labelPattern, labelRule } from "../../surfaces/access/tokens.ts";
import type { CommandLine } from "../define-command.ts";
import { openLogToAppend, openLogToRead } from "../event-log.ts";
import { assertNotFrozen } from "../model-directory.ts";
import { type LogConfig, logSettings } from "../shared-options.ts";
import { print, printError, printJson } from "../terminal/output.ts";
import { loadOrCreateSecret, tokenSecretFile } from "../tokens/secret.ts";
import {
  appendTokenEvent,
  assertProjectorFollowsLog,
  currentTokenState,
  type StampedTokenState,
  type TokenState,
} from "../tokens/token-history.ts";

const tokenSettings = [...logSettings, "tokenSecret"] as const;

type TokenConfig = ConfigOf<(typeof tokenSettings)[number]>;

const tokenActions: readonly (readonly [TokenAction, string, string])[] = [
  ["issue", "print a bearer token; it works until its label is regenerated or revoked", ""],
  ["regenerate", "print a new token; every older one of the label stops working", " --json"],
  ["revoke", "revoke all tokens of a label", ""],
];

export const describeTokens = (line: CommandLine): void => {
  const parent = line.group("token", "bearer tokens of agents: issue, regenerate, revoke", [
    "vitrine token issue --label price-watcher",
  ]);
  for (const [action, description, more] of tokenActions) {
    const examples = [`vitrine token ${action} --label price-watcher${more}`];
    line
      .command({ usage: action, description, settings: tokenSettings, examples, parent })
      .requiredOption("--label <label>", "what you call the agent")
      .option("--json", "print JSON", false)
      .action(async (flags: Flags & TokenOptions) =>
        line.done(await executeTokenAction(action, line.config(flags, tokenSettings), flags)),
      );
  }
};

export interface TokenOptions {
  readonly label: string;
  readonly json: boolean;
}

export type TokenAction = "issue" | "regenerate" | "revoke";

/** Output of `--json`. */
export interface TokenReport extends TokenState {
  readonly label: string;
  /** Absent for a revoked label. */
  readonly token?: string;
}

/**
 * Issues a bearer token for an agent's label, or appends the event that ends older ones (Contract §6).
 * @returns exit code
 * @throws VitrineError `usage`; `event_log`; `divergence` when the service follows another log; and as opening a
 * journal does
 */
export const executeTokenAction = async (
  action: TokenAction,
  config: TokenConfig,
  { label, json }: TokenOptions,
): Promise<number> => {
  if (!labelPattern.test(label)) {
    throw new VitrineError("usage", `--label: give ${labelRule}`);
  }
  const directory = openDataDirectory(config.dataDir);
  const { path } = directory;
  // A frozen directory never receives new token events.
  if (action !== "issue") assertNotFrozen(directory);
  await assertProjectorFollowsLog(config, label);
  const eventLog = await openLog(action, config);
  try {
    const current = await currentTokenState(eventLog, config, label, { showProgress: !json });
    const context = { eventLog, config, label };
    const { generation, revoked } = await actions[action](context, current);
    const now: TokenState = { generation, revoked };
    const isFirst = config.tokenSecret === undefined && !existsSync(join(path, tokenSecretFile));
    const sign = () => signToken({ label, ...now }, loadOrCreateSecret(config.tokenSecret, path));
    const report: TokenReport = { label, ...now, ...(now.revoked ? {} : { token: sign() }) };
    if (json) printJson(report);
    else show(action, report, current);
    if (isFirst && report.token !== undefined) {
      printError(
        `signed with a secret that was made for it in ${path}: a service on another data directory, or with a secret of before, takes no such token`,
      );
    }
    return 0;
  } finally {
    await eventLog.close();
  }
};

/** Opens the log. Issuing appends nothing, so read access to a broker is enough; an absent journal is created. */
const openLog = (action: TokenAction, config: LogConfig): Promise<EventLog> =>
  action === "issue" && !config.events.startsWith("journal:")
    ? openLogToRead(config)
    : openLogToAppend(config);

interface TokenContext {
  readonly eventLog: EventLog;
  readonly config: LogConfig;
  readonly label: string;
}

type TokenCommand = (context: TokenContext, current: StampedTokenState) => Promise<TokenState>;

const issue: TokenCommand = async ({ label }, current) => {
  if (!current.revoked) return current;
  throw new VitrineError(
    "usage",
    `the tokens of ${JSON.stringify(label)} were revoked`,
    "vitrine token regenerate --label … gives the label a new one",
  );
};

const regenerate: TokenCommand = async (context, current) => {
  const generation = current.generation + 1;
  if (!Number.isSafeInteger(generation)) throw generationsExhausted(context.label);
  return change(
    context,
    "agent.token.regenerated",
    current,
    { generation, revoked: false },
    regenerate,
  );
};

const generationsExhausted = (label: string): VitrineError =>
  new VitrineError(
    "usage",
    `${JSON.stringify(label)} is at the last generation there is`,
    "give the agent another label; vitrine token revoke --label … ends the tokens of this one",
  );

const revoke: TokenCommand = async (context, current) => {
  if (current.revoked) return current;
  const { generation } = current;
  return change(context, "agent.token.revoked", current, { generation, revoked: true }, revoke);
};

const actions: Readonly<Record<TokenAction, TokenCommand>> = { issue, regenerate, revoke };

/** Appends a token event and checks that it counts. @param retry runs again after a concurrent change of the label */
const change = async (
  { eventLog, config, label }: TokenContext,
  type: Parameters<typeof appendTokenEvent>[1],
  previous: StampedTokenState,
  to: TokenState,
  retry: TokenCommand,
): Promise<TokenState> => {
  const { generation } = to;
  const isOurs = await appendTokenEvent(
    eventLog,
    type,
    label,
    generation,
    previous.version,
    Date.now(),
  );
  // An appended event may still have no effect, so the state is read back before success is reported.
  const now = await currentTokenState(eventLog, config, label, { previous });
  const isPast = now.generation > generation || now.revoked === to.revoked;
  if (isOurs && now.generation >= generation && isPast) return to;
  if (now.generation < generation || !isPast) {
    throw new VitrineError(
      "event_log",
      `the event log holds this change of ${JSON.stringify(label)} already, but an event after it counts`,
      "look at it with vitrine tail",
    );
  }
  return retry({ eventLog, config, label }, now);
};

/** Prints only the token on standard output, so that it can be piped; messages go to standard error. */
const show = (action: TokenAction, { label, generation, token }: TokenReport, was: TokenState) => {
  const name = JSON.stringify(label);
  if (token !== undefined) print(token);
  else print(`${was.revoked ? "had already been revoked" : "revoked"}: ${name}`);
  const dead = "the service refuses the older ones as soon as it has read the event";
  if (action === "issue") printError(`for ${name}, generation ${generation}; it does not expire`);
  else if (action === "regenerate") printError(`for ${name}, generation ${generation}; ${dead}`);
};
