/** A real agent with real extensions: a scripted model, a session file in a temporary folder, a person made of answers. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Harness, type HarnessOptions, harness } from "@bough/agent/agent/agent-harness.test-support.js";
import { extensionHost } from "@bough/agent/agent/index.js";
import type { ExtensionUi } from "@bough/agent/extension/index.js";
import { customForms, PLAIN_THEME } from "@bough/agent/extension/internal.js";
import {
  type BuiltInNames,
  type CommandOutcome,
  type ExtensionProblem,
  ExtensionRunner,
  findExtensions,
  runCommand,
  runShortcut,
  silentUi,
} from "@bough/agent/extension/run.js";
import type { UiCustomFactory, UiKeybindings, UiScreen } from "@bough/agent/extension/ui.js";
import { tempFolder } from "../support/temp-folder.js";

export const EXAMPLES = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "examples", "extensions");

export interface ExtendedAgent extends Harness {
  readonly runner: ExtensionRunner;
  readonly folder: string;
  readonly problems: ExtensionProblem[];
  /** What was asked, told and shown, as `confirm: Run this?`. */
  readonly said: string[];
  command(name: string, args?: string): Promise<CommandOutcome>;
  shortcut(key: string): Promise<CommandOutcome>;
  /** The session file, line by line. */
  file(): readonly Record<string, unknown>[];
}

export interface ExtendedOptions extends HarnessOptions {
  /** Scripts or folders, in load order. */
  readonly extensions: readonly string[];
  /** Answers of the person to questions, in order, functions called when asked; without them nobody is there. */
  readonly answers?: readonly unknown[];
  readonly builtIn?: BuiltInNames;
  readonly timeoutMs?: number;
  readonly hurryMs?: number;
}

export async function extendedAgent(options: ExtendedOptions): Promise<ExtendedAgent> {
  const { extensions, answers, builtIn = {}, timeoutMs, hurryMs, ...rest } = options;
  const folder = options.cwd ?? tempFolder();
  const problems: ExtensionProblem[] = [];
  const onProblem = (problem: ExtensionProblem) => problems.push(problem);
  const said: string[] = [];
  const host = extensionHost({
    agent: () => made.agent,
    cwd: folder,
    ui: scriptedUi(said, [...(answers ?? [])]),
    hasUi: answers !== undefined,
  });
  const limits = {
    timeoutMs,
    hurryMs,
  };
  const runner = new ExtensionRunner({ host, onProblem, builtIn, ...limits });
  const found = findExtensions({ home: join(folder, "no-home"), cwd: folder, trusted: false, named: extensions });
  if (found.problems.length > 0) throw new Error(JSON.stringify(found.problems));
  await runner.load(found.sources);
  const tools = [...(rest.tools ?? []), ...runner.registrations.tools.map(({ value }) => value)];
  const made = harness({ ...rest, cwd: folder, hooks: runner, tools });
  await made.agent.start();
  return {
    ...made,
    runner,
    folder,
    problems,
    said,
    command: async (name, args = "") => {
      const command = runner.registrations.command(name);
      if (command === undefined) throw new Error("not registered");
      return runCommand(command, { host, onProblem, args });
    },
    shortcut: async (key) => {
      const shortcut = runner.registrations.shortcuts.find(({ name }) => name === key);
      if (shortcut === undefined) throw new Error("not registered");
      return runShortcut(shortcut, { host, onProblem });
    },
    file: () => sessionLines(made),
  };
}

export function example(name: string): string {
  return join(EXAMPLES, name);
}

/** Writes a script of a test's own. */
export function script(folder: string, name: string, body: string): string {
  const file = join(folder, "scripts", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, body);
  return file;
}

/** The ids of the user messages of the path, oldest first. */
export function userIds({ session }: Pick<Harness, "session">): string[] {
  return session
    .getBranch()
    .filter((entry) => entry.type === "message" && entry.message.role === "user")
    .map((entry) => entry.id);
}

/** A screen on which nothing moves. */
const SCREEN: UiScreen = {
  terminal: { columns: 80, rows: 24 },
  requestRender: () => {},
  setFocus: () => {},
  showOverlay: () => {
    throw new Error("bug: not in these tests");
  },
  hideOverlay: () => {},
  hasOverlay: () => false,
  addInputListener: () => () => {},
  stop: () => {},
  start: () => {},
};
const KEYS: UiKeybindings = { matches: () => false, getKeys: () => [] };

/** A person who answers in order; a question beyond the last answer fails, because no test meant it. */
function scriptedUi(said: string[], answers: unknown[]): ExtensionUi {
  const answer = async (line: string): Promise<never> => {
    said.push(line);
    if (answers.length === 0) throw new Error(`nobody answers: ${line}`);
    const next = answers.shift();
    return (typeof next === "function" ? next() : next) as never;
  };
  return {
    ...silentUi(() => {}),
    select: (title, options) => answer(`select: ${title} ${options.join(" | ")}`),
    confirm: (title, message) => answer(`confirm: ${title} ${message}`),
    input: (title, placeholder) => answer(`input: ${title} ${placeholder}`),
    editor: (title, text) => answer(`editor: ${title} ${text}`),
    notify: (message, level = "info") => said.push(`${level}: ${message}`),
    custom: customForms(async (factory) => {
      let result: unknown;
      const done = (given: unknown) => {
        result = given;
      };
      const component = await (factory as UiCustomFactory<unknown>)(SCREEN, PLAIN_THEME, KEYS, done);
      said.push(...component.render(20).map((line) => `custom: ${line}`));
      return result as never;
    }),
  };
}

function sessionLines({ session }: Harness): readonly Record<string, unknown>[] {
  const file = session.getSessionFile();
  if (file === undefined) throw new Error("this session has no file");
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
