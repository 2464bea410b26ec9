/**
 * What an agent does in its sessions after their turns are over, such as work in the background: it becomes entries at
 * the end of the agent's branch. The leaf follows if the user is there, and never moves otherwise.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { EntryId } from "@bough/session/entry/index.js";
import { counted, defined } from "@bough/session/text/index.js";
import type { Grown, ReadMark } from "@bough/workbench/interop/internal.js";
import type { Driver, DriverAnswer, DriverQuestion, DriverUpdate, LateListener } from "../../driver/index.js";
import { TURN_VERSION, TurnJournal, TurnSettling } from "../../driver/internal.js";
import type { RunParts } from "../run-parts.js";
import { conversationEnd } from "./conversation-end.js";
import { settlingParts } from "./settling-parts.js";
import { TurnWatch } from "./turn-watch.js";

/** Where a session of the agent ends. */
export interface NativeEnd {
  readonly id: string;
  readonly endsAt: EntryId;
  readonly mark: ReadMark | undefined;
}

/** The agent, and what is known of its sessions. */
interface LateAgent {
  readonly driver: Driver;
  readonly env: NodeJS.ProcessEnv;
  read(native: { readonly id: string }, since: ReadMark | undefined): Promise<Grown | undefined>;
  /** Its session ends there now. */
  moveEnd(parts: RunParts, end: NativeEnd): void;
}

interface Heard extends NativeEnd {
  readonly parts: RunParts;
  readonly sessionId: string;
  /** Calls of its last turn. Some agents report their end late. */
  readonly calls: ReadonlySet<string>;
}

interface Work {
  readonly journal: TurnJournal;
  readonly watch: TurnWatch;
  readonly ready: Promise<void>;
}

/** After so long without a report, what was done is added. */
const QUIET_MS = 1500;
/** After so long without a report, the agent counts as idle. */
const IDLE_MS = 10_000;
const POLL_MS = 100;

export class LateWork implements LateListener {
  readonly #driven: LateAgent;
  readonly #heard = new Map<string, Heard>();
  readonly #works = new Map<string, Work>();
  readonly #ended = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #settling: Promise<void> = Promise.resolve();
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(driven: LateAgent) {
    this.#driven = driven;
  }

  /** Its turn is over. */
  listen(parts: RunParts, end: NativeEnd, calls: readonly string[] = []): void {
    this.#heard.set(end.id, heardOf(parts, end, calls));
  }

  /** Whether the agent works without a prompt, as far as it says. */
  get isWorking(): boolean {
    return this.#works.size > 0 || performance.now() - this.#lastAt < IDLE_MS;
  }

  /** Resolves when the agent has said nothing for a while; rejects with the reason of the signal. */
  async done(signal: AbortSignal): Promise<void> {
    while (this.isWorking) await pause(POLL_MS, undefined, { signal });
  }

  onUpdate(id: string, update: DriverUpdate): void {
    if (update.kind === "call" && this.#heard.get(id)?.calls.has(update.call.id) === true) return;
    this.#workOf(id)?.watch.take(update);
  }

  async onQuestion(id: string, { call }: DriverQuestion): Promise<DriverAnswer> {
    return (await this.#workOf(id)?.watch.ask(call)) ?? "deny";
  }

  /** Adds what was done so far. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer);
    for (const id of [...this.#works.keys()]) this.#settling = this.#settling.then(() => this.#settle(id));
    await this.#settling;
  }

  /** The agent's process has ended. */
  async end(): Promise<void> {
    await this.settle();
    this.#heard.clear();
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }

  /** Adds what the agent did unheard. */
  takeIn(parts: RunParts, end: NativeEnd, grown: Grown): Promise<void> {
    const heard = heardOf(parts, end);
    return this.#add(heard, new TurnJournal(undefined, this.#headOf(heard)), grown);
  }

  #workOf(id: string): Work | undefined {
    const heard = this.#heard.get(id);
    // Nothing is known about what the agent says while a session is loaded.
    if (heard === undefined) return undefined;
    this.#lastAt = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#whenQuiet(), QUIET_MS).unref();
    const known = this.#works.get(id);
    if (known !== undefined) return known;
    const { parts } = heard;
    const { session } = parts;
    const isHere = session.getSessionId() === heard.sessionId;
    const journal = new TurnJournal(isHere ? session.getSessionFile() : undefined, this.#headOf(heard));
    const quiet = {
      ...{ files: parts.files, cwd: parts.cwd, denials: [], emit: () => {} },
      ...{ permit: parts.permit, now: parts.now, hooks: parts.hooks },
    };
    const watch = new TurnWatch(quiet, journal, this.#ended.signal);
    const work = { journal, watch, ready: watch.begin(this.#driven.driver) };
    this.#works.set(id, work);
    return work;
  }

  async #whenQuiet(): Promise<void> {
    const isBusy = [...this.#works.values()].some(({ journal }) =>
      [...journal.record.calls.values()].some(({ status }) => status === "pending" || status === "running"),
    );
    // It ends, or the next prompt takes what is there.
    if (!isBusy) await this.settle();
  }

  async #settle(id: string): Promise<void> {
    const work = this.#works.get(id);
    const heard = this.#heard.get(id);
    if (work === undefined || heard === undefined) return;
    const { journal, watch } = work;
    this.#works.delete(id);
    await work.ready;
    await watch.over();
    journal.add({ kind: "end", end: "done" });
    const grown = await this.#driven.read(heard, heard.mark);
    await watch.scanRest(grown);
    const { parts, sessionId } = heard;
    // It is found again when that session is continued.
    const isElsewhere = parts.session.getSessionId() !== sessionId;
    // A report of its turn that came late.
    const isNothing = grown !== undefined && !grown.entries.some((entry) => entry.type === "message");
    if (isElsewhere || isNothing) return journal.discard();
    await this.#add(heard, journal, grown);
  }

  async #add(heard: Heard, journal: TurnJournal, grown: Grown | undefined): Promise<void> {
    const { parts, id, endsAt, mark } = heard;
    const { session } = parts;
    journal.record.end = "done";
    const isThere = conversationEnd(session) === endsAt;
    let count = 0;
    const settling = settlingParts(parts);
    const turn = new TurnSettling(
      {
        ...settling,
        leaf: isThere ? "follows" : "stays",
        onEntry: (added) => {
          count += 1;
          settling.onEntry?.(added);
        },
      },
      journal.record,
    );
    await turn.finish(grown);
    session.recordPosition();
    journal.discard();
    if (count === 0) return;
    await session.flush();
    const end = { id, endsAt: conversationEnd(session, turn.end) ?? endsAt, mark: grown?.mark ?? mark };
    this.#driven.moveEnd(parts, end);
    if (this.#heard.has(id)) this.listen(parts, end);
    const message = `${this.#driven.driver.title} worked on after its turn: ${counted(count, "entry", "entries")} added to its branch`;
    parts.emit({ type: "notice", level: "info", message });
  }

  #headOf({ parts, sessionId, id, endsAt, mark }: Heard) {
    const { driver, env } = this.#driven;
    const head = { version: TURN_VERSION, sessionId, leaf: endsAt, driver: driver.name, nativeId: id } as const;
    const made = { model: "unknown", cwd: parts.cwd, timestamp: parts.now().getTime() };
    return { ...head, ...made, ...defined({ transcripts: driver.transcripts, home: env.HOME, mark }) };
  }
}

function heardOf(parts: RunParts, end: NativeEnd, calls: readonly string[] = []): Heard {
  return { ...end, parts, sessionId: parts.session.getSessionId(), calls: new Set(calls) };
}
