/**
 * What list screens get in tests: a host, a real agent on a real file, and a front end that records what it is told.
 */
import { join } from "node:path";
import {
  type Harness,
  type HarnessOptions,
  harness,
  registryOf,
} from "@bough/agent/agent/agent-harness.test-support.js";
import { type ScriptStep, scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import type { UserModelRegistry } from "@bough/agent/model/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type CommandContext, createCommandContext, type FrontEnd, type ScreenRequest } from "../../command/index.js";
import type { ScreenApp } from "../app/screen.js";
import { type TestHost, type TestHostOptions, testHost } from "../host/host.test-support.js";
import { askSecret } from "../questions/ask-secret.js";
import { withProgress } from "../questions/with-progress.js";

export interface ListApp extends Harness {
  readonly host: TestHost;
  readonly app: ScreenApp;
  readonly context: CommandContext;
  readonly home: string;
  readonly sessionDir: string;
  /** Other screens that were requested. */
  readonly asked: readonly ScreenRequest[];
  /** Entries the conversation was scrolled to. */
  readonly shown: readonly EntryId[];
}

export interface ListAppOptions extends TestHostOptions {
  /** The model's answers, in order. */
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
  const host = testHost(rest);
  const model = scriptedModel(steps);
  const made = harness({ model, cwd, registry, ...agent });
  const asked: ScreenRequest[] = [];
  const shown: EntryId[] = [];
  const open = async (request: ScreenRequest): Promise<void> => {
    asked.push(request);
  };
  const front: FrontEnd = {
    screens: new Set(),
    open,
    canAsk: false,
    askBeforeMove: async () => ({ kind: "none" }),
    askFailed: async () => "stay",
    tell: (notice, level) => host.status(notice, level),
    askSecret: (question) => askSecret(host, question),
    watch: (work) => withProgress(host, work),
    setEditorText: (text) => host.setEditorText(text),
    copy: (text) => host.copy(text),
  };
  const now = () => new Date(host.now());
  const context = createCommandContext({ agent: made.agent, front, sessionDir, cwd, home, now, agentPlaces: { home } });
  const app: ScreenApp = {
    host,
    context,
    registry: registry ?? {
      ...registryOf(model),
      saveKey: () => {},
      providers: () => [],
      keySource: () => undefined,
      check: async () => ({ kind: "unchecked" }),
      refreshLists: async () => {},
      keyFromBrowser: async () => "",
      askGateways: async () => {},
      problems: () => [],
      warnings: () => [],
    },
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
  return { ...made, host, app, context, home, sessionDir, asked, shown };
}

/** Shorter than a test's time limit, so that a failed wait reports what was on the screen. */
const GIVE_UP_MS = 60_000;

/**
 * Waits until the screen shows the text, or no longer shows it. Each turn lets resolved work continue. Turns are not
 * counted, because how many a worker or a file takes depends on how busy the machine is.
 */
export async function until(host: TestHost, holds: (screen: string) => boolean): Promise<void> {
  for (const started = Date.now(); Date.now() - started < GIVE_UP_MS; ) {
    // Between two panels there is nothing to read.
    if (holds(host.top === undefined ? "" : host.screen)) return;
    await host.settle();
  }
  throw new Error(`The screen never came to it:\n${host.top === undefined ? "no panel is open" : host.screen}`);
}
