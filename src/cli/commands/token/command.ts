import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConfigOf } from "../../../config.ts";
import { VitrineError } from "../../../errors.ts";
import type { EventLog } from "../../../event-log/event-log.ts";
import { closeAfter } from "../../../platform/async.ts";
import { findDivergence } from "../../../projector/continuity/continuity.ts";
import { openDataDirectory } from "../../../read-model/generations/data-directory.ts";
import { signToken } from "../../../surfaces/access/bearer.ts";
import { labelPattern, labelRule } from "../../../surfaces/access/tokens.ts";
import { json, type ParseValue, required } from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import { openLogToAppend, openLogToRead, withEventLog } from "../../event-log.ts";
import { assertNotFrozen } from "../../model-directory.ts";
import { assertModelFollowsLog } from "../../same-log.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { print, printError } from "../../terminal/output.ts";
import { loadOrCreateSecret, tokenSecretFile } from "../../tokens/secret.ts";
import { currentTokenState, type TokenState, tokenStateInModel } from "../../tokens/token-state.ts";
import { type TokenAction, tokenActions } from "./actions.ts";

const settings = [...logSettings, "tokenSecret"] as const;

type TokenConfig = ConfigOf<(typeof settings)[number]>;

const parseLabel: ParseValue<string> = (label, flag) => {
  if (labelPattern.test(label)) return label;
  throw new VitrineError("usage", `${flag}: give ${labelRule}`);
};

const tokenCommand = (action: TokenAction, example: string) =>
  defineCommand({
    settings,
    options: { label: required("<label>", "your name for the agent", parseLabel), json },
    examples: [example],
    run: ({ config, options }) => execute(action, config, options.label, !options.json),
  });

export const issueCommand = tokenCommand("issue", "vitrine token issue --label price-watcher");
export const regenerateCommand = tokenCommand(
  "regenerate",
  "vitrine token regenerate --label price-watcher --json",
);
export const revokeCommand = tokenCommand("revoke", "vitrine token revoke --label price-watcher");

/** Output of `--json`. */
export interface TokenReport extends TokenState {
  readonly label: string;
  /** Absent for a revoked label. */
  readonly token?: string;
}

/**
 * Issues a bearer token for an agent's label, or appends the event that ends older ones (Contract §6).
 * @throws VitrineError `usage`; `event_log`; `divergence` when the service follows another log; and as opening a
 * journal does
 */
const execute = async (
  action: TokenAction,
  config: TokenConfig,
  label: string,
  showProgress: boolean,
): Promise<Report> => {
  const directory = openDataDirectory(config.dataDir);
  // A frozen directory never receives new token events.
  if (action !== "issue") assertNotFrozen(directory);
  await assertProjectorFollowsLog(config, label);
  return closeAfter(await openLog(action, config), async (eventLog) => {
    const before = await currentTokenState(eventLog, config, label, { showProgress });
    const { generation, revoked } = await tokenActions[action]({ eventLog, config, label }, before);
    const now = { label, generation, revoked };
    const report: TokenReport = revoked
      ? now
      : { ...now, token: sign({ label, tokenEpoch: generation }, config, directory.path) };
    return { json: report, show: () => show(action, report, before) };
  });
};

/** Opens the log. Issuing appends nothing, so read access to a broker is enough; an absent journal is created. */
const openLog = (action: TokenAction, config: LogConfig): Promise<EventLog> =>
  action === "issue" && !config.events.startsWith("journal:")
    ? openLogToRead(config)
    : openLogToAppend(config);

/** Signs a token. Warns when no secret existed, because no service uses the new one yet. */
const sign = (
  state: Parameters<typeof signToken>[0],
  { tokenSecret }: TokenConfig,
  dataDir: string,
): string => {
  const isFirst = tokenSecret === undefined && !existsSync(join(dataDir, tokenSecretFile));
  const token = signToken(state, loadOrCreateSecret(tokenSecret, dataDir));
  if (isFirst) {
    printError(
      `signed with a secret that was created for it in ${dataDir}: a service with another data directory, or with an earlier secret, rejects this token`,
    );
  }
  return token;
};

/** Prints only the token on standard output, so that it can be piped; messages go to standard error. */
const show = (
  action: TokenAction,
  { label, generation, token }: TokenReport,
  before: TokenState,
): void => {
  const name = JSON.stringify(label);
  if (token !== undefined) print(token);
  else print(`${before.revoked ? "had already been revoked" : "revoked"}: ${name}`);
  const note =
    action === "issue"
      ? "it does not expire"
      : "the service rejects the older ones as soon as it has read the event";
  if (action !== "revoke") printError(`for ${name}, generation ${generation}; ${note}`);
};

/**
 * Asserts that the service follows this log, because it never reads the events of another one.
 * Call it before a journal is created.
 * @throws VitrineError `divergence` for another log, `no_model` or `event_log` when there is none
 */
const assertProjectorFollowsLog = async (config: LogConfig, label: string): Promise<void> => {
  const stored = await tokenStateInModel(config, label);
  if (!stored?.checkpoint) return;
  const { checkpoint } = stored;
  await withEventLog(config, async (eventLog) => {
    await assertModelFollowsLog(
      checkpoint,
      eventLog,
      "the service would not read the event",
      `name the log that it follows with --events (EVENTS); if that log was recreated, ${recoveryHint}`,
    );
    const divergence = await findDivergence(checkpoint, eventLog);
    if (divergence) {
      throw new VitrineError(
        "divergence",
        `the service would not read the event: ${divergence.reason}`,
        recoveryHint,
      );
    }
  });
};

const recoveryHint =
  "start the service first, so that it follows the log; another TOKEN_SECRET and a restart end all tokens at once";
