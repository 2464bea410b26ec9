/**
 * What was seen of one turn over the protocol: the prompt, what the agent said, its calls, and what they changed. It
 * can be written as lines and read back, so that a turn outlives this process.
 */
import { isRecord, jsonObject } from "@bough/session/text/index.js";
import type { FilesScan } from "@bough/workbench/checkpoint/index.js";
import type { AgentName } from "@bough/workbench/interop/index.js";
import type { ReadMark } from "@bough/workbench/interop/internal.js";
import { mergedCall } from "./acp-updates.js";
import type { DriverCall, DriverUpdate, TurnEnd } from "./driver.js";

export interface TurnHead {
  readonly version: typeof TURN_VERSION;
  readonly sessionId: string;
  /** The entry that the prompt continues. */
  readonly leaf: string | null;
  readonly driver: string;
  readonly transcripts?: AgentName;
  readonly nativeId: string;
  readonly model: string;
  readonly cwd: string;
  /** The folder in which the agent looks for its transcripts. */
  readonly home?: string;
  /** What the transcript had before the prompt. */
  readonly mark?: ReadMark;
  /** Absent if the agent works by itself. */
  readonly prompt?: string;
  /** The prompt came after an earlier conversation as text. */
  readonly given?: true;
  readonly timestamp: number;
  /** The process of the agent, to wait for before its transcript is read. */
  readonly process?: { readonly pid: number; readonly start?: string; readonly space?: string };
}

/** Changes with every change of the lines. What another version wrote is kept and not guessed. */
export const TURN_VERSION = 2;

/** A call, and what Bough knows about it. */
export interface SeenCall extends DriverCall {
  /** Why it was not allowed. */
  readonly refused?: string;
  /** The hash of its whole output in the store of file contents. */
  readonly stored?: string;
}

export interface KeptScan {
  readonly callIds: readonly string[];
  readonly scan: FilesScan;
}

/** In the order in which it was seen. */
export type SeenPart =
  | { readonly kind: "text" | "thinking"; readonly text: string }
  | { readonly kind: "call"; readonly id: string };

export type TurnLine =
  | DriverUpdate
  | { readonly kind: "refused"; readonly id: string; readonly reason: string }
  /** What a call printed in addition. */
  | { readonly kind: "more"; readonly id: string; readonly output: string }
  /** Where its whole output is, if that is too long for the journal. */
  | { readonly kind: "content"; readonly id: string; readonly hash: string }
  | { readonly kind: "scan"; readonly scan: KeptScan }
  /** How far the transcript had been read when finished steps were added: written before they are. */
  | { readonly kind: "cut"; readonly records: ReadMark["records"] }
  | { readonly kind: "end"; readonly end: TurnEnd["reason"] | "failed" };

export class TurnRecord {
  readonly head: TurnHead;
  readonly parts: SeenPart[] = [];
  readonly calls = new Map<string, SeenCall>();
  readonly scans: KeptScan[] = [];
  /** Of each time that finished steps were added. */
  readonly cuts: ReadMark["records"][] = [];
  /** Undefined if the turn was killed. */
  end: TurnEnd["reason"] | "failed" | undefined;

  constructor(head: TurnHead) {
    this.head = head;
  }

  take(line: TurnLine): void {
    switch (line.kind) {
      case "text":
      case "thinking": {
        const last = this.parts.at(-1);
        if (last?.kind === line.kind) this.parts[this.parts.length - 1] = { ...last, text: last.text + line.text };
        else this.parts.push({ kind: line.kind, text: line.text });
        return;
      }
      case "call": {
        const { id } = line.call;
        // An update may come before the call it is about.
        if (!this.calls.has(id)) this.parts.push({ kind: "call", id });
        this.calls.set(id, mergedCall(this.calls.get(id), line.call));
        return;
      }
      case "refused": {
        if (!this.calls.has(line.id)) this.parts.push({ kind: "call", id: line.id });
        const call = this.calls.get(line.id) ?? { id: line.id };
        this.calls.set(line.id, { ...call, refused: line.reason });
        return;
      }
      case "content": {
        const call = this.calls.get(line.id);
        if (call !== undefined) this.calls.set(line.id, { ...call, stored: line.hash });
        return;
      }
      case "more": {
        const call = this.calls.get(line.id);
        if (call !== undefined) this.calls.set(line.id, { ...call, output: (call.output ?? "") + line.output });
        return;
      }
      case "scan":
        this.scans.push(line.scan);
        return;
      case "cut":
        this.cuts.push(line.records);
        return;
      case "end":
        this.end = line.end;
    }
  }

  /** Undefined if it is of another version, or has no readable start. Torn and damaged lines are skipped. */
  static read(text: string): TurnRecord | undefined {
    const [first = "", ...rest] = text.split("\n");
    const head = jsonObject(first);
    if (head === undefined || !isHead(head)) return undefined;
    const record = new TurnRecord(head);
    for (const line of rest) {
      const value = jsonObject(line);
      if (value !== undefined && isLine(value)) record.take(value);
    }
    return record;
  }
}

function isHead(value: Readonly<Record<string, unknown>>): value is TurnHead & Readonly<Record<string, unknown>> {
  const { version, sessionId, driver, nativeId, model, cwd, prompt, timestamp } = value;
  const texts = [sessionId, driver, nativeId, model, cwd, prompt ?? ""];
  return version === TURN_VERSION && texts.every((text) => typeof text === "string") && typeof timestamp === "number";
}

function isLine(value: Readonly<Record<string, unknown>>): value is TurnLine & Readonly<Record<string, unknown>> {
  switch (value.kind) {
    case "text":
    case "thinking":
      return typeof value.text === "string";
    case "call":
      return isRecord(value.call) && typeof value.call.id === "string";
    case "content":
      return typeof value.id === "string" && typeof value.hash === "string";
    case "more":
      return typeof value.id === "string" && typeof value.output === "string";
    case "cut":
      return isRecord(value.records) && Object.values(value.records).every((count) => typeof count === "number");
    case "refused":
      return typeof value.id === "string" && typeof value.reason === "string";
    case "scan":
      return isRecord(value.scan) && isRecord(value.scan.scan) && Array.isArray(value.scan.callIds);
    case "end":
      return typeof value.end === "string";
    default:
      return false;
  }
}
