/** All sessions by project, with a search across them, and who is at work. */
import { counted, grouped, shortAge, shortBytes, shortCost } from "@bough/session/text/index.js";
import { useEffect, useState } from "preact/hooks";
import type { LiveSession, SearchAnswer, SessionsAnswer } from "../../data/live-types.js";
import { getJson } from "./live-api.js";

const EVERY = 5_000;
const MOST_SHOWN = 12;

export function Home() {
  const [answer, setAnswer] = useState<SessionsAnswer>();
  const [failure, setFailure] = useState("");
  const [agent, setAgent] = useState("");
  useEffect(() => {
    let isGone = false;
    const load = (): void => {
      if (document.hidden && answer !== undefined) return;
      getJson<SessionsAnswer>("/api/sessions").then(
        (given) => {
          if (isGone) return;
          setAnswer(given);
          setFailure("");
        },
        (error: unknown) => setFailure(String((error as Error).message)),
      );
    };
    load();
    const timer = setInterval(load, EVERY);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, []);
  const sessions = answer?.sessions ?? [];
  const agents = [...new Set(sessions.map((session) => session.agent))].sort();
  const shown = sessions.filter((session) => agent === "" || session.agent === agent);
  return (
    <main class="home" id="main">
      <h1>Sessions</h1>
      <Search />
      {failure === "" ? null : (
        <p class="bad-words" role="alert">
          {failure}
        </p>
      )}
      {answer === undefined && failure === "" ? <p class="muted">Reading sessions…</p> : null}
      {agents.length > 1 ? (
        <p class="choice">
          <label for="agent">Agent </label>
          <select id="agent" value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
            <option value="">all ({grouped(sessions.length)})</option>
            {agents.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </p>
      ) : null}
      {answer !== undefined && sessions.length === 0 ? (
        <p>
          No sessions yet. Start one with <code>bough</code>.
        </p>
      ) : null}
      {[...byProject(shown)].map(([cwd, list]) => (
        <Project key={cwd} cwd={cwd} sessions={list} />
      ))}
      {(answer?.problems ?? []).map(({ path, reason }) => (
        <p key={path} class="muted">
          Not readable: <bdi>{path}</bdi> ({reason})
        </p>
      ))}
    </main>
  );
}

/** In the order of their newest session. */
function byProject(sessions: readonly LiveSession[]): ReadonlyMap<string, readonly LiveSession[]> {
  const projects = new Map<string, LiveSession[]>();
  for (const session of sessions) projects.set(session.cwd, [...(projects.get(session.cwd) ?? []), session]);
  return projects;
}

function Project({ cwd, sessions }: { readonly cwd: string; readonly sessions: readonly LiveSession[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? sessions : sessions.slice(0, MOST_SHOWN);
  return (
    <section class="project">
      <h2>
        <bdi>{cwd === "" ? "Unknown folder" : cwd}</bdi>{" "}
        <span class="muted">{counted(sessions.length, "session")}</span>
      </h2>
      <ul>
        {shown.map((session) => (
          <li key={session.key}>
            <a class="item" href={`/?s=${session.key}`}>
              <span class="session-title">
                <bdi>{session.title || "(no name)"}</bdi>
              </span>
              <span class="session-facts muted">{factsOf(session)}</span>
            </a>
            <Spark days={session.days} />
            {session.open.map(({ program, mode, since }) => (
              <span key={since} class="at-work">
                <span aria-hidden="true">● </span>
                {mode === "write" ? "at work" : "open"}: <bdi>{program}</bdi>
              </span>
            ))}
          </li>
        ))}
      </ul>
      {shown.length < sessions.length ? (
        <button type="button" onClick={() => setWhole(true)}>
          Show {grouped(sessions.length - shown.length)} more
        </button>
      ) : null}
    </section>
  );
}

function factsOf({ agent, modified, branches, bytes, usage }: LiveSession): string {
  const cost = usage === undefined || usage.calls === 0 ? "" : usage.unpriced === 0 ? shortCost(usage.dollars) : "?";
  const age = shortAge(Date.parse(modified), Date.now());
  const parts = [agent, age, branches > 1 ? counted(branches, "branch", "branches") : "", shortBytes(bytes), cost];
  return parts.filter((part) => part !== "").join(" · ");
}

/** Calls per day; the facts beside it say the same in words. */
function Spark({ days }: { readonly days: readonly number[] }) {
  const most = Math.max(0, ...days);
  if (most === 0) return null;
  const calls = days.reduce((sum, day) => sum + day, 0);
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${days.length * 4} 16`}
      role="img"
      aria-label={`${calls} calls in ${days.length} days`}
    >
      {days.map((day, at) => (
        <rect key={at} x={at * 4} width="3" y={16 - (day / most) * 16} height={(day / most) * 16} />
      ))}
    </svg>
  );
}

function Search() {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<SearchAnswer>();
  const [isSearching, setSearching] = useState(false);
  const search = (event: Event): void => {
    event.preventDefault();
    if (query.trim() === "") {
      setFound(undefined);
      return;
    }
    setSearching(true);
    getJson<SearchAnswer>(`/api/search?q=${encodeURIComponent(query)}`)
      .then(setFound, () => setFound(undefined))
      .finally(() => setSearching(false));
  };
  return (
    <div class="home-search">
      <search>
        <form onSubmit={search}>
          <label class="visually-hidden" for="search-all">
            Search all sessions
          </label>
          <input
            id="search-all"
            type="search"
            placeholder="Search all sessions"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
          <button type="submit">Search</button>
        </form>
      </search>
      <div role="status">
        {isSearching ? <p class="muted">Searching…</p> : null}
        {!isSearching && found !== undefined ? <p class="muted">{foundWords(found)}</p> : null}
      </div>
      {found === undefined || found.hits.length === 0 ? null : (
        <ol class="hits">
          {found.hits.map((hit) => (
            <li key={`${hit.key} ${hit.entryId}`}>
              <a class="item" href={`/?s=${hit.key}#e=${encodeURIComponent(hit.entryId)}`}>
                <span class="session-title">
                  <bdi>{hit.title || "(no name)"}</bdi>
                </span>
                <span class="session-facts muted">
                  {hit.agent} · {hit.who} · {hit.time.slice(0, 10)} · <bdi>{hit.cwd}</bdi>
                </span>
                <span class="excerpt">
                  <bdi>{marked(hit.excerpt, hit.spans)}</bdi>
                </span>
              </a>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function foundWords({ hits, more, waiting }: SearchAnswer): string {
  const found =
    hits.length === 0 ? "Nothing found." : `${counted(hits.length, "match", "matches")}${more ? " and more" : ""}.`;
  return waiting === 0 ? found : `${found} ${counted(waiting, "session")} not indexed yet.`;
}

function marked(text: string, spans: readonly (readonly [number, number])[]) {
  const parts = [];
  let at = 0;
  for (const [from, to] of spans) {
    if (from < at) continue;
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return [...parts, text.slice(at)];
}
