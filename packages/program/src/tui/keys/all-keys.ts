/** All keys there are, in the order of help and of the reference. */
import { AGENT_KEYS } from "../agent/open-agent.js";
import { ATTEMPTS_KEYS } from "../attempts/open-attempts.js";
import { BRANCHES_KEYS } from "../branches/branches-panel.js";
import { CHAT_KEYS } from "../chat/chat-keys.js";
import { EDITOR_KEYS } from "../chat/editor/editor-keys.js";
import { COMPACT_KEYS } from "../compact/open-compact.js";
import { COMPARE_KEYS } from "../compare/compare-panel.js";
import { CONTEXT_KEYS } from "../context/open-context.js";
import { EXPORT_KEYS } from "../export/open-export.js";
import { DIFF_KEYS } from "../files/show-differences.js";
import { FORK_KEYS } from "../fork/open-fork.js";
import { HELP_KEYS } from "../help/show-help.js";
import { HISTORY_KEYS } from "../history/open-history.js";
import { LIST_KEYS } from "../list/list-keys.js";
import { PAGER_KEYS } from "../list/pager.js";
import { MCP_KEYS } from "../mcp/open-mcp.js";
import { PLAN_KEYS } from "../merge/plan-panel.js";
import { MODEL_KEYS } from "../model/open-model.js";
import { MOVE_KEYS } from "../move/move-panel.js";
import { QUESTION_KEYS } from "../questions/question-keys.js";
import { RESUME_KEYS } from "../resume/open-resume.js";
import { SEARCH_KEYS } from "../search/open-search.js";
import { SETTINGS_KEYS } from "../settings/open-settings.js";
import { TREE_KEYS } from "../tree/tree-keys.js";
import type { NamedKeyScope } from "./create-key-map.js";
import { EVERYWHERE_KEYS } from "./everywhere-keys.js";

export const ALL_KEYS: readonly NamedKeyScope[] = [
  { id: "everywhere", ...EVERYWHERE_KEYS },
  { id: "chat", ...CHAT_KEYS, beside: ["everywhere"] },
  { id: "editor", ...EDITOR_KEYS, beside: ["everywhere", "chat"] },
  { id: "tree", ...TREE_KEYS },
  { id: "leaving", ...MOVE_KEYS },
  { id: "branches", ...BRANCHES_KEYS },
  { id: "attempts", ...ATTEMPTS_KEYS },
  { id: "compare", ...COMPARE_KEYS },
  { id: "diff", ...DIFF_KEYS },
  { id: "plan", ...PLAN_KEYS },
  { id: "context", ...CONTEXT_KEYS },
  { id: "compact", ...COMPACT_KEYS },
  { id: "resume", ...RESUME_KEYS },
  { id: "search", ...SEARCH_KEYS },
  { id: "history", ...HISTORY_KEYS },
  { id: "agent", ...AGENT_KEYS },
  { id: "model", ...MODEL_KEYS },
  { id: "settings", ...SETTINGS_KEYS },
  { id: "mcp", ...MCP_KEYS },
  { id: "fork", ...FORK_KEYS },
  { id: "export", ...EXPORT_KEYS },
  { id: "sheet", ...PAGER_KEYS },
  { id: "list", ...LIST_KEYS },
  { id: "question", ...QUESTION_KEYS },
  { id: "help", ...HELP_KEYS },
];
