/** A context with a real folder, real tools and a front end whose answers about files are given before. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { harness } from "@bough/agent/agent/agent-harness.test-support.js";
import { type ScriptedCall, type ScriptStep, scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { DEFAULT_SETTINGS, type Settings } from "@bough/agent/project/index.js";
import { createTools } from "@bough/agent/tool/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type {
  CommandContext,
  CommandOutcome,
  FilesAnswer,
  FilesQuestion,
  FrontEnd,
  ScreenRequest,
} from "../command.js";
import { createCommandContext } from "../create-context.js";
import { runCommandLine } from "../run-command-line.js";

type ConflictAnswers = Readonly<Record<string, "keep" | "take">> | undefined;

export interface FilesContextOptions {
  readonly answers?: readonly FilesAnswer[];
  readonly conflicts?: readonly ConflictAnswers[];
  /** What is said about files that decide what runs. */
  readonly guarded?: readonly ("keep" | "take" | undefined)[];
  readonly settings?: Partial<Settings>;
  /** As the agent was started. */
  readonly onMove?: "ask" | "follow" | "stay";
  /** No one can be asked. */
  readonly silent?: boolean;
  readonly screens?: readonly ScreenRequest["screen"][];
}

export const bash = (command: string): ScriptedCall => ({ name: "bash", arguments: { command } });
export const edit = (path: string, oldText: string, newText: string): ScriptedCall => ({
  name: "edit",
  arguments: { path, edits: [{ oldText, newText }] },
});
/** A prompt that calls tools, and the answer after it. */
export const step = (...calls: readonly ScriptedCall[]): ScriptStep[] => [{ calls }, "done"];

export function filesContext(steps: readonly ScriptStep[], options: FilesContextOptions = {}) {
  const root = tempFolder();
  const home = tempFolder();
  writeFileSync(join(root, "a.ts"), "one\n");
  const settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const made = harness({
    model: scriptedModel(steps),
    cwd: root,
    tools: createTools(),
    outputDir: tempFolder(),
    settings,
    files: { home, onMove: options.onMove },
  });
  const questions: FilesQuestion[] = [];
  const conflictsAsked: (readonly string[])[] = [];
  const guardedAsked: (readonly string[])[] = [];
  const guarded = [...(options.guarded ?? [])];
  const opened: ScreenRequest[] = [];
  const answers = [...(options.answers ?? [])];
  const conflicts = [...(options.conflicts ?? [])];
  const asking: Pick<FrontEnd, "askFiles" | "askConflicts" | "askProtected"> = {
    askFiles: async (question) => {
      questions.push(question);
      return answers.shift() ?? "stay";
    },
    askConflicts: async ({ plan }) => {
      conflictsAsked.push(plan.conflicts.map(({ path }) => path));
      return conflicts.shift();
    },
    askProtected: async ({ plan }) => {
      guardedAsked.push((plan.protected ?? []).map(({ path }) => path));
      return guarded.shift();
    },
  };
  const front: FrontEnd = {
    screens: new Set(options.screens ?? []),
    open: async (request) => void opened.push(request),
    canAsk: false,
    askBeforeMove: async () => ({ kind: "none" }),
    askFailed: async () => "stay",
    tell: () => {},
    setEditorText: () => {},
    copy: () => {},
    ...(options.silent === true ? {} : asking),
  };
  const context: CommandContext = createCommandContext({
    agent: made.agent,
    front,
    sessionDir: root,
    cwd: root,
    home,
    now: () => new Date(Date.UTC(2025, 0, 2)),
    agentPlaces: { home },
  });
  const at = (path: string) => join(root, path);
  return {
    ...made,
    context,
    root,
    questions,
    conflictsAsked,
    guardedAsked,
    opened,
    home,
    run: (line: string): Promise<CommandOutcome> => runCommandLine(context, line),
    write: (path: string, content: string) => writeFileSync(at(path), content),
    read: (path: string) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined),
    /** A prompt of the session, by its text. */
    prompt: (text: string): EntryId => {
      const found = made.session
        .getEntries()
        .find(
          (entry) => entry.type === "message" && entry.message.role === "user" && JSON.stringify(entry).includes(text),
        );
      if (found === undefined) throw new Error(`no prompt ${text}`);
      return found.id;
    },
  };
}
