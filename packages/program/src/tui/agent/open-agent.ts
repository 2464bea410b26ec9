/** /agent: who does the turns; which agents are installed, whether they work, and what they bill. */
import { firstWords } from "@bough/session/text/index.js";
import { runCommandLine, showOutcome } from "../../command/index.js";
import { type AgentFacts, agentFacts, OWN_AGENT } from "../../command/internal.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import { bindKeys, keyOnRow, type ScreenKeys } from "../keys/key-table.js";
import { listEnds, listMoves } from "../list/list-moves.js";
import { ListPanel } from "../list/list-panel.js";
import { type AgentRow, agentRows, layoutAgents } from "./agent-rows.js";

export const openAgent: Screen<"agent"> = async (app) => {
  const name = await app.host.open<string>((done) => new AgentScreen(app, done).panel);
  if (name === undefined || name === "") return;
  showOutcome(app.context.front, await runCommandLine(app.context, `/agent ${name}`));
};

class AgentScreen {
  readonly panel: ListPanel;
  readonly #app: ScreenApp;
  readonly #done: (name: string) => void;
  readonly #stopping = new AbortController();
  readonly #looking = new Set<string>();
  #facts: readonly AgentFacts[] = [];

  constructor(app: ScreenApp, done: (name: string) => void) {
    this.#app = app;
    this.#done = done;
    this.panel = new ListPanel(app.host, {
      name: "agent",
      typing: "asked",
      count: () => this.#rows().length,
      layout: (view, options) => layoutAgents({ ...view, rows: this.#rows(), model: this.#model }, options),
      keys: bindKeys(AGENT_KEYS, this),
      close: () => done(""),
      dispose: () => this.#stopping.abort(),
    });
    void this.#look();
  }

  get row(): AgentRow | undefined {
    return this.#rows()[this.panel.selected];
  }

  get #current(): string {
    return this.#app.context.agent.driver?.name ?? OWN_AGENT;
  }

  get #model(): string | undefined {
    const { model } = this.#app.context.agent;
    return model && `${model.info.provider}/${model.info.id}`;
  }

  #rows(): readonly AgentRow[] {
    return agentRows(this.#facts, { current: this.#current, looking: this.#looking });
  }

  /** Looks for the programs, which starts none of them. */
  async #look(): Promise<void> {
    await this.#found({ start: false });
    const at = this.#rows().findIndex(({ isCurrent }) => isCurrent);
    if (at > 0) this.panel.select(at);
  }

  async #found({
    start,
    agents,
  }: {
    readonly start: boolean;
    readonly agents?: readonly AgentFacts["agent"][];
  }): Promise<void> {
    const { context, host } = this.#app;
    const { signal } = this.#stopping;
    try {
      const found = await agentFacts({
        ...{ env: process.env, version: context.version ?? "0", start, signal },
        ...(agents === undefined ? {} : { agents }),
      });
      const others = this.#facts.filter(({ agent }) => !found.some((one) => one.agent.name === agent.name));
      const order =
        agents === undefined
          ? found
          : this.#facts.map((one) => found.find(({ agent }) => agent.name === one.agent.name) ?? one);
      this.#facts = order.length > 0 ? order : [...others, ...found];
    } catch (error) {
      if (!signal.aborted) host.status(firstWords(String(error)), "warning");
    }
    if (!signal.aborted) host.redraw();
  }

  choose({ name }: AgentRow): void {
    this.#done(name);
  }

  async logIn(row: AgentRow): Promise<void> {
    const { context } = this.#app;
    const outcome = await runCommandLine(context, `/agent login ${row.name}`);
    showOutcome(context.front, outcome);
    if (outcome.kind === "done") await this.check(row);
  }

  /** Starts it, to see its version and whether it needs a login. */
  async check({ name, facts }: AgentRow): Promise<void> {
    if (facts === undefined || this.#looking.has(name)) return;
    this.#looking.add(name);
    this.#app.host.redraw();
    try {
      await this.#found({ start: true, agents: [facts.agent] });
    } finally {
      this.#looking.delete(name);
    }
    this.#app.host.redraw();
  }
}

const onRow = keyOnRow(
  ({ row }: AgentScreen) => row,
  () => "No agent is selected.",
);

function isMissing({ facts, title }: AgentRow): string | undefined {
  return facts?.state.kind === "missing" ? `${title} is not installed.` : undefined;
}

/** The keys of the list of agents. */
export const AGENT_KEYS: ScreenKeys<AgentScreen> = {
  title: "Agents",
  actions: [
    ...listMoves({ scope: "agent", thing: "agent", kind: "letters" }),
    onRow("agent.enter", ["enter"], "let it do the turns from here on", {
      run: (screen, row) => screen.choose(row),
      disabled: (_, row) => isMissing(row) ?? (row.isCurrent ? `${row.title} does the turns already.` : undefined),
    }),
    onRow("agent.check", ["c"], "start it, to see its version and whether it needs a login", {
      run: (screen, row) => void screen.check(row),
      disabled: (_, row) => (row.facts === undefined ? "Bough's own agent needs no check." : isMissing(row)),
    }),
    onRow("agent.login", ["l"], "log in with its own program", {
      run: (screen, row) => void screen.logIn(row),
      disabled: (_, row) => (row.facts === undefined ? "/login saves keys for Bough's own agent." : isMissing(row)),
    }),
    ...listEnds("agent", "letters"),
  ],
};
