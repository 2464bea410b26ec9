/** What it all cost: bars, and the same numbers in a table. */
import { counted, grouped, shortCost, shortCount } from "@bough/session/text/index.js";
import { useEffect, useState } from "preact/hooks";
import type { UsageAnswer, UsageAnswerRow } from "../../data/live-types.js";
import { getJson } from "./live-api.js";

const GROUPS = ["day", "week", "project", "model", "agent", "branch"] as const;
const PERIODS: readonly (readonly [name: string, days: number])[] = [
  ["all time", 0],
  ["the last 7 days", 7],
  ["the last 30 days", 30],
  ["the last year", 365],
];
const MOST_ROWS = 100;
const DAY = 24 * 60 * 60_000;

export function UsagePage() {
  const [by, setBy] = useState<(typeof GROUPS)[number]>("day");
  const [days, setDays] = useState(0);
  const [answer, setAnswer] = useState<UsageAnswer>();
  const [failure, setFailure] = useState("");
  const since = days === 0 ? "" : `&since=${new Date(Date.now() - days * DAY).toISOString()}`;
  useEffect(() => {
    setAnswer(undefined);
    getJson<UsageAnswer>(`/api/usage?by=${by}${since}`).then(
      (given) => {
        setAnswer(given);
        setFailure("");
      },
      (error: unknown) => setFailure(String((error as Error).message)),
    );
  }, [by, days]);
  return (
    <main class="home" id="main">
      <h1>Tokens and cost</h1>
      <p class="choice">
        <label for="by">By </label>
        <select id="by" value={by} onChange={(event) => setBy(event.currentTarget.value as typeof by)}>
          {GROUPS.map((group) => (
            <option key={group}>{group}</option>
          ))}
        </select>
        <label for="period"> in </label>
        <select id="period" value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
          {PERIODS.map(([name, length]) => (
            <option key={name} value={length}>
              {name}
            </option>
          ))}
        </select>
      </p>
      {failure === "" ? null : (
        <p class="bad-words" role="alert">
          {failure}
        </p>
      )}
      <div role="status">{answer === undefined && failure === "" ? <p class="muted">Adding up…</p> : null}</div>
      {answer === undefined ? null : <Report answer={answer} by={by} />}
    </main>
  );
}

function Report({ answer, by }: { readonly answer: UsageAnswer; readonly by: string }) {
  const { total, rows } = answer;
  const isTime = by === "day" || by === "week";
  const shown = isTime ? rows.slice(-MOST_ROWS) : rows.slice(0, MOST_ROWS);
  const measure = total.dollars > 0 ? "dollars" : "tokens";
  const most = shown.reduce((largest, row) => Math.max(largest, row[measure]), 0) || 1;
  return (
    <>
      <p>
        {counted(total.calls, "call")} in {counted(answer.sessions, "session")}, {shortCount(total.tokens)} tokens,{" "}
        <b>{costOf(total)}</b>
      </p>
      <ul class="facts">
        {factsOf(answer).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <p class="choice">
        <button type="button" onClick={() => save("usage.csv", "text/csv", csvOf(rows))}>
          CSV
        </button>{" "}
        <button type="button" onClick={() => save("usage.json", "application/json", JSON.stringify(answer, null, 2))}>
          JSON
        </button>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="scrolls" tabIndex={0} aria-label="Table">
        <table class="usage">
          <thead>
            <tr>
              <th scope="col">{by}</th>
              <th scope="col">share</th>
              <th scope="col">cost</th>
              <th scope="col">tokens</th>
              <th scope="col">input</th>
              <th scope="col">output</th>
              <th scope="col">cache read</th>
              <th scope="col">cache write</th>
              <th scope="col">calls</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={`${row.name} ${row.session?.path ?? ""} ${row.branch?.number ?? ""}`}>
                <th scope="row">
                  <bdi>{nameOf(row)}</bdi>
                </th>
                <td>
                  <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect class="bar-rest" width="100" height="10" />
                    <rect class="bar-full" width={(row[measure] / most) * 100} height="10" />
                  </svg>
                </td>
                <td>{costOf(row)}</td>
                <td>{grouped(row.tokens)}</td>
                <td>{grouped(row.input)}</td>
                <td>{grouped(row.output)}</td>
                <td>{grouped(row.cacheRead)}</td>
                <td>{grouped(row.cacheWrite)}</td>
                <td>{grouped(row.calls)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < rows.length ? <p class="muted">The CSV has all {grouped(rows.length)} rows.</p> : null}
    </>
  );
}

function nameOf({ name, branch }: UsageAnswerRow): string {
  return branch === undefined || branch.number === 0 ? name : `#${branch.number} ${branch.name} (${name})`;
}

function costOf({ dollars, unpriced }: { readonly dollars: number; readonly unpriced: number }): string {
  if (unpriced === 0) return shortCost(dollars);
  return dollars === 0 ? "?" : `${shortCost(dollars)}+?`;
}

function factsOf({ left, copies, caching, compaction, unpricedModels, subagents, odd }: UsageAnswer): string[] {
  const facts: string[] = [];
  if (left.calls > 0) facts.push(`Explored and left: ${costOf(left)}, ${counted(left.calls, "call")}.`);
  if (subagents.calls > 0) facts.push(`Sub-agents: ${costOf(subagents)}, ${counted(subagents.calls, "call")}.`);
  if (caching.dollars > 0.005) facts.push(`Caching saved ${shortCost(caching.dollars)}.`);
  if (compaction.tokens > 0)
    facts.push(`Compaction kept ${shortCount(compaction.tokens)} tokens out of later prompts.`);
  if (copies.calls > 0) facts.push(`Left out as copies: ${counted(copies.calls, "call")}, ${costOf(copies)}.`);
  if (unpricedModels.length > 0) {
    facts.push(
      `No known price: ${unpricedModels.map(({ model, calls }) => `${model} (${counted(calls, "call")})`).join(", ")}.`,
    );
  }
  if (odd > 0) facts.push(`${counted(odd, "call")} with impossible numbers, taken as 0.`);
  return facts;
}

const COLUMNS = ["calls", "input", "output", "cacheRead", "cacheWrite", "tokens", "dollars", "unpriced"] as const;

function csvOf(rows: readonly UsageAnswerRow[]): string {
  const lines = rows.map((row) => [cell(nameOf(row)), ...COLUMNS.map((column) => String(row[column]))].join(","));
  return `${[["name", ...COLUMNS].join(","), ...lines].join("\r\n")}\r\n`;
}

/** A spreadsheet would run a cell that starts like a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replace(/"/g, '""')}"`;
}

function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
