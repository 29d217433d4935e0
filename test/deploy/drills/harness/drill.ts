/**
 * A drill of a section of the runbook. It runs every block of commands of the section, compares their output with the one in the
 * runbook, and checks at its end that each state, message and metric of the section was observed.
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { trackBlocks } from "./blocks.ts";
import { type Commands, commandsOf } from "./commands.ts";
import { type Installation, type InstallationOptions, openInstallation } from "./installation.ts";
import { notObserved } from "./observed.ts";
import { readPage, readSections, type Section, symptomsOf } from "./page.ts";
import { type Shell, type Started, startCommands } from "./shell.ts";
import { type ExpectedStatus, reach } from "./status.ts";

export interface Drill extends Commands {
  readonly section: Section;
  test(name: string, run: () => Promise<void>): void;
  /** Creates an installation, which is closed at the end of the drill. */
  install(options?: InstallationOptions): Promise<Installation>;
  /** Starts commands that are not in the runbook. They are stopped at the end of the drill. */
  background(commands: string, shell: Shell): Started;
  /** Registers the end of something, such as a broker. */
  atEnd(close: () => Promise<unknown>): void;
  /** Waits until the service reports a state. */
  reaches(installation: Installation, expected: ExpectedStatus): Promise<void>;
  /** Records a text in which the messages of the section may be, such as the answer of a surface. */
  observe(...texts: readonly string[]): void;
  /** Runs the tests, and at the end the check that nothing of the section was left out. */
  end(): void;
}

export const drillOf = (title: string): Drill => {
  const section = sectionOf(title);
  const test = suite(`runbook: ${title}`);
  const blocks = trackBlocks(section);
  const texts: string[] = [];
  const installations: Installation[] = [];
  const closing = closeInTurn();
  const background: Drill["background"] = (commands, shell) => {
    const started = startCommands(commands, shell);
    closing.first(() => started.stop());
    return started;
  };
  return {
    section,
    test: (name, run) => void test(name, run),
    ...commandsOf(blocks, (text) => texts.push(text), background),
    background,
    atEnd: closing.last,
    observe: (...observed) => void texts.push(...observed),
    async install(options) {
      const installation = await openInstallation(options);
      installations.push(installation);
      closing.first(installation.close);
      return installation;
    },
    async reaches({ service }, expected) {
      texts.push(...(await reach(service(), expected)));
    },
    end() {
      test.after(closing.closeAll);
      test("every command was run, and every message was seen", () => {
        texts.push(...installations.flatMap(({ logs }) => logs()));
        blocks.write();
        assert.equal(blocks.left(), [], "commands");
        assert.equal(notObserved(section, symptomsOf(readPage(), title), texts), [], "messages");
      });
      test.run();
    },
  };
};

const sectionOf = (title: string): Section => {
  const section = readSections(readPage()).find((each) => each.title === title);
  if (section === undefined) throw new Error(`the runbook has no section "${title}"`);
  return section;
};

/** Closes services and commands before the brokers that they use. */
const closeInTurn = () => {
  const closing: (() => Promise<unknown>)[] = [];
  return {
    first: (close: () => Promise<unknown>) => void closing.unshift(close),
    last: (close: () => Promise<unknown>) => void closing.push(close),
    async closeAll(): Promise<void> {
      for (const close of closing) await close();
    },
  };
};
