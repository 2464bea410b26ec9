/** /resume and /import: lists sessions to open, import, rename, archive and restore. */

import { lstatSync } from "node:fs";
import { archiveSession, restoreSession } from "@bough/session/session/index.js";
import { firstWords, nextOf } from "@bough/session/text/index.js";
import { type LayoutOptions, layoutSessions, SESSION_SORTS, type SessionRow } from "@bough/session/view/internal.js";
import { looksInStore, sessionsNotHere } from "@bough/workbench/store/internal.js";
import {
  type CommandContext,
  type CommandOutcome,
  type ImportedForeign,
  openFile,
  openImported,
  otherProgramsSession,
  showOutcome,
} from "../../command/index.js";
import { openFetched } from "../../command/internal.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import { bindKeys, key, keyOnRow, type ScreenKeys } from "../keys/key-table.js";
import type { OffReason } from "../keys/off-reason.js";
import { workingOffer } from "../keys/working-offer.js";
import type { ListView } from "../list/list-content.js";
import { listEnds, listMoves } from "../list/list-moves.js";
import { ListPanel } from "../list/list-panel.js";
import { fetchedFile, importWatched } from "./import-or-fetch.js";
import { renameSession } from "./rename-session.js";
import { askToArchive, askToJoin } from "./resume-questions.js";
import { SessionList, type SessionScope } from "./session-list.js";

const SCOPES: readonly SessionScope[] = ["folder", "all", "agents", "archive"];

/** Opens the list and resolves when it is closed, after opening the chosen session. */
export const openResume: Screen<"resume"> = (app, request) => chooseSession(app, "folder", request.search);

/** The same list, starting with other agents' sessions. */
export const openImport: Screen<"import"> = (app, request) => chooseSession(app, "agents", request.search);

async function chooseSession(app: ScreenApp, scope: SessionScope, words = ""): Promise<void> {
  const { context, host } = app;
  const chosen = await host.open<Choice>((done) => new ResumeScreen(app, { scope, words, done }).panel);
  if (chosen === undefined || chosen.kind === "none") return;
  showOutcome(context.front, await opened(context, chosen));
}

function opened(context: CommandContext, chosen: Exclude<Choice, { kind: "none" }>): Promise<CommandOutcome> {
  if (chosen.kind === "imported") return openImported(context, chosen.imported);
  return chosen.kind === "own" ? openFile(context, chosen.file) : openFetched(context, chosen.file);
}

type Choice =
  | { readonly kind: "none" }
  /** `fetched`: it was only in the store. */
  | { readonly kind: "own" | "fetched"; readonly file: string }
  | { readonly kind: "imported"; readonly imported: ImportedForeign };

interface ResumeStart {
  readonly scope: SessionScope;
  readonly words: string;
  readonly done: (choice: Choice) => void;
}

class ResumeScreen {
  readonly panel: ListPanel;
  readonly #app: ScreenApp;
  readonly #done: (choice: Choice) => void;
  readonly #list: SessionList;
  readonly #counting = new AbortController();
  /** Sessions archived since the list was opened: path and name, latest last. */
  readonly #archived: { readonly path: string; readonly title: string }[] = [];
  #visible: readonly SessionRow[] = [];
  #isCounting = false;
  /** Rows arrive and change order; the selection stays on the session the user chose. */
  #chosenPath: string | undefined;
  #lastSelected = -1;
  /** Whether rows were still arriving at the last drawing. */
  #wasReading = true;

