/** /session: the file, the counts, the tokens and the cost. */
import { todoOnPath } from "@bough/agent/agent/internal.js";
import { firstWords } from "@bough/session/text/index.js";
import type { Line } from "@bough/session/view/index.js";
import { layoutStats, todoLines } from "@bough/session/view/internal.js";
import type { Screen } from "../app/screen.js";
import { Pager } from "../list/pager.js";
import { StatsCounter } from "./stats-counter.js";

/** More lines than there can be, because the pager scrolls itself. */
const ALL_LINES = 1000;
/** The layout's own title and rule, which the pager already has. */
const HEAD = 2;

export const openSession: Screen<"session"> = async ({ host, context }) => {
  const { agent } = context;
  const counter = new StatsCounter(agent.session);
  const counting = new AbortController();
  const name = firstWords(agent.session.getSessionName() ?? "", 100);
  const lines = (width: number): readonly Line[] => {
    const info = agent.model?.info;
    const state = { top: 0, model: info && `${info.provider}/${info.id}`, window: agent.contextWindow };
    const options = { width, height: ALL_LINES, glyphs: host.glyphs, now: host.now(), hint: host.keys.hint };
    const todo = todoLines(todoOnPath(agent.session), { width, height: ALL_LINES, glyphs: host.glyphs });
    const shown = todo.length === 0 ? [] : [[], ...todo];
    return [...layoutStats(counter.stats, state, options).lines.slice(HEAD), ...shown];
  };
  await host.open<undefined>((done) => {
    const content = {
      name: "session",
      title: name === "" ? "Session" : `Session ${host.glyphs.dot} ${name}`,
      note: () => (counter.progress >= 1 ? "" : `counting ${Math.floor(counter.progress * 100)}%`),
      lines,
      dispose: () => counting.abort(),
    };
    const panel = new Pager(host, content, () => done(undefined));
    host.inSlices((deadline) => {
      const state = counter.advance(deadline);
      panel.changed();
      return state;
    }, counting.signal);
    return panel;
  });
};
