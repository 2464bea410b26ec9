/** A context for tests of commands: a drawn session, a real agent, and a front end that writes down what it is told. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Harness, type HarnessOptions, harness } from "@bough/agent/agent/agent-harness.test-support.js";
import { drawSession, type Grow } from "@bough/agent/agent/operation-parts.test-support.js";
import { type ScriptedModel, type ScriptStep, scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { createPermissions } from "@bough/agent/tool/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { noticeText } from "@bough/session/text/index.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import type { Command, CommandContext, FrontEnd, MoveAnswer, MoveQuestion, ScreenRequest } from "./command.js";
import { createCommandContext } from "./create-context.js";

export interface TestContext extends Harness {
  readonly model: ScriptedModel;
  readonly context: CommandContext;
  readonly told: string[];
  readonly editor: string[];
  readonly copied: string[];
  readonly opened: ScreenRequest[];
  readonly questions: MoveQuestion[];
  readonly failures: string[];
}

export interface TestContextOptions {
  /** As for `drawSession`. */
  readonly drawing?: string;
  readonly contents?: Readonly<Record<string, Grow>>;
  readonly session?: SessionManager;
  /** What the model says, in order. */
  readonly steps?: readonly ScriptStep[];
  readonly screens?: readonly ScreenRequest["screen"][];
  /** Answers to the question about a summary; without them no one can be asked. */
  readonly answers?: readonly MoveAnswer[];
  readonly afterFailure?: readonly ("without" | "again" | "stay")[];
  readonly extra?: readonly Command[];
  readonly agent?: Partial<HarnessOptions>;
  readonly hints?: FrontEnd["hints"];
  /** Answers whether something may be done; without it no one can be asked. */
  readonly confirm?: FrontEnd["confirm"];
  readonly watch?: FrontEnd["watch"];
}

export function testContext(options: TestContextOptions = {}): TestContext {
  const folder = tempFolder();
  const session = options.session ?? drawSession(options.drawing ?? "A-b", options.contents, { folder });
  const model = scriptedModel(options.steps ?? []);
  const made = harness({ model, session, cwd: folder, ...options.agent });
  const told: string[] = [];
  const editor: string[] = [];
  const copied: string[] = [];
  const opened: ScreenRequest[] = [];
  const questions: MoveQuestion[] = [];
  const failures: string[] = [];
  const answers = [...(options.answers ?? [])];
  const afterFailure = [...(options.afterFailure ?? [])];
  const front: FrontEnd = {
    screens: new Set(options.screens ?? []),
    open: async (request) => void opened.push(request),
    canAsk: options.answers !== undefined || options.afterFailure !== undefined,
    askBeforeMove: async (question) => {
      questions.push(question);
      return answers.shift() ?? { kind: "stay" };
    },
    askFailed: async (message) => {
      failures.push(message);
      return afterFailure.shift() ?? "stay";
    },
    tell: (notice, level = "info") => void told.push(`${level}: ${noticeText(notice)}`),
    setEditorText: (text) => void editor.push(text),
    copy: (text) => void copied.push(text),
    hints: options.hints,
    confirm: options.confirm,
    watch: options.watch,
  };
  const home = join(folder, "home");
  mkdirSync(home);
  const context = createCommandContext({
    agent: made.agent,
    front,
    sessionDir: folder,
    cwd: folder,
    home,
    now: () => new Date(Date.UTC(2025, 0, 2)),
    agentPlaces: { home },
    permissions: createPermissions({ mode: "ask", cwd: folder }),
    extra: () => options.extra ?? [],
  });
  return { ...made, model, context, told, editor, copied, opened, questions, failures };
}

/** Long enough that leaving it is worth a question. */
export const LONG = "a long story of what was tried and why it failed ".repeat(60);
