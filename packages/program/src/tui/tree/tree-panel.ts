/** The tree in a panel: paints the view's rows, and runs what keys mean. */

import type { AgentEvent } from "@bough/agent/agent/index.js";
import type { FollowEvent } from "@bough/session/session/index.js";
import { layoutTree, lineText, type TreeLayout } from "@bough/session/view/index.js";
import { displayWidth, graphemesOf } from "@bough/session/view/internal.js";
import { frameOfLines } from "../host/frame-of-lines.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import { withMessage } from "../host/with-message.js";
import type { KeyPress } from "../keys/key-press.js";
import { type BoundKeys, bindKeys } from "../keys/key-table.js";
import type { OffReason } from "../keys/off-reason.js";
import type { TextField } from "../questions/text-field.js";
import { handleLabelKey } from "./label-field.js";
import type { OpenedTree } from "./opened-tree.js";
import { endSearch, handleSearchKey, pasteIntoSearch } from "./search-field.js";
import { TREE_KEYS } from "./tree-keys.js";

/** Events that may change rows or the position. */
const NEWS: ReadonlySet<AgentEvent["type"]> = new Set([
  "entries",
  "message_end",
  "moved",
  "compacted",
  "run_start",
  "run_end",
  "summary_end",
]);

/** Actions that are called otherwise in the table of keys. */
const HINTS: Partial<Record<string, string>> = { fork: "tree.forkSession", resize: "everywhere.enlarge" };

export class TreePanel implements Panel {
  readonly name = "tree";
  readonly share = "half";
  readonly wants = "rows";
  readonly keyScope = "tree";
  readonly #tree: OpenedTree;
  readonly #keys: BoundKeys;
  readonly #subscriptions: readonly (() => void)[];
  readonly #warming = new AbortController();
  #top: string | undefined;
  #size: Size = { width: 80, height: 24 };

  constructor(tree: OpenedTree) {
    this.#tree = tree;
    this.#keys = bindKeys(TREE_KEYS, tree);
    const { app } = tree;
    this.#subscriptions = [
      app.onEvent((event) => this.#onAgentEvent(event)),
      app.onFollow((event) => this.#others(event)),
    ];
    tree.differing.look();
    app.host.inSlices(() => tree.model.warmUp(), this.#warming.signal);
  }

  get said(): OffReason | undefined {
    return this.#tree.message;
  }

  set said(message: OffReason | undefined) {
    this.#tree.say(message);
  }

  draw(size: Size): Frame {
    const tree = this.#tree;
    const { host } = tree.app;
    const layout = this.#layout(size);
    this.#size = size;
    this.#top = layout.top;
    tree.pageSize = Math.max(1, layout.listHeight);
    tree.width = size.width;
    return frameOfLines(host, size, { ...layout, lines: withMessage(layout.lines, tree.message, size) });
  }

  #layout(size: Size): TreeLayout {
    const tree = this.#tree;
    const { host } = tree.app;
    const { mode } = tree;
    const typed = mode.kind === "search" || mode.kind === "label" ? typedText(mode.field) : undefined;
    return layoutTree(tree.model, tree.state, {
      ...size,
      glyphs: host.glyphs,
      now: host.now(),
      hint: (action) => host.keys.hint(HINTS[action] ?? `tree.${action}`) || undefined,
      resize: size.isWhole === true ? "half screen" : "full screen",
      situation: tree.situation,
      previewTop: tree.previewTop,
      diff: tree.state.preview === "off" ? [] : tree.diff.lines(tree.model, tree.row),
      top: this.#top,
      editing: mode.kind === "label" ? typed : undefined,
      searching: mode.kind === "search" ? typed : undefined,
    });
  }

  handleKey(key: KeyPress): boolean {
    const tree = this.#tree;
    const { mode } = tree;
    if (mode.kind === "search") return handleSearchKey(tree, mode, key);
    if (mode.kind === "label") return handleLabelKey(tree, mode, key);
    tree.message = undefined;
    const action = tree.app.host.keys.actionFor("tree", key);
    if (action === undefined) {
      tree.app.host.redraw();
      return false;
    }
    this.#act(action);
    return true;
  }

  handlePaste(text: string): void {
    const { mode } = this.#tree;
    if (mode.kind === "search") pasteIntoSearch(this.#tree, mode, text);
    else if (mode.kind === "label") mode.field.paste(text);
    this.#tree.app.host.redraw();
  }

  disabledReason(actionId: string): string | undefined {
    return this.#keys.disabledReason(actionId);
  }

  dispose(): void {
    endSearch(this.#tree);
    this.#warming.abort();
    this.#tree.diff.stop();
    for (const end of this.#subscriptions) end();
  }

  #act(action: string): void {
    const tree = this.#tree;
    if (tree.state.preview === "full" && (action === "tree.pageUp" || action === "tree.pageDown")) {
      this.#scrollPreview(action === "tree.pageUp" ? -tree.pageSize : tree.pageSize);
      return;
    }
    const reason = this.#keys.run(action);
    if (reason !== undefined) tree.say(reason);
  }

  /** Full screen, a page is a page of text. Only the view knows its end, after which nothing changes. */
  #scrollPreview(lines: number): void {
    const tree = this.#tree;
    const before = tree.previewTop;
    const shown = this.#text();
    tree.previewTop = Math.max(0, before + lines);
    if (this.#text() === shown) {
      tree.previewTop = before;
      tree.say(lines < 0 ? "This is the start of the text." : "This is the end of the text.");
    } else tree.app.host.redraw();
  }

  #text(): string {
    return this.#layout(this.#size).lines.map(lineText).join("\n");
  }

  #onAgentEvent(event: AgentEvent): void {
    this.#tree.differing.handleEvent(event);
    if (event.type === "session_changed") this.#tree.restart();
    else if (NEWS.has(event.type)) this.#tree.app.host.redraw();
  }

  #others(event: FollowEvent): void {
    if (event.kind === "entries") this.#tree.others(event.ids);
    this.#tree.app.host.redraw();
  }
}

/** The content of a field and its cursor, as the views expect it. */
interface TypedText {
  readonly text: string;
  /** In UTF-16 units. */
  readonly cursor: number;
}

function typedText(field: TextField): TypedText {
  const { text, column } = field.draw(Number.MAX_SAFE_INTEGER);
  let cursor = 0;
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    if (used >= column) break;
    used += displayWidth(segment);
    cursor += segment.length;
  }
  return { text, cursor };
}
