/**
 * Ranks turns by how much of a question they have: each word counts by its rarity. Looks first where the rarest words
 * are, so that the best turns are found early; stops when no session can have a better one.
 */
import { attempt } from "@bough/session/text/index.js";
import type { TurnFacts } from "../facts/facts.js";
import type { History, KnownSession } from "../store/history.js";
import type { IndexChunk } from "../store/index-file.js";
import { type IdeaTerm, KINDRED } from "../words/idea.js";
import { lowered } from "../words/word-keys.js";

export interface FieldTurn {
  readonly turn: TurnFacts;
  readonly at: number;
}

/** The sessions to look through, and which of their turns count. */
export interface Field {
  readonly history: History;
  /** Newest first. */
  readonly sessions: readonly KnownSession[];
  /** The turns of a session that may be answers, newest first. */
  readonly turnsOf: (session: KnownSession) => Iterable<FieldTurn>;
  readonly limit: number;
  /** Time at which to return the results so far. */
  readonly end: number;
}

export interface NearAttempt {
  readonly session: KnownSession;
  readonly turn: TurnFacts;
  readonly at: number;
  readonly score: number;
  /** The terms it has, as they were asked. */
  readonly has: readonly string[];
}

export interface Nearest {
  /** Best first, then newest. */
  readonly attempts: readonly NearAttempt[];
  /** Terms that nothing has, neither as they are nor in another form. Empty if time ran out before that is known. */
  readonly unknown: readonly string[];
  readonly outOfTime: boolean;
}

interface Weighed {
  readonly term: IdeaTerm;
  /** Higher for rarer terms. */
  readonly weight: number;
}

const TURNS_AT_ONCE = 32;
/** An attempt with this part of the weight is good enough not to search all text for a better one. */
const GOOD = 0.6;
/** Attempts with less than this part of the best one's score are not shown. */
const LEAST_OF_BEST = 0.35;
/** Words of the prompt say more about a turn than words of an answer or an output. */
const IN_PROMPT = 1.15;

export function nearestAttempts(terms: readonly IdeaTerm[], field: Field): Nearest {
  const search = new Search(terms, field);
  search.readFacts();
  if (search.bestPart < GOOD) search.readTexts();
  return search.result();
}

class Search {
  readonly #field: Field;
  readonly #weighed: readonly Weighed[];
  readonly #found = new Map<string, { session: KnownSession; turn: TurnFacts; at: number; strengths: Float64Array }>();
  readonly #turns = new Map<string, readonly FieldTurn[]>();
  readonly #scores: number[] = [];
  /** Terms that some text has. */
  readonly #seen: Uint8Array;
  #outOfTime = false;

