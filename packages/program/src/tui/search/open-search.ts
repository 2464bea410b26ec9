/** /search: searches this session and all others, and jumps to the entry. */

import type { SearchHit } from "@bough/session/session/index.js";
import { firstWords, nextOf } from "@bough/session/text/index.js";
import type { LayoutOptions } from "@bough/session/view/internal.js";
import { openFile, showOutcome } from "../../command/index.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import { bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import type { OffReason } from "../keys/off-reason.js";
import { workingOffer } from "../keys/working-offer.js";
import type { ListView } from "../list/list-content.js";
import { listMoves } from "../list/list-moves.js";
import { ListPanel } from "../list/list-panel.js";
import { askToJoin } from "../resume/resume-questions.js";
import { layoutHits } from "./layout-hits.js";
import { SearchRun, type SearchScope } from "./search-run.js";

interface Chosen {
  readonly hit: SearchHit;
  readonly where: "conversation" | "tree";
}

export const openSearch: Screen<"search"> = async (app, request) => {
  const chosen = await app.host.open<Chosen | undefined>((done) => new SearchScreen(app, request.words, done).panel);
  if (chosen !== undefined) await land(app, chosen);
};

/** Opens the hit's session and goes to the entry: in the conversation if it is shown there, otherwise in the tree. */
async function land(app: ScreenApp, { hit, where }: Chosen): Promise<void> {
  const { context } = app;
  if (context.agent.session.getSessionFile() !== hit.path) {
    const outcome = await openFile(context, hit.path);
    showOutcome(context.front, outcome);
    if (outcome.kind !== "done") return;
  }
  if (where === "conversation" && hit.state === "active" && app.showEntry(hit.entryId)) return;
  await app.open({ screen: "tree", select: hit.entryId });
}

const SCOPES: readonly SearchScope[] = ["session", "folder", "all"];

class SearchScreen {
  readonly panel: ListPanel;
  readonly #app: ScreenApp;
  readonly #done: (chosen: Chosen | undefined) => void;
  #run: SearchRun | undefined;
  #words: string;
  /** The current search words. A search starts when they are entered, not with every letter. */
  #searched = "";
  #scope: SearchScope;

  constructor(app: ScreenApp, words: string, done: (chosen: Chosen | undefined) => void) {
    this.#app = app;
    this.#done = done;
    this.#words = words.trim();
    this.#scope = app.context.agent.session.getSessionFile() === undefined ? "folder" : "session";
    this.panel = new ListPanel(
      app.host,
      {
        name: "search",
        typing: "asked",
        count: () => this.#run?.hits.length ?? 0,
        layout: (view, options) => this.#layout(view, options),
        onWords: (typed) => this.#typed(typed),
        onEntered: () => this.#search(),
        keys: bindKeys(SEARCH_KEYS, this),
        close: () => done(undefined),
        stop: () => this.#run?.stop() ?? false,
        keptWords: () => this.#searched,
        dispose: () => this.#run?.stop(),
      },
      { words: this.#words, typing: this.#words === "" },
    );
    this.#search();
  }

  get #current(): string | undefined {
    return this.#app.context.agent.session.getSessionFile();
  }

  #layout(view: ListView, options: LayoutOptions) {
    return layoutHits({ ...view, run: this.#run, scope: this.#scope, current: this.#current }, options);
  }

  #typed(words: string): void {
    this.#words = words.trim();
  }

  #search(): void {
    this.#run?.stop();
    this.#run = undefined;
    this.#searched = this.#words;
    if (this.#words === "") return;
    const { host, context } = this.#app;
    const places = { file: this.#current, dir: context.sessionDir };
    this.#run = new SearchRun(this.#words, { scope: this.#scope, places, changed: () => host.redraw() });
    this.panel.select(0);
  }

  /** A session in memory has no file to search; its tree can be searched. */
  #nextScope(): SearchScope {
    const scopes = SCOPES.filter((scope) => scope !== "session" || this.#current !== undefined);
    return nextOf(scopes, this.#scope);
  }

  get hit(): SearchHit | undefined {
    return this.#run?.hits[this.panel.selected];
  }

  /** Why the hit cannot be opened. */
  get goingOff(): OffReason | undefined {
    if (this.hit === undefined) return NO_HIT;
    if (this.hit.path === this.#current || this.#app.context.agent.operation === undefined) return undefined;
    const { front, agent } = this.#app.context;
    return workingOffer("change the session", front, agent.operation);
  }

  searchWider(): void {
    this.#scope = this.#nextScope();
    this.#words = this.#searched;
    this.#search();
  }

  copyAddress(): void {
    if (this.hit === undefined) return;
    this.#app.host.copy(this.hit.address);
    this.#app.host.status(`Copied ${firstWords(this.hit.address)}`, "good");
  }

  async go(where: Chosen["where"]): Promise<void> {
    const { hit } = this;
    if (hit === undefined) return;
    if (hit.path === this.#current || (await askToJoin(this.#app, hit.path))) this.#done({ hit, where });
  }
}

const NO_HIT = "No result selected.";

/** The keys of the search over sessions. */
export const SEARCH_KEYS: ScreenKeys<SearchScreen> = {
  title: "Search",
  actions: [
    ...listMoves({ scope: "search", thing: "hit", kind: "letters" }),
    key("search.enter", ["enter"], "go to this entry, in its session", {
      run: (screen) => void screen.go("conversation"),
      disabled: ({ goingOff }) => goingOff,
    }),
    key("search.search", ["/"], "change the search", ({ panel }) => panel.startSearch()),
    key("search.scope", ["tab"], "cycle scope: this session, this folder, all sessions", (screen) =>
      screen.searchWider(),
    ),
    key("search.tree", ["t"], "show this entry in the tree", {
      run: (screen) => void screen.go("tree"),
      disabled: ({ goingOff }) => goingOff,
    }),
    key("search.copy", ["y"], "copy the address of this entry", {
      run: (screen) => screen.copyAddress(),
      disabled: ({ hit }) => (hit === undefined ? NO_HIT : undefined),
    }),
    key("search.help", ["?", "f1"], "show all keys", ({ panel }) => panel.help()),
    key("search.close", ["esc", "q", "ctrl+c"], "stop the search, then close", ({ panel }) => panel.close()),
  ],
};
