/** The built-in tools. */
import { type BashOptions, bashTool } from "./bash-tool.js";
import { editTool } from "./edit-tool.js";
import type { EditorFiles } from "./file/editor-files.js";
import { findTool } from "./find-tool.js";
import { grepTool } from "./grep-tool.js";
import { lsTool } from "./ls-tool.js";
import { readTool } from "./read-tool.js";
import { type SpawnToolOptions, spawnTool } from "./spawn-tool.js";
import { todoTool } from "./todo-tool.js";
import type { Tool } from "./tool.js";
import { type WebFetchOptions, webFetchTool } from "./web-fetch-tool.js";
import { webSearchTool } from "./web-search-tool.js";
import { writeTool } from "./write-tool.js";

export interface CreateToolsOptions {
  /** Folders outside the working directory that may be read without asking, such as those of skills. */
  readonly readableFolders?: readonly string[];
  /** The ripgrep program, `rg` from the path by default; `null` always uses the built-in search. */
  readonly ripgrep?: string | null;
  readonly bash?: BashOptions;
  readonly webFetch?: WebFetchOptions;
  /** Include `spawn`, which starts sub-agents. Default: not included. */
  readonly spawn?: Pick<SpawnToolOptions, "agents">;
  /** Include `web_search`, for models whose provider searches the web. Default: no. */
  readonly webSearch?: boolean;
  /** The files of an editor: read, edit and write use its text, including unsaved changes. Default: the disk. */
  readonly editor?: EditorFiles;
}

/** In a fixed order, so that the tool list sent to the model never changes. */
export function createTools(options: CreateToolsOptions = {}): readonly Tool[] {
  const {
    readableFolders: readable = [],
    ripgrep = "rg",
    bash = {},
    webFetch = {},
    editor,
    spawn,
    webSearch = false,
  } = options;
  const tools = [
    readTool({ readable, editor }),
    writeTool({ editor }),
    editTool({ editor }),
    bashTool(bash),
    grepTool({ readable, ripgrep }),
    findTool({ readable }),
    lsTool({ readable }),
    webFetchTool(webFetch),
    todoTool(),
    ...(webSearch ? [webSearchTool()] : []),
  ];
  if (spawn === undefined) return tools;
  const readOnlyTools = tools.filter(({ readOnly }) => readOnly).map(({ name }) => name);
  return [...tools, spawnTool({ ...spawn, readOnlyTools })];
}

/** Names of the built-in tools, in order. */
export const TOOL_NAMES = ["read", "write", "edit", "bash", "grep", "find", "ls", "web_fetch", "todo"] as const;
