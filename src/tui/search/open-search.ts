/** /search: words over this session and all others, landing on the entry. */
import { openFile, showOutcome, workingSentence } from "../../command/index.js";
import type { SearchHit } from "../../session/index.js";
import { firstWords } from "../../text/index.js";
import type { LayoutOptions } from "../../view/index.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import type { ListView } from "../list/list-content.js";
import { ListPanel } from "../list/list-panel.js";
import { askToJoin } from "../resume/resume-questions.js";
import { layoutHits } from "./layout-hits.js";
import { SearchRun, type SearchScope } from "./search-run.js";

interface Chosen {
  readonly hit: SearchHit;
  readonly where: "conversation" | "tree";
}

export const openSearch: Screen<"search"> = async (app, request) => {
  const chosen = await app.desk.open<Chosen | undefined>((done) => new SearchScreen(app, request.words, done).panel);
  if (chosen !== undefined) await land(app, chosen);
};

/** Goes to the session of the hit, and there to the entry: in the conversation where it is shown, else in the tree. */
async function land(app: ScreenApp, { hit, where }: Chosen): Promise<void> {
  const { world } = app;
  if (world.agent.session.getSessionFile() !== hit.path) {
    const outcome = await openFile(world, hit.path);
    showOutcome(world.front, outcome);
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
  /** The words that are being looked for: a search begins when they are entered, not with every letter. */
  #searched = "";
  #scope: SearchScope;

  constructor(app: ScreenApp, words: string, done: (chosen: Chosen | undefined) => void) {
    this.#app = app;
    this.#done = done;
    this.#words = words.trim();
    this.#scope = app.world.agent.session.getSessionFile() === undefined ? "folder" : "session";
    this.panel = new ListPanel(
      app.desk,
      {
        name: "search",
        typing: "asked",
        count: () => this.#run?.hits.length ?? 0,
        layout: (view, options) => this.#layout(view, options),
        onWords: (typed) => this.#typed(typed),
        onEntered: () => this.#search(),
        act: (action) => this.#act(action),
        close: () => done(undefined),
        stop: () => this.#run?.stop() ?? false,
        keptWords: () => this.#searched,
        offReason: (action) => this.#offReason(action),
        dispose: () => this.#run?.stop(),
      },
      { words: this.#words, typing: this.#words === "" },
    );
    this.#search();
  }

  get #current(): string | undefined {
    return this.#app.world.agent.session.getSessionFile();
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
    const { desk, world } = this.#app;
    const places = { file: this.#current, dir: world.sessionDir };
    this.#run = new SearchRun(this.#words, { scope: this.#scope, places, changed: () => desk.redraw() });
    this.panel.select(0);
  }

  /** A session in memory has no file that could be searched; the tree has its own search. */
  #nextScope(): SearchScope {
    const scopes = SCOPES.filter((scope) => scope !== "session" || this.#current !== undefined);
    return scopes[(scopes.indexOf(this.#scope) + 1) % scopes.length] as SearchScope;
  }

  #offReason(action: string): string | undefined {
    const needsHit = ["search.enter", "search.tree", "search.copy"].includes(action);
    const hit = this.#run?.hits[this.panel.selected];
    if (needsHit && hit === undefined) return "No hit is selected.";
    if ((action === "search.enter" || action === "search.tree") && hit?.path !== this.#current) {
      return this.#app.world.agent.operation === undefined ? undefined : workingSentence("change the session");
    }
    return undefined;
  }

  #act(action: string): boolean {
    if (action === "search.scope") {
      this.#scope = this.#nextScope();
      this.#words = this.#searched;
      this.#search();
      return true;
    }
    const hit = this.#run?.hits[this.panel.selected];
    if (hit === undefined) return false;
    switch (action) {
      case "search.enter":
        void this.#go({ hit, where: "conversation" });
        return true;
      case "search.tree":
        void this.#go({ hit, where: "tree" });
        return true;
      case "search.copy":
        this.#app.desk.copy(hit.address);
        this.#app.desk.status(`Copied ${firstWords(hit.address)}`, "good");
        return true;
      default:
        return false;
    }
  }

  async #go(chosen: Chosen): Promise<void> {
    const { hit } = chosen;
    if (hit.path === this.#current || (await askToJoin(this.#app, hit.path))) this.#done(chosen);
  }
}
