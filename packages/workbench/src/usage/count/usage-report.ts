/** Sums over calls, grouped: what `bough usage` and the usage page show. */

import type { UsageSource } from "../read/read-usage.js";
import type { UsageSession } from "../read/session-usage.js";
import { COLUMNS, IN_SUBAGENT, ODD } from "../read/session-usage.js";
import { countOnce } from "./count-once.js";
import { dayText, LocalDays, weekOf } from "./local-days.js";

export const USAGE_GROUPS = ["day", "week", "project", "model", "agent", "branch"] as const;

export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** A call with a price that is looked up. */
export interface PricedCall {
  /** `provider/model`, as the transcript names them. */
  readonly model: string;
  /** Milliseconds; 0 if unknown. */
  readonly time: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour. */
  readonly longWrite: number;
}

export interface CallPrice {
  readonly dollars: number;
  /** The same call if nothing had been cached. */
  readonly withoutCache: number;
  /** One more token of prompt, read from the cache. */
  readonly cachedToken: number;
}

/** Undefined for an unknown price, which is reported and never taken as 0. */
export type PriceOf = (call: PricedCall) => CallPrice | undefined;

export interface UsageSum {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly tokens: number;
  /** The known cost. */
  readonly dollars: number;
  /** Calls with an unknown price; if there are any, `dollars` is incomplete. */
  readonly unpriced: number;
}

export interface UsageRow extends UsageSum {
  /** `2026-11-16`, `2026-11-16` for the week from that Monday on, a folder, `provider/model`, an agent. */
  readonly name: string;
  /** For a branch: the session, and the number and name of the branch. */
  readonly session?: Pick<UsageSession, "id" | "agent" | "title" | "path">;
  readonly branch?: { readonly number: number; readonly name: string };
}

export interface UsageReport {
  readonly by: UsageGroup;
  /** The day of the first and last call; undefined if there are none with a time. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly sessions: number;
  readonly total: UsageSum;
  /** By day and week: oldest first. Otherwise: most expensive first, then by tokens. */
  readonly rows: readonly UsageRow[];
  /** Copies of counted calls, which were left out. */
  readonly copies: UsageSum;
  /** Calls on branches that were left: explored, and not continued. */
  readonly left: UsageSum;
  readonly subagents: UsageSum;
  /** What caching saved: dollars compared with sending everything uncached. */
  readonly caching: { readonly dollars: number; readonly unpriced: number };
  /** What compactions kept out of later prompts; dollars as if these tokens had been read from the cache. */
  readonly compaction: { readonly tokens: number; readonly dollars: number; readonly unpriced: number };
  /** Models without a known price. */
  readonly unpricedModels: readonly { readonly model: string; readonly calls: number; readonly tokens: number }[];
  /** Calls with counts that cannot be right and were taken as 0. */
  readonly odd: number;
  /** Agents among the sessions whose branches are not read, so that `left` lacks theirs. */
  readonly withoutBranches: readonly string[];
}

export interface UsageQuestion {
  readonly by: UsageGroup;
  /** Milliseconds: only calls from then on. Calls without a time are left out then. */
  readonly since?: number | undefined;
  /** Only sessions of this folder. */
  readonly cwd?: string | undefined;
  /** Only this session. */
  readonly sessionKey?: string | undefined;
  readonly priceOf: PriceOf;
  /** Default: the time zone of this machine. */
  readonly days?: LocalDays;
  /** Whether the branches of an agent's sessions are read. */
  readonly knowsBranches: (agent: string) => boolean;
}

export function usageReport(source: UsageSource, question: UsageQuestion): UsageReport {
  return new ReportDraft(source, question).report();
}

