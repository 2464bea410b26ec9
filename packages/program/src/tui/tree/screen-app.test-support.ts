/** A host with the screens over a session: a real agent, a scripted model, and a front end that asks on the host. */
import { join } from "node:path";
import { type Harness, type HarnessOptions, harness } from "@bough/agent/agent/agent-harness.test-support.js";
import { type ScriptStep, scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import type { FollowEvent, SessionManager } from "@bough/session/session/index.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type CommandContext, createCommandContext, type FrontEnd, type ScreenRequest } from "../../command/index.js";
import type { ScreenApp } from "../app/screen.js";
import { openBranches } from "../branches/branches-panel.js";
import { openCompare } from "../compare/compare-panel.js";
import { askConflicts, askFiles } from "../files/ask-files.js";
import { type TestHost, type TestHostOptions, testHost } from "../host/host.test-support.js";
import { openCherryPick } from "../merge/cherry-pick.js";
import { openMerge } from "../merge/open-merge.js";
import { askBeforeMove, askFailed } from "../move/ask-before-move.js";
import { watchSummaries } from "../move/summary-progress.js";
import { openTree } from "./open-tree.js";

export interface TestApp extends Harness {
  readonly host: TestHost;
  readonly app: ScreenApp;
  readonly context: CommandContext;
  /** Other screens that were requested. */
  readonly asked: readonly ScreenRequest[];
  /** Another process wrote something. */
  follow(event: FollowEvent): void;
  /** Opens a screen and lets it draw; keeps the promise that resolves when it closes. */
  open(request: ScreenRequest): Promise<void>;
}

export interface TestAppOptions extends TestHostOptions {
  readonly session: SessionManager;
  /** The model's answers, in order. */
  readonly steps?: readonly ScriptStep[];
  readonly readOnly?: boolean;
  readonly agent?: Partial<HarnessOptions>;
}

export function testApp({ session, steps = [], readOnly = false, agent, ...options }: TestAppOptions): TestApp {
  const folder = tempFolder();
  const host = testHost(options);
  const made = harness({ model: scriptedModel(steps), session, cwd: folder, ...agent });
  const asked: ScreenRequest[] = [];
  const listeners = new Set<(event: FollowEvent) => void>();
  const front: FrontEnd = {
    screens: new Set(["tree", "branches", "compare", "cherry-pick", "merge"]),
    open: (request) => app.open(request),
    canAsk: true,
    askBeforeMove: (question) => askBeforeMove(host, question),
    askFailed: (message, instead) => askFailed(host, message, instead),
    askFiles: (question) => askFiles(host, question),
    askConflicts: (question) => askConflicts(host, question),
    tell: (notice, level) => host.status(notice, level),
    setEditorText: (text) => host.setEditorText(text),
    copy: (text) => host.copy(text),
  };
  const now = () => new Date(host.now());
  const home = join(folder, "home");
  const context = createCommandContext({
    agent: made.agent,
    front,
    sessionDir: folder,
    cwd: folder,
    home,
    now,
    agentPlaces: { home },
  });
  const app = {
    host,
    context,
    projectTrusted: true,
    readOnly,
    showEntry: () => false,
    note: () => {},
    open: (request: ScreenRequest) => opened(app, request, asked),
    onEvent: (listener: Parameters<ScreenApp["onEvent"]>[0]) => made.agent.subscribe(listener),
    onFollow: (listener: (event: FollowEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // The screens here look at no model and give no permission.
  } as unknown as ScreenApp;
  watchSummaries({ host, context, onEvent: app.onEvent });
  return {
    ...made,
    host,
    app,
    context,
    asked,
    follow: (event) => {
      for (const listener of listeners) listener(event);
    },
    open: (request) => app.open(request),
  };
}

async function opened(app: ScreenApp, request: ScreenRequest, asked: ScreenRequest[]): Promise<void> {
  switch (request.screen) {
    case "tree":
      return openTree(app, request);
    case "branches":
      return openBranches(app, request);
    case "compare":
      return openCompare(app, request);
    case "cherry-pick":
      return openCherryPick(app, request);
    case "merge":
      return openMerge(app, request);
    default:
      asked.push(request);
  }
}
