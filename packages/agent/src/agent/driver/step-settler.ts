/**
 * Adds the finished steps of a turn to the session while the agent works on, from its transcript: a turn may take half
 * an hour, and the tree, other windows and syncs see what is in the session.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Grown } from "@bough/workbench/interop/internal.js";
import { finishedStep, type TurnJournal, type TurnSettling } from "../../driver/internal.js";
import type { TurnWatch } from "./turn-watch.js";

interface StepParts {
  readonly watch: TurnWatch;
  readonly journal: TurnJournal;
  readonly settling: TurnSettling;
  /** What the transcript has of the turn; undefined if it cannot be read right now. */
  readonly read: () => Promise<Grown | undefined>;
  /** Changes whenever the transcript may have changed; undefined if it was not found yet. */
  readonly stamp: () => string | undefined;
}

/** After a call ended: a result may come later to the transcript than to the protocol. */
const TRIES_MS = [0, 50, 100, 200, 400, 800];
/** Some agents do not report their calls. */
const LOOK_MS = 1000;
/** Reading a long transcript must not take more than this part of the time. */
const SHARE = 10;

export class StepSettler {
  readonly #parts: StepParts;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #wake: () => void = () => {};
  #isAwake = false;
  #lastReadMs = 0;
  #entries = 0;
  /** The transcript as it was when nothing more could be added from it. */
  #seen: string | undefined;

  constructor(parts: StepParts) {
    this.#parts = parts;
    parts.watch.onEnd(() => {
      this.#isAwake = true;
      this.#wake();
    });
    this.#done = this.#run();
    this.#done.catch(() => undefined);
  }

  /** Resolves when nothing is being added any more. Rejects if adding failed. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { stamp } = this.#parts;
    while (!this.#stop.signal.aborted) {
      if (await this.#nextLook()) {
        for (const ms of TRIES_MS) if (this.#isAwake || !(await this.#triedAfter(ms))) break;
        continue;
      }
      const now = stamp();
      if (now !== undefined && now === this.#seen) continue;
      await this.#triedAfter(0, { reported: false });
      this.#seen = now;
    }
  }

  /** Whether a call ended; false after a while without one. */
  async #nextLook(): Promise<boolean> {
    if (!this.#isAwake) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS).unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (this.#stop.signal.aborted) this.#wake();
      });
    }
    const isAwake = this.#isAwake;
    this.#isAwake = false;
    return isAwake;
  }

  /** Whether another try makes sense. `reported`: calls are only over once the agent said so. */
  async #triedAfter(milliseconds: number, { reported = true } = {}): Promise<boolean> {
    const { signal } = this.#stop;
    const wait = Math.max(milliseconds, this.#lastReadMs * SHARE);
    if (wait > 0) await pause(wait, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    const { watch, journal, settling, read, stamp } = this.#parts;
    const now = stamp();
    const began = performance.now();
    const grown = await read();
    this.#lastReadMs = performance.now() - began;
    const results = grown === undefined ? undefined : finishedStep(grown);
    if (grown === undefined || results === undefined || grown.mark.entries === this.#entries) return true;
    await watch.endedAnyway(resultsIn(grown).filter((id) => !reported || !results.includes(id)));
    if (!(await watch.haveEnded(results))) return true;
    await watch.scanHidden(grown);
    if (signal.aborted) return false;
    // First: the same transcript must give the same entries again after a kill.
    journal.add({ kind: "cut", records: grown.mark.records });
    await settling.addSteps(grown);
    this.#entries = grown.mark.entries;
    this.#seen = now;
    watch.settled(resultsIn(grown));
    return false;
  }
}

function resultsIn({ entries }: Grown): string[] {
  return entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "toolResult" ? [entry.message.toolCallId] : [],
  );
}