class ReportDraft {
  readonly #source: UsageSource;
  readonly #question: UsageQuestion;
  readonly #days: LocalDays;
  readonly #total = new Sum();
  readonly #copies = new Sum();
  readonly #left = new Sum();
  readonly #subagents = new Sum();
  readonly #groups = new Map<string, { readonly row: Omit<UsageRow, keyof UsageSum>; readonly sum: Sum }>();
  readonly #unpriced = new Map<string, { calls: number; tokens: number }>();
  readonly #sessions = new Set<string>();
  readonly #caching = { dollars: 0, unpriced: 0 };
  readonly #compaction = { tokens: 0, dollars: 0, unpriced: 0 };
  #odd = 0;
  #modelNames: readonly string[] | undefined;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;

  constructor(source: UsageSource, question: UsageQuestion) {
    this.#source = source;
    this.#question = question;
    this.#days = question.days ?? new LocalDays();
  }

  report(): UsageReport {
    const { since = 0, cwd, sessionKey, by } = this.#question;
    const { sessions } = this.#source;
    const isAsked = (session: UsageSession, time: number): boolean =>
      (since === 0 || time >= since) &&
      (cwd === undefined || session.cwd === cwd) &&
      (sessionKey === undefined || session.key === sessionKey);
    // All sessions, asked for or not: a fork must not be counted for lack of its original.
    countOnce(
      sessions,
      ({ session, rows }, row, isLeft) => {
        if (isAsked(session, rows[row + COLUMNS.time] as number)) this.#add(session, rows, row, isLeft);
      },
      ({ session, rows }, row) => {
        if (!isAsked(session, rows[row + COLUMNS.time] as number)) return;
        const call = this.#callAt(rows, row);
        this.#copies.add(call, this.#dollarsOf(call, rows[row + COLUMNS.dollars] as number));
      },
    );
    const rows = [...this.#groups.values()].map(({ row, sum }): UsageRow => ({ ...row, ...sum.total() }));
    const isTime = by === "day" || by === "week";
    const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
    rows.sort((a, b) =>
      isTime ? byText(a.name, b.name) : b.dollars - a.dollars || b.tokens - a.tokens || byText(a.name, b.name),
    );
    const agents = new Set(sessions.flatMap(({ session: { agent } }) => agent ?? []));
    return {
      by,
      from: this.#last === 0 ? undefined : this.#days.dayOf(this.#first),
      to: this.#last === 0 ? undefined : this.#days.dayOf(this.#last),
      sessions: this.#sessions.size,
      total: this.#total.total(),
      rows,
      copies: this.#copies.total(),
      left: this.#left.total(),
      subagents: this.#subagents.total(),
      caching: this.#caching,
      compaction: this.#compaction,
      unpricedModels: [...this.#unpriced]
        .map(([model, counts]) => ({ model, ...counts }))
        .sort((a, b) => b.tokens - a.tokens || byText(a.model, b.model)),
      odd: this.#odd,
      withoutBranches: [...agents].filter((agent) => !this.#question.knowsBranches(agent)).sort(),
    };
  }

  #add(session: UsageSession, rows: Float64Array, row: number, isLeft: boolean): void {
    const call = this.#callAt(rows, row);
    const price = this.#question.priceOf(call);
    const stated = rows[row + COLUMNS.dollars] as number;
    const dollars = Number.isNaN(stated) ? price?.dollars : stated;
    const flags = rows[row + COLUMNS.flags] as number;
    if ((flags & ODD) !== 0) this.#odd += 1;
    this.#sessions.add(session.key);
    if (call.time > 0) {
      this.#first = Math.min(this.#first, call.time);
      this.#last = Math.max(this.#last, call.time);
    }
    this.#total.add(call, dollars);
    this.#groupOf(session, rows, row).add(call, dollars);
    if (isLeft) this.#left.add(call, dollars);
    if ((flags & IN_SUBAGENT) !== 0) this.#subagents.add(call, dollars);
    if (dollars === undefined) this.#addUnpriced(call);
    this.#addSavings(call, price, rows[row + COLUMNS.spared] as number);
  }

  #addUnpriced(call: PricedCall): void {
    const counts = this.#unpriced.get(call.model) ?? { calls: 0, tokens: 0 };
    counts.calls += 1;
    counts.tokens += call.input + call.output + call.cacheRead + call.cacheWrite;
    this.#unpriced.set(call.model, counts);
  }

  #addSavings(call: PricedCall, price: CallPrice | undefined, spared: number): void {
    if (call.cacheRead + call.cacheWrite > 0) {
      if (price === undefined) this.#caching.unpriced += 1;
      else this.#caching.dollars += price.withoutCache - price.dollars;
    }
    if (spared === 0) return;
    this.#compaction.tokens += spared;
    if (price === undefined) this.#compaction.unpriced += 1;
    else this.#compaction.dollars += spared * price.cachedToken;
  }

