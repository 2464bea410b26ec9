/** /context: what the model sees, by size; with editing, dropping and pinning. */

import type { ContextEditRequest } from "@bough/agent/agent/index.js";
import { CodedError, type EntryId, type SessionEntry } from "@bough/session/entry/index.js";
import { firstWords, type Notice, shortCount } from "@bough/session/text/index.js";
import {
  type ContextRow,
  type ContextSort,
  contextRows,
  type LayoutOptions,
  layoutContext,
} from "@bough/session/view/internal.js";
import { failureNotice } from "../../command/index.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import { bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import type { OffReason } from "../keys/off-reason.js";
import { workingOffer } from "../keys/working-offer.js";
import type { ListView } from "../list/list-content.js";
import { listEnds, listMoves } from "../list/list-moves.js";
import { ListPanel } from "../list/list-panel.js";
import { showPager, textLines } from "../list/pager.js";
import { askLongText } from "../questions/ask-long-text.js";
import { ContextItems } from "./context-items.js";
import { editableText, readableText, withText } from "./entry-content.js";

export const openContext: Screen<"context"> = async (app) => {
  const shown = await app.host.open<EntryId | undefined>((done) => new ContextScreen(app, done).panel);
  if (shown !== undefined) await app.open({ screen: "tree", select: shown });
};

interface OrderedRows {
  /** Totals over the items the rows were made from. */
  readonly count: number;
  readonly rows: readonly ContextRow[];
  readonly total: number;
}

/** Entries to read in one slice: a few milliseconds. */
const AT_ONCE = 200;

class ContextScreen {
  readonly panel: ListPanel;
  readonly #app: ScreenApp;
  readonly #done: (inTree: EntryId | undefined) => void;
  readonly #stopListening: () => void;
  #reading = new AbortController();
  #items: ContextItems;
  #sort: ContextSort = "order";
  /** The row to select once it has been read again. */
  #selectLater: EntryId | undefined;
  #rows: OrderedRows | undefined;

