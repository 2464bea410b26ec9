/** All sessions of this machine by key: the only way from a request to a file. */
import { realpathSync } from "node:fs";
import type { AgentName } from "@bough/session/entry/index.js";
import { readPresence } from "@bough/session/log/index.js";
import { attempt, defined } from "@bough/session/text/index.js";
import { findSources, type Source, type SourcePlaces, sourceKey } from "../../history/internal.js";
import { type PriceOf, readUsage, sessionSums, type UsageSource } from "../../usage/index.js";
import type { LiveSession, SessionsAnswer } from "../../web/internal.js";

/** A list is at most this old when it is asked for. */
const LIST_MS = 1_000;
const USAGE_MS = 5_000;
/** Presence is looked up for the sessions that were written to last. */
const MOST_PRESENT = 300;
const DAYS = 14;

export interface CatalogOptions extends SourcePlaces {
  readonly home: string;
  readonly priceOf: PriceOf;
  readonly now: () => Date;
}

export class Catalog {
  readonly #options: CatalogOptions;
  readonly #list: Fresh<ReadonlyMap<string, Source>>;
  readonly #usage: Fresh<UsageSource>;
  /** Sessions that were not among those that were read. */
  readonly #tried = new Set<string>();
  #problems: { readonly path: string; readonly reason: string }[] = [];

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#list = new Fresh(LIST_MS, () => this.#find());
    this.#usage = new Fresh(USAGE_MS, () => readUsage({ ...options, scope: "all-agents" }));
  }

  /** Undefined if there is no such session. */
  async source(key: string): Promise<Source | undefined> {
    const known = (await this.#list.get()).get(key);
    if (known !== undefined || !/^[0-9a-f]{32}$/.test(key)) return known;
    // It may have been created a moment ago.
    return (await this.#list.get({ again: true })).get(key);
  }

  async keyOf(file: string, id: string | undefined): Promise<string | undefined> {
    const real = realPathOf(file);
    // The second time with a new list: the session may have been created a moment ago.
    for (const again of [false, true]) {
      for (const [key, { path, foreign }] of await this.#list.get({ again })) {
        if (realPathOf(path) === real && (id === undefined || foreign === undefined || foreign.id === id)) return key;
      }
    }
    return undefined;
  }

  usage(): Promise<UsageSource> {
    return this.#usage.get();
  }

  async sessions(): Promise<SessionsAnswer> {
    const list = await this.#list.get();
    const usage = await this.#usageOf(list);
    const { priceOf, now } = this.#options;
    const facts = new Map(usage.sessions.map((indexed) => [indexed.session.key, indexed]));
    const sums = sessionSums(usage, { priceOf, now: now(), days: DAYS });
    const sessions = [...list].map(([key, source], at): LiveSession => {
      const { agent, foreign, path, modified, bytes } = source;
      const known = facts.get(key)?.session;
      const sum = sums.get(key);
      return {
        key,
        agent: agent ?? "bough",
        id: foreign?.id ?? known?.id ?? "",
        title: foreign?.title ?? known?.title ?? "",
        cwd: foreign?.cwd ?? known?.cwd ?? "",
        created: isoOf(foreign?.created.getTime() ?? known?.created ?? 0),
        modified: isoOf(modified),
        bytes,
        branches: known?.branches.length ?? 0,
        days: sum?.days ?? [],
        open: agent === undefined && at < MOST_PRESENT ? this.#openers(path) : [],
        ...defined({ usage: sum?.sum }),
      };
    });
    return { sessions, problems: [...this.#problems, ...usage.problems] };
  }

  /** A session that was created a moment ago is read at once. One that cannot be read is not tried again and again. */
  async #usageOf(list: ReadonlyMap<string, Source>): Promise<UsageSource> {
    const usage = await this.#usage.get();
    const known = new Set(usage.sessions.map(({ session }) => session.key));
    const isNew = (key: string): boolean => !known.has(key) && !this.#tried.has(key);
    const fresh = [...list.keys()].filter(isNew);
    for (const key of fresh) this.#tried.add(key);
    return fresh.length === 0 ? usage : this.#usage.get({ again: true });
  }

  async #find(): Promise<ReadonlyMap<string, Source>> {
    const problems: { path: string; reason: string }[] = [];
    const sources = await findSources(this.#options, (path, reason) => problems.push({ path, reason }));
    this.#problems = problems;
    return new Map(sources.map((source) => [sourceKey(source), source]));
  }

  #openers(path: string): LiveSession["open"] {
    const present = attempt(() => readPresence(path, { now: this.#options.now }).present) ?? [];
    return present.map(({ program, mode, startedAt }) => ({ program, mode, since: startedAt }));
  }
}

export function agentOf({ agent }: { readonly agent: AgentName | undefined }): string {
  return agent ?? "bough";
}

export function isoOf(time: number): string {
  return Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : "";
}

function realPathOf(path: string): string {
  return attempt(() => realpathSync(path)) ?? path;
}

/** A value that is found again when it is asked for and old. Those who ask at the same time share the work. */
class Fresh<Value> {
  readonly #every: number;
  readonly #find: () => Promise<Value>;
  #value: Value | undefined;
  #at = Number.NEGATIVE_INFINITY;
  #finding: Promise<Value> | undefined;

  constructor(every: number, find: () => Promise<Value>) {
    this.#every = every;
    this.#find = find;
  }

  async get({ again = false }: { readonly again?: boolean } = {}): Promise<Value> {
    if (this.#finding !== undefined) return this.#finding;
    const isFresh = performance.now() - this.#at < this.#every;
    if (this.#value !== undefined && isFresh && !again) return this.#value;
    this.#finding = this.#find().finally(() => {
      this.#finding = undefined;
    });
    this.#value = await this.#finding;
    this.#at = performance.now();
    return this.#value;
  }
}