  constructor(app: ScreenApp, { scope, words, done }: ResumeStart) {
    this.#app = app;
    this.#done = done;
    const { host, context } = app;
    this.#list = new SessionList({
      dir: context.sessionDir,
      home: context.home,
      agentPlaces: context.agentPlaces,
      notHere: looksInStore(context.home) ? (where) => sessionsNotHere(context, where) : undefined,
      current: () => context.agent.session.getSessionFile(),
      changed: () => host.redraw(),
      failed: (reason, level) => host.status(firstWords(reason), level),
    });
    this.#list.search(words);
    this.#list.show(scope);
    this.panel = new ListPanel(
      host,
      {
        name: "resume",
        typing: "asked",
        count: () => this.#list.rows.length,
        layout: (view, options) => this.#layout(view, options),
        onWords: (typed) => this.#list.search(typed),
        keys: bindKeys(RESUME_KEYS, this),
        close: () => done({ kind: "none" }),
        onDrawn: (first, count) => this.#countVisible(first, count),
        dispose: () => {
          this.#counting.abort();
          this.#list.dispose();
        },
      },
      { words },
    );
  }

  #layout(view: ListView, options: LayoutOptions) {
    const { rows, total, sort, scope, store, reading, searching } = this.#list;
    const selected = this.#followChosen(view.selected);
    const hit = this.#list.hit(rows[selected]?.path ?? "");
    return layoutSessions({ ...view, selected, rows, total, sort, scope, store, reading, searching, hit }, options);
  }

  /** The row of the session that was selected at the last drawing, wherever it is now. */
  #followChosen(selected: number): number {
    const { rows, reading } = this.#list;
    // A user who has not moved yet stays at the top, whatever has arrived.
    const isFilling = reading !== undefined || this.#wasReading;
    this.#wasReading = reading !== undefined;
    const known = selected === 0 && isFilling ? undefined : this.#chosenPath;
    if (known !== undefined && this.#lastSelected === selected && rows[selected]?.path !== known) {
      const at = rows.findIndex(({ path }) => path === known);
      if (at >= 0) {
        this.panel.select(at);
        this.#lastSelected = at;
        return at;
      }
    }
    this.#lastSelected = selected;
    this.#chosenPath = rows[selected]?.path;
    return selected;
  }

  get row(): SessionRow | undefined {
    return this.#list.rows[this.panel.selected];
  }

  get scope(): SessionScope {
    return this.#list.scope;
  }

  /** Why no other session can be opened now. */
  get changingOff(): OffReason | undefined {
    const { agent, front } = this.#app.context;
    return agent.operation === undefined ? undefined : workingOffer("change the session", front, agent.operation);
  }

  showNextScope(): void {
    this.#chosenPath = undefined;
    this.panel.select(0);
    this.#list.show(nextOf(SCOPES, this.#list.scope));
  }

  sort(): void {
    this.#list.sortBy(nextOf(SESSION_SORTS, this.#list.sort));
  }

  get hasArchived(): boolean {
    return this.#archived.length > 0;
  }

  bringBackLast(): void {
    this.bringBack(this.#archived.pop());
  }

  copyPath({ path }: SessionRow): void {
    this.#app.host.copy(path);
    this.#app.host.status(`Copied ${firstWords(path)}`, "good");
  }

  async open(row: SessionRow): Promise<void> {
    if (row.stored !== "") return this.#fetch(row);
    const source = this.#list.foreign(row);
    if (source === undefined) {
      if (await askToJoin(this.#app, row.path)) this.#done({ kind: "own", file: row.path });
      return;
    }
    const imported = await importWatched(this.#app, source);
    if (imported !== undefined) this.#done({ kind: "imported", imported });
  }

  async #fetch(row: SessionRow): Promise<void> {
    const file = await fetchedFile(this.#app, row);
    if (file !== undefined) this.#done({ kind: "fetched", file });
  }

  rename(row: SessionRow): void {
    const { host, context } = this.#app;
    const info = this.#list.info(row.path);
    this.panel.edit({
      title: "Name",
      text: info?.name ?? "",
      done: async (text) => {
        if (text === undefined || info === undefined) return;
        if (leadsElsewhere(row.path) && (await this.#isAnothers(row))) return;
        const outcome = renameSession(context, { path: row.path, name: text.trim() });
        host.status(outcome.message, outcome.kind === "renamed" ? "good" : "error");
        if (outcome.kind === "renamed") this.#list.put({ ...info, name: text.trim() });
      },
    });
  }

  /** A row can be a link to another program's file: say so and do nothing. */
  async #isAnothers(row: SessionRow): Promise<boolean> {
    const { host, context } = this.#app;
    if ((await otherProgramsSession(context, row.path)) === undefined) return false;
    host.status(
      {
        message: `Read-only: this session belongs to another program: ${firstWords(row.path, 120)}`,
        hint: "To continue it here, use /import.",
      },
      "warning",
    );
    return true;
  }

  async archive(row: SessionRow): Promise<void> {
    const { host, context } = this.#app;
    if (leadsElsewhere(row.path) && (await this.#isAnothers(row))) return;
    if (!(await askToArchive(this.#app, row))) return;
    const outcome = archiveSession(row.path, { now: context.now, home: context.home });
    const title = firstWords(row.title, 60);
    switch (outcome.kind) {
      case "archived":
        this.#archived.push({ path: outcome.path, title });
        this.#list.remove(row.path);
        host.status(`Archived "${title}". ${host.keys.hint("resume.undo")} restores it.`, "good");
        return;
      case "in-use": {
        const names = outcome.by.map(({ program, pid }) => `${firstWords(program, 40)} (process ${pid})`).join(", ");
        host.status(`"${title}" is open in ${names}. Nothing changed.`, "warning");
        return;
      }
      case "missing":
        this.#list.remove(row.path);
        host.status(`"${title}" no longer exists.`, "warning");
        return;
      case "failed":
        host.status(`"${title}" could not be archived: ${firstWords(outcome.reason)}`, "error");
    }
  }

  bringBack(archived: { readonly path: string; readonly title: string } | undefined): void {
    if (archived === undefined) return;
    const { host, context } = this.#app;
    const outcome = restoreSession(archived.path, { home: context.home });
    const title = firstWords(archived.title, 60);
    if (outcome.kind === "restored") host.status(`"${title}" restored.`, "good");
    else if (outcome.kind === "missing") host.status(`"${title}" is no longer in the archive.`, "warning");
    else host.status(`"${title}" could not be restored: ${firstWords(outcome.reason)}`, "error");
    // Insert it where it belongs, with the facts from its file.
    this.#list.show(this.#list.scope);
  }

  /** Counts messages and branches of the visible rows, one file at a time, between keys. */
  #countVisible(first: number, count: number): void {
    this.#visible = this.#list.rows.slice(first, first + count);
    if (this.#isCounting || this.#list.uncounted(this.#visible) === undefined) return;
    this.#isCounting = true;
    this.#app.host.inSlices((deadline) => {
      for (;;) {
        const info = this.#list.uncounted(this.#visible);
        if (info === undefined) {
          this.#isCounting = false;
          return "done";
        }
        this.#list.count(info);
        if (deadline()) return "more";
      }
    }, this.#counting.signal);
  }
}

const onRow = keyOnRow(
  ({ row }: ResumeScreen) => row,
  () => "No session is selected.",
);

/** The keys of the list of sessions. */
export const RESUME_KEYS: ScreenKeys<ResumeScreen> = {
  title: "Sessions",
  actions: [
    ...listMoves({ scope: "resume", thing: "session", kind: "letters" }),
    onRow("resume.enter", ["enter"], "open this session; fetch, import or restore it first if it is elsewhere", {
      run: (screen, row) => (screen.scope === "archive" ? screen.bringBack(row) : void screen.open(row)),
      disabled: ({ scope, changingOff }, { current }) => {
        if (current === true) return "This session is already open.";
        return scope === "archive" ? undefined : changingOff;
      },
    }),
    key("resume.search", ["/"], "filter sessions by name, folder, ID and messages", ({ panel }) => panel.startSearch()),
    key("resume.scope", ["tab"], "cycle: this folder, all folders, other agents, archive", (screen) =>
      screen.showNextScope(),
    ),
    key("resume.sort", ["o", "s"], "cycle sort order: recent, name, size", (screen) => screen.sort()),
    onRow("resume.rename", ["m", "r"], "rename this session", {
      run: (screen, row) => screen.rename(row),
      disabled: ({ scope, panel }, { stored }) => {
        if (stored !== "") return notHere(panel);
        if (scope === "agents")
          return `It is another agent's. ${panel.hint("resume.enter")} imports it so you can rename it.`;
        return scope === "archive" ? "Restore it first, then rename it." : undefined;
      },
    }),
    onRow("resume.archive", ["x", "delete"], "move this session to the archive", {
      run: (screen, row) => void screen.archive(row),
      disabled: ({ scope, panel }, { current, stored }) => {
        if (stored !== "") return notHere(panel);
        if (scope === "archive") return `Already archived. ${panel.hint("resume.enter")} restores it.`;
        if (scope === "agents") return "Another agent's sessions cannot be archived.";
        return current === true
          ? { message: "This session is open here.", hint: "Open another one first." }
          : undefined;
      },
    }),
    key("resume.undo", ["z"], "restore the session archived last", {
      run: (screen) => screen.bringBackLast(),
      disabled: ({ hasArchived }) => (hasArchived ? undefined : "Nothing archived since this list was opened."),
    }),
    onRow("resume.copy", ["y"], "copy the path of its file", {
      run: (screen, row) => screen.copyPath(row),
      disabled: ({ panel }, { stored }) => (stored === "" ? undefined : notHere(panel)),
    }),
    ...listEnds("resume", "letters"),
  ],
};

function notHere(panel: ListPanel): string {
  return `It is not on this machine yet. ${panel.hint("resume.enter")} fetches and opens it.`;
}

/** A link, or one of several names for a file: what is listed is not what would be written. */
function leadsElsewhere(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.isSymbolicLink() || stats.nlink > 1);
}
