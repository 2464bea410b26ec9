/** Several sessions of other agents where one was meant: what tells them apart. */
import type { ForeignSession } from "../interop/index.js";
import { withoutControls } from "../text/index.js";
import { CliError } from "./cli-error.js";

const MOST_CANDIDATES = 10;

/** Undefined where there is none. Throws `ambiguous-session` with the candidates where there are several. */
export function theOnlyForeign(reference: string, found: readonly ForeignSession[]): ForeignSession | undefined {
  const [first] = found;
  if (first === undefined || found.length === 1) return first;
  const shown = found.slice(0, MOST_CANDIDATES);
  const { how, name } = waysToName(first, found);
  const lines = shown.map((session) => `  ${name(session)}  ${oneLine(session.title ?? "")}`.trimEnd());
  const more = found.length > shown.length ? [`  and ${found.length - shown.length} more`] : [];
  throw new CliError("ambiguous-session", `Several sessions of other agents match ${reference}`, {
    data: { reference, candidates: shown.map(({ agent, id, path, title }) => ({ agent, id, path, title })) },
    hint: withoutControls([how, ...lines, ...more].join("\n")),
  });
}

/** What tells these sessions apart. */
function waysToName(
  first: ForeignSession,
  found: readonly ForeignSession[],
): { readonly how: string; readonly name: (session: ForeignSession) => string } {
  if (found.every(({ path }) => path === first.path)) {
    return { how: "Add one to the path:", name: ({ path, id }) => `${path}#${id}` };
  }
  if (found.every(({ agent, id }) => agent === first.agent && id === first.id)) {
    return { how: "Give the path:", name: ({ path }) => path };
  }
  const times = new Map<string, number>();
  for (const { agent, id } of found) times.set(`${agent}:${id}`, (times.get(`${agent}:${id}`) ?? 0) + 1);
  const name = ({ agent, id, path }: ForeignSession) => (times.get(`${agent}:${id}`) === 1 ? `${agent}:${id}` : path);
  const how = [...times.values()].every((many) => many === 1) ? "Give more of the id:" : "Give one of these:";
  return { how, name };
}

function oneLine(title: string): string {
  return title.replace(/\s+/g, " ").slice(0, 60);
}
