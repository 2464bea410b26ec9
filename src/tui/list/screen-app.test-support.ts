/** What list screens are given in tests: a desk, a real agent on a real file, a front end that tells the desk. */
import { join } from "node:path";
import { tempFolder } from "../../../test/support/temp-folder.js";
import { type Harness, type HarnessOptions, harness, registryOf } from "../../agent/agent-harness.test-support.js";
import { type ScriptStep, scriptedModel } from "../../agent/scripted-model.test-support.js";
import { type CommandFront, type CommandWorld, createCommandWorld, type ScreenRequest } from "../../command/index.js";
import type { EntryId } from "../../entry/index.js";
import type { UserModelRegistry } from "../../model/index.js";
import type { ScreenApp } from "../app/screen.js";
import { type TestDesk, type TestDeskOptions, testDesk } from "../desk/desk.test-support.js";

export interface ListApp extends Harness {
  readonly desk: TestDesk;
  readonly app: ScreenApp;
  readonly world: CommandWorld;
  readonly home: string;
  readonly sessionDir: string;
  /** Screens of others that were asked for. */
  readonly asked: readonly ScreenRequest[];
  /** Entries the conversation was scrolled to. */
  readonly shown: readonly EntryId[];
}

export interface ListAppOptions extends TestDeskOptions {
  /** What the model says, in order. */
  readonly steps?: readonly ScriptStep[];
  readonly agent?: Partial<HarnessOptions>;
  readonly registry?: UserModelRegistry;
  readonly home?: string;
  readonly cwd?: string;
  readonly sessionDir?: string;
  readonly readOnly?: boolean;
  readonly projectTrusted?: boolean;
}

export function listApp(options: ListAppOptions = {}): ListApp {
  const { steps = [], agent, registry, readOnly = false, projectTrusted = true, ...rest } = options;
  const cwd = options.cwd ?? tempFolder();
  const home = options.home ?? join(cwd, "home");
  const sessionDir = options.sessionDir ?? join(cwd, "sessions");
  const desk = testDesk(rest);
  const model = scriptedModel(steps);
  const made = harness({ model, cwd, ...(registry === undefined ? {} : { registry }), ...agent });
  const asked: ScreenRequest[] = [];
  const shown: EntryId[] = [];
  const open = async (request: ScreenRequest): Promise<void> => {
    asked.push(request);
  };
  const front: CommandFront = {
    screens: new Set(),
    open,
    canAsk: false,
    askBeforeMove: async () => ({ kind: "none" }),
    askFailed: async () => "stay",
    tell: (message, level) => desk.status(message, level),
    setEditorText: (text) => desk.setEditorText(text),
    copy: (text) => desk.copy(text),
  };
  const now = () => new Date(desk.now());
  const world = createCommandWorld({ agent: made.agent, front, sessionDir, cwd, home, now, agentPlaces: { home } });
  const app: ScreenApp = {
    desk,
    world,
    registry: registry ?? { ...registryOf(model), saveKey: () => {}, problems: () => [] },
    permissions: {
      mode: "ask",
      permit: async () => ({ allowed: true }),
      forget: () => {},
    } as unknown as ScreenApp["permissions"],
    projectTrusted,
    readOnly,
    showEntry: (id) => {
      shown.push(id);
      return made.session.getBranchIds().includes(id);
    },
    note: () => {},
    open,
    onEvent: (listener) => made.agent.subscribe(listener),
    onFollow: () => () => {},
  };
  return { ...made, desk, app, world, home, sessionDir, asked, shown };
}

/** Waits until the screen shows the text, or no longer shows it. Every turn lets resolved work go on. */
export async function until(desk: TestDesk, holds: (screen: string) => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000; turn++) {
    // Between two panels there is nothing to read.
    if (holds(desk.top === undefined ? "" : desk.screen)) return;
    await desk.settle();
  }
  throw new Error(`The screen never came to it:\n${desk.top === undefined ? "no panel is open" : desk.screen}`);
}