  constructor(terms: readonly IdeaTerm[], field: Field) {
    this.#field = field;
    this.#seen = new Uint8Array(terms.length);
    const { sessions } = field;
    this.#weighed = terms.map((term) => {
      const count = sessions.filter(({ index }) => term.mayBeIn(index.factsWords)).length;
      return { term, weight: Math.log(1 + sessions.length / Math.max(1, count)) };
    });
  }

  get #total(): number {
    return this.#weighed.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** The part of the whole weight that the best turn so far has. */
  get bestPart(): number {
    return Math.max(0, ...this.#scores) / Math.max(this.#total, Number.MIN_VALUE);
  }

  readFacts(): void {
    const { history, sessions, end } = this.#field;
    const hopes = sessions
      .map((session) => ({ session, hope: this.#hopeOf(session.index.factsWords) }))
      .filter(({ hope }) => hope > 0)
      .sort((a, b) => b.hope - a.hope);
    for (const { session, hope } of hopes) {
      if (hope * IN_PROMPT < this.#leastScore()) return;
      if (this.#isLate(end)) return;
      const texts = history.factsOf(session);
      for (const { turn, at } of this.#turnsOf(session)) {
        // A session can have thousands of turns.
        if (at % TURNS_AT_ONCE === 0 && this.#isLate(end)) return;
        const strengths = this.#strengthsIn(texts[at] ?? "", turn.prompt);
        if (strengths !== undefined) this.#add({ session, turn, at }, strengths);
      }
    }
  }

  /** Searches everything that was said, for terms that the facts of turns do not have. */
  readTexts(): void {
    const { sessions, end } = this.#field;
    const missing = this.#weighed.map(({ weight }, n) => (this.#seen[n] === 1 ? 0 : weight));
    const hopes = sessions
      .flatMap((session) =>
        session.index.chunks.map((chunk) => ({ session, chunk, hope: this.#hopeOf(chunk.words, missing) })),
      )
      .filter(({ hope }) => hope > 0)
      .sort((a, b) => b.hope - a.hope);
    for (const { session, chunk } of hopes) {
      if (this.#isLate(end)) return;
      const turns = new Map(this.#turnsOf(session).map((one) => [one.at, one.turn]));
      for (const { row, strengths } of this.#rowsIn(session, chunk)) {
        const turn = turns.get(row);
        if (turn !== undefined) this.#add({ session, turn, at: row }, strengths);
      }
    }
  }

  result(): Nearest {
    const { sessions, limit } = this.#field;
    const order = new Map(sessions.map((session, at) => [session.key, at]));
    const all = [...this.#found.values()].map((found) => ({ ...found, score: this.#scoreOf(found.strengths) }));
    const best = Math.max(0, ...all.map(({ score }) => score));
    const attempts = all
      .filter(({ score }) => score >= best * LEAST_OF_BEST)
      .sort(
        (a, b) => b.score - a.score || (order.get(a.session.key) ?? 0) - (order.get(b.session.key) ?? 0) || b.at - a.at,
      )
      .slice(0, limit)
      .map(({ session, turn, at, score, strengths }): NearAttempt => {
        const has = this.#weighed.filter((_, n) => (strengths[n] as number) > 0).map(({ term }) => term.text);
        return { session, turn, at, score, has };
      });
    const unknown = this.#weighed.filter(({ term }, n) => this.#seen[n] === 0 && !this.#isAnywhere(term));
    return { attempts, unknown: unknown.map(({ term }) => term.text), outOfTime: this.#outOfTime };
  }

  /** The most that a text with this filter can score. */
  #hopeOf(filter: Uint8Array, weights?: readonly number[]): number {
    let hope = 0;
    for (const [n, { term, weight }] of this.#weighed.entries()) {
      const counted = weights?.[n] ?? weight;
      if (counted > 0 && term.mayBeIn(filter)) hope += counted;
    }
    return hope;
  }

  #leastScore(): number {
    return this.#scores.length < this.#field.limit ? 0 : (this.#scores[this.#field.limit - 1] as number);
  }

  #strengthsIn(text: string, prompt: string): Float64Array | undefined {
    const lower = lowered(text);
    let strengths: Float64Array | undefined;
    for (const [n, { term }] of this.#weighed.entries()) {
      const strength = term.strength(text, lower);
      if (strength === 0) continue;
      if (strength > KINDRED) this.#seen[n] = 1;
      strengths ??= new Float64Array(this.#weighed.length);
      const isAsked = prompt !== "" && term.strength(prompt, lowered(prompt)) >= strength;
      strengths[n] = isAsked ? strength * IN_PROMPT : strength;
    }
    return strengths;
  }

  *#rowsIn(
    session: KnownSession,
    chunk: IndexChunk,
  ): Generator<{ readonly row: number; readonly strengths: Float64Array }> {
    const { history } = this.#field;
    // The index may have been replaced meanwhile.
    const texts = attempt(() => history.textsOf(session, chunk)) ?? [];
    const rows = attempt(() => history.rowsOf(session)) ?? [];
    for (const [i, text] of texts.entries()) {
      const row = rows[chunk.firstRow + i]?.turn ?? -1;
      const strengths = row < 0 ? undefined : this.#strengthsIn(text, "");
      if (strengths !== undefined) yield { row, strengths };
    }
  }

  /** Called once for each session: a turn counts where it is found first. */
  #turnsOf(session: KnownSession): readonly FieldTurn[] {
    const known = this.#turns.get(session.key);
    const turns = known ?? [...this.#field.turnsOf(session)];
    if (known === undefined) this.#turns.set(session.key, turns);
    return turns;
  }

  #add(one: Pick<NearAttempt, "session" | "turn" | "at">, strengths: Float64Array): void {
    const name = `${one.session.key} ${one.at}`;
    const known = this.#found.get(name);
    if (known !== undefined) {
      for (const [n, strength] of strengths.entries()) {
        known.strengths[n] = Math.max(strength, known.strengths[n] as number);
      }
    } else this.#found.set(name, { ...one, strengths });
    const score = this.#scoreOf(known?.strengths ?? strengths);
    this.#scores.push(score);
    this.#scores.sort((a, b) => b - a);
    this.#scores.length = Math.min(this.#scores.length, this.#field.limit);
  }

  #scoreOf(strengths: Float64Array): number {
    let score = 0;
    for (const [n, { weight }] of this.#weighed.entries()) score += weight * (strengths[n] as number);
    return score;
  }

  /** Looks for a term where the ranking did not need to look. True if time runs out before. */
  #isAnywhere(term: IdeaTerm): boolean {
    const { history, sessions, end } = this.#field;
    const has = (text: string): boolean => term.strength(text, lowered(text)) > KINDRED;
    for (const session of sessions) {
      if (this.#isLate(end)) return true;
      if (term.mayBeItselfIn(session.index.factsWords) && history.factsOf(session).some(has)) return true;
    }
    for (const session of sessions) {
      for (const chunk of session.index.chunks) {
        if (!term.mayBeItselfIn(chunk.words)) continue;
        if (this.#isLate(end)) return true;
        if ((attempt(() => history.textsOf(session, chunk)) ?? []).some(has)) return true;
      }
    }
    return false;
  }

  #isLate(end: number): boolean {
    if (performance.now() <= end) return false;
    this.#outOfTime = true;
    return true;
  }
}
