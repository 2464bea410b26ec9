/** `bough tree`: the rows of the tree as lines, or as JSON. */

import { boughHome, type SessionManager } from "@bough/session/session/index.js";
import {
  describeRow,
  initialTree,
  type Line,
  layoutTree,
  lineText,
  type Stretch,
  selectEntry,
  type TreeFilter,
  TreeModel,
  type TreeRow,
  type TreeState,
} from "@bough/session/view/index.js";
import { findEntry } from "@bough/workbench/find/index.js";
import { entryOrigins } from "@bough/workbench/store/internal.js";
import { usageError } from "../../cli-error.js";
import { openToLook } from "../open-to-look.js";
import { sessionArgument } from "../session-argument.js";
import { sessionFacts } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { DRAWING_FLAGS } from "../subcommand-flag.js";

export const row: SubcommandRow = {
  name: "tree",
  usage: "[session]",
  summary: "Show a session as a tree",
  details:
    "Shows the same rows as the tree in the terminal: the current path as the trunk, other branches folded. With session#entry, that entry's row is shown and marked. Defaults to the last session in this folder. Also accepts a session from Claude Code, Codex, opencode, Gemini CLI or pi, by path, ID or agent:ID; it is never modified.",
  flags: {
    filter: {
      value: "filter",
      choices: ["default", "no-tools", "user-only", "labeled-only", "all"],
      help: "entries to show (default user-only)",
    },
    "all-branches": { help: "unfold every branch" },
    whole: { help: "show long paths in full" },
    ...DRAWING_FLAGS,
  },
  examples: [
    ["tree", "the last session in this folder"],
    ["tree 4f2a --filter default", "include answers and tools"],
    ["tree 'parser session' --all-branches", "every branch unfolded"],
    ["tree claude-code:4f2a", "another agent's session, in place"],
  ],
  json: '{ "session": { id, path, name, leafId, agent? }, "rows": [{ kind, entryId, depth, branch, sign, text, turns?, entries?, tools, files, labels, trouble, active, time, leftOut? }] }',
  args: { least: 0, most: 1 },
  completes: "sessions",
};

const LEAST_WIDTH = 20;
/** The header, rules, notices and the footer, which are cut off again. */
const AROUND = 16;
/** More than any session has. */
const EVERYTHING = 1e9;

export async function run(call: SubcommandCall): Promise<number> {
  const { out, flags } = call;
  const width = flags.count("width") ?? out.width;
  if (width < LEAST_WIDTH) throw usageError(`--width needs at least ${LEAST_WIDTH} columns`);
  const argument = await sessionArgument(call.args[0], call.places, call);
  const { place } = argument;
  const { session, foreign, close } = await openToLook(argument, call);
  try {
    const origins = entryOrigins(boughHome(), session.getSessionId());
    const model = new TreeModel(session.getSource(), undefined, () => origins);
    const state = stateFor(call, { session, model, place });
    if (out.json) {
      await out.values({ session: sessionFacts(session, foreign) }, "rows", jsonRows(model, state));
    } else {
      await out.lines(treeLines(call, { model, state, width, marked: place !== undefined }));
    }
    return 0;
  } finally {
    close();
  }
}

interface TreeParts {
  readonly session: SessionManager;
  readonly model: TreeModel;
  readonly place: string | undefined;
}

function stateFor({ flags }: SubcommandCall, { session, model, place }: TreeParts): TreeState {
  const filter = (flags.text("filter") ?? "user-only") as TreeFilter;
  let state: TreeState = { ...initialTree(filter), preview: "off" };
  if (flags.isOn("all-branches")) state = withEveryBranch(model, state);
  if (place !== undefined)
    state = selectEntry(model, state, session.getSource().tree.ids.findText(findEntry(session, place)));
  if (flags.isOn("whole")) state = withWholePaths(model, state);
  return state;
}

function withEveryBranch({ branches }: TreeModel, state: TreeState): TreeState {
  const opened = new Set<number>();
  const more = new Map<number, number>();
  for (let branch = 1; branch <= branches.count; branch++) {
    const first = branches.firstOf(branch);
    opened.add(first);
    more.set(branches.forkPointOf(branch), EVERYTHING);
    // Seen from a path that took a later turn, the first continuation is drawn beside it too.
    const fork = branches.forkPointOf(branch);
    const firstWay = branches.firstChildOf(fork);
    if (firstWay >= 0) opened.add(firstWay);
  }
  return { ...state, opened, more };
}

function withWholePaths(_model: TreeModel, state: TreeState): TreeState {
  const whole: Stretch = { anchor: -1, above: EVERYTHING, below: 0 };
  const stretches = new Map<number, Stretch>([[-1, whole]]);
  for (const first of state.opened) stretches.set(first, whole);
  return { ...state, stretches };
}

interface DrawnTree {
  readonly model: TreeModel;
  readonly state: TreeState;
  readonly width: number;
  /** Whether the selected row was asked for. */
  readonly marked: boolean;
}

function treeLines(call: SubcommandCall, { model, state, width, marked }: DrawnTree): Line[] {
  const glyphs = call.out.glyphs({ ascii: call.flags.isOn("ascii") });
  const { lines } = layoutTree(model, state, {
    width,
    height: model.rows(state).rows.length + AROUND,
    glyphs,
    now: call.now().getTime(),
    hint: () => undefined,
  });
  // Drops the key hints below the last rule: there is no keyboard here.
  const foot = lines.findLastIndex(
    (line) => lineText(line).trim().split(glyphs.rule).join("") === "" && lineText(line).trim() !== "",
  );
  const shown = lines.slice(0, foot > 1 ? foot : lines.length);
  while (lineText(shown.at(-1) ?? [{ text: "x", tone: "text" }]).trim() === "") shown.pop();
  return marked ? [...shown] : shown.map((line) => withoutMark(line, glyphs.selected));
}

/** The leaf's row is selected by default; here that only highlights it. */
function withoutMark(line: Line, mark: string): Line {
  if (!line.some(({ tone }) => tone === "select")) return line;
  let found = false;
  return line.map(({ text, tone }) => {
    const at = found ? -1 : text.indexOf(mark);
    if (at >= 0) found = true;
    const clean = at < 0 ? text : `${text.slice(0, at)}${" ".repeat(mark.length)}${text.slice(at + mark.length)}`;
    return { text: clean, tone: tone === "select" ? "here" : tone };
  });
}

function* jsonRows(model: TreeModel, state: TreeState): Generator<unknown> {
  for (const row of model.rows(state).rows) yield jsonRow(model, state, row);
}

function jsonRow(model: TreeModel, state: TreeState, row: TreeRow): Readonly<Record<string, unknown>> {
  const parts = describeRow(model, state, row);
  return {
    kind: row.kind,
    entryId: row.n < 0 ? null : model.source.tree.ids.textOf(row.n),
    depth: row.rails.length,
    branch: parts.branch ?? (row.n < 0 ? null : model.branches.branchOf(row.n)),
    sign: parts.sign,
    text: parts.text,
    ...(parts.length === undefined ? {} : { [parts.length.of]: parts.length.count }),
    tools: parts.tools,
    files: parts.files,
    labels: parts.labels.map(({ label }) => label),
    ...(parts.replicas.length === 0 ? {} : { replicas: parts.replicas }),
    trouble: parts.trouble ?? null,
    active: parts.active,
    time: parts.time === 0 || !Number.isFinite(parts.time) ? null : new Date(parts.time).toISOString(),
    ...(row.kind === "earlier" || row.kind === "later" || row.kind === "more"
      ? { leftOut: { count: row.count, of: row.counts } }
      : {}),
  };
}
