import type { DefinedCommand } from "./define-command.ts";

/** A command. Its module is loaded only to run it or to show its help, because loading all takes a second. */
export interface CommandEntry {
  readonly name: string;
  /** Syntax of the argument, for the list of commands; empty without one. */
  readonly argument: string;
  readonly summary: string;
  load(): Promise<DefinedCommand>;
}

export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly commands: readonly CommandEntry[];
}

type ArgumentOf<U extends string> = U extends `${string} ${infer S}` ? S : "";

/** Builds an entry. A module whose command has another argument does not compile. @param usage `lint <file...>` */
const command = <U extends string>(
  usage: U,
  summary: string,
  load: () => Promise<DefinedCommand<ArgumentOf<U>>>,
): CommandEntry => {
  const [name = "", argument = ""] = usage.split(" ");
  return { name, argument, summary, load };
};

/** All commands, in the order of the help. */
export const commandTable: readonly (CommandEntry | CommandGroup)[] = [
  command(
    "serve",
    "run the service: projector, HTTP and ops port",
    async () => (await import("./commands/serve.ts")).serveCommand,
  ),
  command(
    "project",
    "run the projector alone; one per data directory",
    async () => (await import("./commands/project.ts")).projectCommand,
  ),
  command(
    "gateway",
    "take the webhooks of shop platforms and publish their events",
    async () => (await import("./commands/gateway.ts")).gatewayCommand,
  ),
  command(
    "import <file...>",
    "publish the products of an export of a shop platform",
    async () => (await import("./commands/import/command.ts")).importCommand,
  ),
  command(
    "connections",
    "show what each connection took and published, and what is missing",
    async () => (await import("./commands/connections/command.ts")).connectionsCommand,
  ),
  {
    name: "deliveries",
    summary: "show, retry and discard deliveries that the gateway refused",
    examples: ["vitrine deliveries list", "vitrine deliveries retry --all"],
    commands: [
      command(
        "list",
        "list refused deliveries, newest first, with the reason of each",
        async () => (await import("./commands/deliveries/read.ts")).listCommand,
      ),
      command(
        "show <delivery>",
        "show a delivery in full",
        async () => (await import("./commands/deliveries/read.ts")).showCommand,
      ),
      command(
        "retry [delivery...]",
        "translate deliveries again",
        async () => (await import("./commands/deliveries/actions.ts")).retryCommand,
      ),
      command(
        "discard [delivery...]",
        "stop counting refused deliveries",
        async () => (await import("./commands/deliveries/actions.ts")).discardCommand,
      ),
    ],
  },
  command(
    "publish <file...>",
    "check event files (NDJSON) and append them to the event log",
    async () => (await import("./commands/publish.ts")).publishCommand,
  ),
  command(
    "lint <file...>",
    "check event files (NDJSON) without appending",
    async () => (await import("./commands/lint.ts")).lintCommand,
  ),
  command(
    "status",
    "show state, checkpoint, lag, generations, counts and sizes",
    async () => (await import("./commands/status/command.ts")).statusCommand,
  ),
  command(
    "tail",
    "show events as they arrive, decoded, one line each",
    async () => (await import("./commands/tail.ts")).tailCommand,
  ),
  command(
    "explain <entity>",
    "show which events produced an entity's current values",
    async () => (await import("./commands/explain.ts")).explainCommand,
  ),
  {
    name: "dead-letters",
    summary: "show, retry and discard rejected events",
    examples: ["vitrine dead-letters list", "vitrine dead-letters retry --all"],
    commands: [
      command(
        "list",
        "list rejected events, newest first, with the reason of each",
        async () => (await import("./commands/dead-letters/read.ts")).listCommand,
      ),
      command(
        "show <sequence>",
        "show a rejected event in full",
        async () => (await import("./commands/dead-letters/read.ts")).showCommand,
      ),
      command(
        "retry [sequence...]",
        "apply rejected events again",
        async () => (await import("./commands/dead-letters/actions.ts")).retryCommand,
      ),
      command(
        "discard [sequence...]",
        "stop counting rejected events as open; they are kept",
        async () => (await import("./commands/dead-letters/actions.ts")).discardCommand,
      ),
    ],
  },
  command(
    "rebuild",
    "replay the log into a new generation, compare it with the live one, and switch to it",
    async () => (await import("./commands/rebuild/command.ts")).rebuildCommand,
  ),
  command(
    "rollback",
    "switch back to the previous generation (run twice to undo)",
    async () => (await import("./commands/rollback.ts")).rollbackCommand,
  ),
  command(
    "verify",
    "check the live generation against a full replay; list rows that differ",
    async () => (await import("./commands/verify.ts")).verifyCommand,
  ),
  command(
    "backup <dir>",
    "copy the live generation with its checkpoint, while the service runs",
    async () => (await import("./commands/backup/command.ts")).backupCommand,
  ),
  command(
    "restore <dir>",
    "make a backup the live generation; the service must not run",
    async () => (await import("./commands/restore/command.ts")).restoreCommand,
  ),
  command(
    "reconcile <file>",
    "compare a full export of the shop with the read model",
    async () => (await import("./commands/reconcile/command.ts")).reconcileCommand,
  ),
  {
    name: "token",
    summary: "bearer tokens of agents: issue, regenerate, revoke",
    examples: ["vitrine token issue --label price-watcher"],
    commands: [
      command(
        "issue",
        "print a bearer token; it works until its label is regenerated or revoked",
        async () => (await import("./commands/token/command.ts")).issueCommand,
      ),
      command(
        "regenerate",
        "print a new token; every older one of the label stops working",
        async () => (await import("./commands/token/command.ts")).regenerateCommand,
      ),
      command(
        "revoke",
        "revoke all tokens of a label",
        async () => (await import("./commands/token/command.ts")).revokeCommand,
      ),
    ],
  },
];