  constructor(app: ScreenApp, done: (inTree: EntryId | undefined) => void) {
    this.#app = app;
    this.#done = done;
    this.panel = new ListPanel(app.host, {
      name: "context",
      typing: "asked",
      count: () => this.#listed().length,
      layout: (view, options) => this.#layout(view, options),
      keys: bindKeys(CONTEXT_KEYS, this),
      close: () => done(undefined),
      dispose: () => {
        this.#reading.abort();
        this.#stopListening();
      },
    });
    this.#items = new ContextItems(app.context.agent);
    this.#read();
    const news = new Set(["message_end", "moved", "compacted", "entries", "session_changed", "model_changed"]);
    this.#stopListening = app.onEvent(({ type }) => {
      if (news.has(type)) this.#lookAgain();
    });
  }

  #lookAgain(): void {
    const selected = this.row?.id;
    this.#items = new ContextItems(this.#app.context.agent);
    this.#read();
    // Reading the same entries again is quick; the rows keep their places until then.
    if (selected !== undefined) this.#selectLater = selected;
  }

  #read(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#rows = undefined;
    const items = this.#items;
    const { host } = this.#app;
    // Most contexts are read in one go, to avoid flicker; long ones continue between keys.
    let left = AT_ONCE;
    if (items.advance(() => --left <= 0) === "done") {
      host.redraw();
      return;
    }
    host.inSlices((deadline) => {
      const state = items.advance(deadline);
      host.redraw();
      return state;
    }, this.#reading.signal);
  }

  #listed(): readonly ContextRow[] {
    return this.#ordered().rows;
  }

  /**
   * Rebuilt when everything is read, and occasionally before: sorting thousands of rows costs more than reading some.
   */
  #ordered(): OrderedRows {
    const { items, isComplete } = this.#items;
    const known = this.#rows?.count ?? 0;
    if (this.#rows === undefined || (items.length !== known && (isComplete || items.length > known * 2))) {
      let total = 0;
      for (const { tokens } of items) total += tokens;
      this.#rows = { count: items.length, rows: contextRows(items, this.#sort), total };
    }
    return this.#rows;
  }

  #layout(view: ListView, options: LayoutOptions) {
    const { rows, total } = this.#ordered();
    const selected = this.#placeOf(rows, view.selected);
    const window = this.#app.context.agent.contextWindow;
    const said = this.#items.counted;
    // Models that count only messages, such as the offline one, did not count this.
    const size = said === undefined || said.tokens < this.#items.fixedTokens ? { tokens: total, counted: 0 } : said;
    const state = {
      ...view,
      rows,
      selected,
      sort: this.#sort,
      window,
      total: size.tokens,
      counted: size.counted,
      cached: said?.cached,
    };
    return layoutContext(state, options);
  }

  #placeOf(rows: readonly ContextRow[], selected: number): number {
    if (this.#selectLater === undefined) return selected;
    const at = rows.findIndex(({ id }) => id === this.#selectLater);
    if (at < 0 && !this.#items.isComplete) return selected;
    this.#selectLater = undefined;
    if (at < 0) return selected;
    this.panel.select(at);
    return at;
  }

  get row(): ContextRow | undefined {
    return this.#listed()[this.panel.selected];
  }

  /** Why the selected row cannot be changed. */
  get changingOff(): OffReason | undefined {
    if (this.row?.id === undefined)
      return "This part comes from settings, project files and tools, and cannot be changed here.";
    const { agent, front } = this.#app.context;
    if (this.#app.readOnly || agent.session.getReadOnlyReason() !== undefined) return "The session is read-only.";
    return agent.operation === undefined ? undefined : workingOffer("change this", front, agent.operation);
  }

  sort(): void {
    this.#selectLater = this.row?.id;
    this.#sort = this.#sort === "order" ? "size" : "order";
    this.#rows = undefined;
  }

  copy(row: ContextRow): void {
    this.#app.host.copy(this.#textOf(row));
    this.#app.host.status("Copied.", "good");
  }

  showInTree({ id }: ContextRow): void {
    if (id !== undefined) this.#done(id);
  }

  async edit(row: ContextRow): Promise<void> {
    const entry = this.#entryOf(row);
    if (entry === undefined) return;
    const before = editableText(entry, this.#items.editOf(entry.id) ?? undefined);
    const title = "What the model sees instead. The session keeps the original.";
    const text = await askLongText(this.#app.host, { name: "context-edit", title, text: before });
    if (text === undefined || text === before) return;
    const edit = { kind: "replace", content: withText(entry, text) } as const;
    await this.change(row, edit, "The model now sees your text. The session keeps the original.");
  }

  async change(row: ContextRow, edit: ContextEditRequest["edit"], said: string): Promise<void> {
    const { host, context } = this.#app;
    try {
      await context.agent.editContext(row.id as EntryId, edit);
      host.status(said, "good");
      this.#lookAgain();
    } catch (error) {
      host.status(noticeOf(error), "error");
    }
  }

  pin(row: ContextRow): void {
    const { host, context } = this.#app;
    try {
      if (row.pinned === true) context.agent.unpin(row.id as EntryId);
      else context.agent.pin(row.id as EntryId);
      host.status(row.pinned === true ? "Unpinned." : "Pinned. Compactions keep this text verbatim.", "good");
      this.#lookAgain();
    } catch (error) {
      host.status(noticeOf(error), "error");
    }
  }

  read(row: ContextRow): void {
    const text = this.#textOf(row);
    const state =
      row.leftOut === true ? "hidden from the model; this is the original" : row.edited === true ? "edited" : "";
    void showPager(this.#app.host, {
      name: "context-message",
      title: firstWords(`${row.kind}: ${row.title}`, 200),
      note: () => `${state === "" ? "" : `${state}  `}${this.#app.host.glyphs.about}${shortCount(row.tokens)} tokens`,
      text,
      lines: (width: number) => textLines(text, width),
    });
  }

  #textOf(row: ContextRow): string {
    const { agent } = this.#app.context;
    if (row.kind === "system") return agent.systemPrompt;
    if (row.kind === "tools") {
      return agent.tools.map(({ name, description }) => `${name}\n${description}`).join("\n\n");
    }
    const entry = this.#entryOf(row);
    if (entry === undefined) return "";
    return readableText(entry, this.#items.editOf(entry.id) ?? undefined);
  }

  #entryOf(row: ContextRow): SessionEntry | undefined {
    return row.id === undefined ? undefined : this.#app.context.agent.session.getEntry(row.id);
  }
}

/** For keys that act on the selected row. */
function onRow(act: (screen: ContextScreen, row: ContextRow) => void): (screen: ContextScreen) => void {
  return (screen) => screen.row && act(screen, screen.row);
}

/** The keys of the list of what the model sees. */
export const CONTEXT_KEYS: ScreenKeys<ContextScreen> = {
  title: "Context",
  actions: [
    ...listMoves({ scope: "context", thing: "message", kind: "letters" }),
    key("context.enter", ["enter", "v"], "read the whole message", {
      run: onRow((screen, row) => screen.read(row)),
    }),
    key("context.edit", ["e"], "edit what the model sees; the session keeps the original", {
      run: onRow((screen, row) => void screen.edit(row)),
      disabled: ({ changingOff }) => changingOff,
    }),
    key("context.leaveOut", ["x"], "hide it from the model", {
      run: onRow((screen, row) => {
        void screen.change(row, { kind: "leave-out" }, "Hidden from the model. The session keeps it.");
      }),
      disabled: ({ changingOff, row, panel }) => {
        if (changingOff !== undefined) return changingOff;
        return row?.leftOut === true ? `Already hidden. ${panel.hint("context.restore")} restores it.` : undefined;
      },
    }),
    key("context.restore", ["r"], "show the model the original again", {
      run: onRow((screen, row) => {
        void screen.change(row, { kind: "original" }, "The model sees the original again.");
      }),
      disabled: ({ changingOff, row }) => {
        if (changingOff !== undefined) return changingOff;
        return row?.leftOut !== true && row?.edited !== true ? "Nothing to restore: this is the original." : undefined;
      },
    }),
    key("context.pin", ["p"], "pin or unpin it; compactions keep pinned text verbatim", {
      run: onRow((screen, row) => screen.pin(row)),
      disabled: ({ changingOff }) => changingOff,
    }),
    key("context.sort", ["o", "tab"], "sort by order or by size", (screen) => screen.sort()),
    key("context.tree", ["t"], "show it in the tree", {
      run: onRow((screen, row) => screen.showInTree(row)),
      disabled: ({ row }) => (row?.id === undefined ? "This part is not in the tree." : undefined),
    }),
    key("context.copy", ["y"], "copy its text", {
      run: onRow((screen, row) => screen.copy(row)),
    }),
    ...listEnds("context", "letters"),
  ],
};

function noticeOf(error: unknown): Notice {
  if (error instanceof CodedError) return failureNotice(error);
  throw error;
}
