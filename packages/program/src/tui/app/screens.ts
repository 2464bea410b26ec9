/** All screens by name. */
import type { ScreenRequest } from "../../command/index.js";
import { openAgent } from "../agent/open-agent.js";
import { openAttempts } from "../attempts/open-attempts.js";
import { openBranches } from "../branches/branches-panel.js";
import { openCompact } from "../compact/open-compact.js";
import { openCompare } from "../compare/compare-panel.js";
import { openContext } from "../context/open-context.js";
import { openExport } from "../export/open-export.js";
import { openDiff } from "../files/show-differences.js";
import { openFork } from "../fork/open-fork.js";
import { openHelp } from "../help/show-help.js";
import { openMcp } from "../mcp/open-mcp.js";
import { openCherryPick } from "../merge/cherry-pick.js";
import { openMerge } from "../merge/open-merge.js";
import { openModelList } from "../model/open-model.js";
import { openThinking } from "../model/open-thinking.js";
import { openImport, openResume } from "../resume/open-resume.js";
import { openSearch } from "../search/open-search.js";
import { openSession } from "../session/open-session.js";
import { openSettings } from "../settings/open-settings.js";
import { openTree } from "../tree/open-tree.js";
import type { Screen, ScreenApp } from "./screen.js";

type Screens = { readonly [Name in ScreenRequest["screen"]]: Screen<Name> };

export const SCREENS: Screens = {
  tree: openTree,
  fork: openFork,
  attempts: openAttempts,
  branches: openBranches,
  compare: openCompare,
  diff: openDiff,
  "cherry-pick": openCherryPick,
  merge: openMerge,
  context: openContext,
  compact: openCompact,
  resume: openResume,
  import: openImport,
  search: openSearch,
  session: openSession,
  agent: openAgent,
  model: openModelList,
  thinking: openThinking,
  settings: openSettings,
  mcp: openMcp,
  export: openExport,
  help: openHelp,
};

/** Resolves when it is closed. */
export function openScreen(app: ScreenApp, request: ScreenRequest): Promise<void> {
  // Only one screen in the table takes this request, which the compiler cannot infer.
  const screen = SCREENS[request.screen] as (app: ScreenApp, request: ScreenRequest) => Promise<void>;
  return screen(app, request);
}
