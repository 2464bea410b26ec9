/** What the server of `bough serve` answers, for the server and its page. Plain data. */
import type { TreeColumns } from "./export-facts.js";

/** Tokens and dollars of some calls; `unpriced` calls are not in `dollars`. */
export interface LiveSum {
  readonly calls: number;
  readonly tokens: number;
  readonly dollars: number;
  readonly unpriced: number;
}

export interface LiveSession {
  /** Names the session in all requests. Never a path. */
  readonly key: string;
  /** `bough`, `claude-code` and so on. */
  readonly agent: string;
  readonly id: string;
  readonly title: string;
  /** The working directory; "" if unknown. */
  readonly cwd: string;
  /** ISO times. */
  readonly created: string;
  readonly modified: string;
  readonly bytes: number;
  readonly branches: number;
  /** Undefined until its calls are counted. */
  readonly usage?: LiveSum;
  /** Calls on each of the last 14 days, today last. */
  readonly days: readonly number[];
  /** Programs that have it open, to write or to read. */
  readonly open: readonly { readonly program: string; readonly mode: "write" | "read"; readonly since: string }[];
}

/** `GET /api/sessions` */
export interface SessionsAnswer {
  /** Newest first. */
  readonly sessions: readonly LiveSession[];
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

/** An entry of the tree: ID, ID of its parent, kind, role, bytes. */
export type TreeRowData = readonly [id: string, parentId: string | null, kind: number, role: number, length: number];

/** `GET /api/tree?s=<key>`: everything that is needed to draw the first screen. */
export interface TreeAnswer {
  readonly key: string;
  readonly agent: string;
  readonly id: string;
  readonly title: string;
  readonly cwd: string;
  readonly startedAt: string;
  /** Number of the leaf, or -1. */
  readonly leaf: number;
  readonly index: TreeColumns;
  /** Where `/api/events` continues. */
  readonly cursor: string;
  /** Entries that the first screen shows. */
  readonly entries: readonly NumberedEntry[];
}

/** `GET /api/tree?s=<key>&from=<n>`: a page of the tree. */
export interface TreePage {
  readonly from: number;
  readonly rows: readonly TreeRowData[];
  readonly count: number;
  /** Where the next page starts; absent at the end. */
  readonly next?: number;
}

export type NumberedEntry = readonly [n: number, entry: unknown];

/** `GET /api/entries?s=<key>&n=3,7-20` */
export interface EntriesAnswer {
  readonly entries: readonly NumberedEntry[];
  /** Numbers that did not fit; ask again. */
  readonly left: readonly number[];
}

/** Data of the event `entries` of `GET /api/events?s=<key>&cursor=<cursor>`; the ID of the event is the next cursor. */
export interface GrownEvent {
  /** Number of the first one. */
  readonly from: number;
  readonly rows: readonly TreeRowData[];
  readonly leaf: number;
  /** The entries themselves, if they are short. */
  readonly entries: readonly NumberedEntry[];
}

/** `GET /api/search?q=<words>` */
export interface SearchAnswer {
  readonly hits: readonly {
    readonly key: string;
    readonly agent: string;
    readonly title: string;
    readonly cwd: string;
    readonly entryId: string;
    readonly who: string;
    /** ISO time. */
    readonly time: string;
    readonly excerpt: string;
    /** Ranges of the words in the excerpt. */
    readonly spans: readonly (readonly [start: number, end: number])[];
  }[];
  readonly more: boolean;
  /** Sessions that are not searched yet. */
  readonly waiting: number;
}

/** `GET /api/find?s=<key>&q=<words>`: entries of a session that contain all words. */
export interface FindAnswer {
  readonly numbers: readonly number[];
  /** True if there are more. */
  readonly more: boolean;
}

/** Any answer that is not a success. */
export interface ErrorAnswer {
  readonly error: { readonly code: string; readonly message: string };
}

/** Tokens and dollars of a group of calls. */
export interface UsageAnswerSum extends LiveSum {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface UsageAnswerRow extends UsageAnswerSum {
  readonly name: string;
  readonly session?: { readonly id: string; readonly path: string; readonly title: string };
  readonly branch?: { readonly number: number; readonly name: string };
}

/** `GET /api/usage?by=day`: see docs/usage.md. */
export interface UsageAnswer {
  readonly by: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly sessions: number;
  readonly total: UsageAnswerSum;
  readonly rows: readonly UsageAnswerRow[];
  readonly copies: UsageAnswerSum;
  readonly left: UsageAnswerSum;
  readonly subagents: UsageAnswerSum;
  readonly caching: { readonly dollars: number; readonly unpriced: number };
  readonly compaction: { readonly tokens: number; readonly dollars: number; readonly unpriced: number };
  readonly unpricedModels: readonly { readonly model: string; readonly calls: number; readonly tokens: number }[];
  readonly odd: number;
  readonly withoutBranches: readonly string[];
}
