/** All keys there are, in the order of help and of the reference. */
import { BRANCHES_KEYS } from "./branches-keys.js";
import { CHAT_KEYS } from "./chat-keys.js";
import { COMPACT_KEYS } from "./compact-keys.js";
import { COMPARE_KEYS } from "./compare-keys.js";
import { CONTEXT_KEYS } from "./context-keys.js";
import type { NamedKeyScope } from "./create-key-map.js";
import { EDITOR_KEYS } from "./editor-keys.js";
import { EVERYWHERE_KEYS } from "./everywhere-keys.js";
import { EXPORT_KEYS } from "./export-keys.js";
import { FORK_KEYS } from "./fork-keys.js";
import { HELP_KEYS } from "./help-keys.js";
import { LEAVING_KEYS } from "./leaving-keys.js";
import { LIST_KEYS } from "./list-keys.js";
import { MODEL_KEYS } from "./model-keys.js";
import { PLAN_KEYS } from "./plan-keys.js";
import { QUESTION_KEYS } from "./question-keys.js";
import { RESUME_KEYS } from "./resume-keys.js";
import { SEARCH_KEYS } from "./search-keys.js";
import { SETTINGS_KEYS } from "./settings-keys.js";
import { SHEET_KEYS } from "./sheet-keys.js";
import { TREE_KEYS } from "./tree-keys.js";

export const ALL_KEYS: readonly NamedKeyScope[] = [
  { id: "everywhere", ...EVERYWHERE_KEYS },
  { id: "chat", ...CHAT_KEYS, beside: ["everywhere"] },
  { id: "editor", ...EDITOR_KEYS, beside: ["everywhere", "chat"] },
  { id: "tree", ...TREE_KEYS },
  { id: "leaving", ...LEAVING_KEYS },
  { id: "branches", ...BRANCHES_KEYS },
  { id: "compare", ...COMPARE_KEYS },
  { id: "plan", ...PLAN_KEYS },
  { id: "context", ...CONTEXT_KEYS },
  { id: "compact", ...COMPACT_KEYS },
  { id: "resume", ...RESUME_KEYS },
  { id: "search", ...SEARCH_KEYS },
  { id: "model", ...MODEL_KEYS },
  { id: "settings", ...SETTINGS_KEYS },
  { id: "fork", ...FORK_KEYS },
  { id: "export", ...EXPORT_KEYS },
  { id: "sheet", ...SHEET_KEYS },
  { id: "list", ...LIST_KEYS },
  { id: "question", ...QUESTION_KEYS },
  { id: "help", ...HELP_KEYS },
];
