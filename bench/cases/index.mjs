/** All cases, in the order in which they run. */
import { agentBranch } from "./agent-branch.mjs";
import { append } from "./append.mjs";
import { appendBeside } from "./append-beside.mjs";
import { branchAppend } from "./branch-append.mjs";
import { branchBurst } from "./branch-burst.mjs";
import { bundleSize } from "./bundle-size.mjs";
import { children } from "./children.mjs";
import { commands } from "./commands.mjs";
import { context } from "./context.mjs";
import { everyday, uncompacted } from "./everyday.mjs";
import { files } from "./files.mjs";
import { foreign } from "./foreign.mjs";
import { foreignLists } from "./foreign-lists.mjs";
import { fork } from "./fork.mjs";
import { history } from "./history.mjs";
import { list } from "./list.mjs";
import { manySessions } from "./many-sessions.mjs";
import { memory } from "./memory.mjs";
import { open } from "./open.mjs";
import { page } from "./page.mjs";
import { path } from "./path.mjs";
import { rpcBlock } from "./rpc-block.mjs";
import { sandbox } from "./sandbox.mjs";
import { search } from "./search.mjs";
import { start } from "./start.mjs";
import { stores } from "./stores.mjs";
import { terminal } from "./terminal.mjs";
import { tree } from "./tree.mjs";

/** @type {readonly import("./case.mjs").Case[]} */
export const CASES = [
  open,
  everyday,
  uncompacted,
  append,
  appendBeside,
  path,
  context,
  tree,
  children,
  branchAppend,
  branchBurst,
  agentBranch,
  fork,
  list,
  search,
  history,
  memory,
  manySessions,
  terminal,
  page,
  commands,
  start,
  rpcBlock,
  foreign,
  foreignLists,
  files,
  sandbox,
  stores,
  bundleSize,
];