  #dollarsOf(call: PricedCall, stated: number): number | undefined {
    return Number.isNaN(stated) ? this.#question.priceOf(call)?.dollars : stated;
  }

  #callAt(rows: Float64Array, row: number): PricedCall {
    const at = (column: number) => rows[row + column] as number;
    return {
      model: this.#source.models[at(COLUMNS.model)] ?? "unknown",
      time: at(COLUMNS.time),
      input: at(COLUMNS.input),
      output: at(COLUMNS.output),
      cacheRead: at(COLUMNS.cacheRead),
      cacheWrite: at(COLUMNS.cacheWrite),
      longWrite: at(COLUMNS.longWrite),
    };
  }

  #groupOf(session: UsageSession, rows: Float64Array, row: number): Sum {
    const number = rows[row + COLUMNS.branch] as number;
    const isBranch = this.#question.by === "branch";
    const name = this.#nameOf(session, rows, row);
    const key = isBranch ? `${session.key} ${number}` : name;
    const known = this.#groups.get(key);
    if (known !== undefined) return known.sum;
    const { id, agent, title, path } = session;
    const branchName = session.branches.find(([known]) => known === number)?.[1] ?? "";
    const sum = new Sum();
    this.#groups.set(key, {
      row: isBranch ? { name, session: { id, agent, title, path }, branch: { number, name: branchName } } : { name },
      sum,
    });
    return sum;
  }

  #modelName(number: number): string {
    this.#modelNames ??= this.#source.models.map((name) => name.replace(RELEASE, ""));
    return this.#modelNames[number] ?? UNKNOWN;
  }

  #nameOf(session: UsageSession, rows: Float64Array, row: number): string {
    const time = rows[row + COLUMNS.time] as number;
    switch (this.#question.by) {
      case "day":
        return time === 0 ? UNKNOWN : this.#days.dayOf(time);
      case "week":
        return time === 0 ? UNKNOWN : dayText(weekOf(this.#days.dayOf(time)));
      case "project":
        return session.cwd === "" ? UNKNOWN : session.cwd;
      case "model":
        return this.#modelName(rows[row + COLUMNS.model] as number);
      case "agent":
        return session.agent ?? "bough";
      case "branch":
        return session.title === "" ? session.id : session.title;
    }
  }
}

const UNKNOWN = "unknown";

/** Some transcripts add the day of a release to a model's name. */
const RELEASE = /-20\d\d-?\d\d-?\d\d$/;

class Sum {
  #calls = 0;
  #input = 0;
  #output = 0;
  #cacheRead = 0;
  #cacheWrite = 0;
  #dollars = 0;
  #unpriced = 0;

  add({ input, output, cacheRead, cacheWrite }: PricedCall, dollars: number | undefined): void {
    this.#calls += 1;
    this.#input += input;
    this.#output += output;
    this.#cacheRead += cacheRead;
    this.#cacheWrite += cacheWrite;
    if (dollars === undefined) this.#unpriced += 1;
    else this.#dollars += dollars;
  }

  total(): UsageSum {
    return {
      calls: this.#calls,
      input: this.#input,
      output: this.#output,
      cacheRead: this.#cacheRead,
      cacheWrite: this.#cacheWrite,
      tokens: this.#input + this.#output + this.#cacheRead + this.#cacheWrite,
      dollars: this.#dollars,
      unpriced: this.#unpriced,
    };
  }
}
