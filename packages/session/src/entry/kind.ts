/** Small numbers for entry types and roles, so that an index can keep one byte per entry. */
import { ATTEMPT_TYPE } from "./attempt-type.js";
import { POSITION_TYPE, type SessionEntry } from "./entry.js";
import { SUBAGENT_TYPE } from "./subagent-types.js";

/** The prefix of the `customType` of Bough's own records. */
export const OWN_PREFIX = "bough.";

/** The kind of an entry, as a small number. */
export const Kind = {
  /** A type this version does not know. */
  other: 0,
  message: 1,
  /** Limits what is shown: a compaction, or a `reset_boundary`, which keeps nothing and has no summary. */
  compaction: 2,
  branchSummary: 3,
  customMessage: 4,
  modelChange: 5,
  thinkingLevelChange: 6,
  modeChange: 7,
  ruleInjection: 8,
  contextEdit: 9,
  custom: 10,
  /** A `custom` entry that records the position of the leaf. Never a parent. */
  position: 11,
  label: 12,
  sessionInfo: 13,
  usage: 14,
  /** Its ID and parent are readable, its content is not. */
  unreadable: 15,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** Who speaks in a message, or that a record is Bough's own, as a small number. */
export const Role = {
  none: 0,
  user: 1,
  assistant: 2,
  toolResult: 3,
  bashExecution: 4,
  custom: 5,
  branchSummary: 6,
  compactionSummary: 7,
  system: 8,
  other: 9,
  /** Not a message: a `custom` or `custom_message` entry whose type starts with `bough.`. */
  bough: 10,
  /** The entry of type `bough.subagent` that the conversation of a sub-agent starts below. */
  subagent: 11,
  /** The entry of type `bough.attempt` that the branch of an attempt begins with. */
  attempt: 12,
} as const;
export type Role = (typeof Role)[keyof typeof Role];

const KIND_BY_TYPE: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["message", Kind.message],
  ["compaction", Kind.compaction],
  ["reset_boundary", Kind.compaction],
  ["branch_summary", Kind.branchSummary],
  ["custom_message", Kind.customMessage],
  ["model_change", Kind.modelChange],
  ["thinking_level_change", Kind.thinkingLevelChange],
  ["mode_change", Kind.modeChange],
  ["ttsr_injection", Kind.ruleInjection],
  ["context_edit", Kind.contextEdit],
  ["custom", Kind.custom],
  ["label", Kind.label],
  ["session_info", Kind.sessionInfo],
  // oh-my-pi uses this one to rename a session.
  ["title_change", Kind.sessionInfo],
  ["usage", Kind.usage],
]);

const ROLE_BY_NAME: ReadonlyMap<string, Role> = new Map<string, Role>([
  ["user", Role.user],
  ["assistant", Role.assistant],
  ["toolResult", Role.toolResult],
  ["bashExecution", Role.bashExecution],
  ["custom", Role.custom],
  ["hookMessage", Role.custom],
  ["branchSummary", Role.branchSummary],
  ["compactionSummary", Role.compactionSummary],
  ["system", Role.system],
]);

export function kindOfType(type: string): Kind {
  return KIND_BY_TYPE.get(type) ?? Kind.other;
}

export function roleOfName(name: string): Role {
  return ROLE_BY_NAME.get(name) ?? Role.other;
}

/** The kind of an entry; a record of the position has a kind of its own. */
export function kindOf(entry: SessionEntry): Kind {
  const kind = kindOfType(entry.type);
  if (kind === Kind.custom && (entry as { customType?: unknown }).customType === POSITION_TYPE) return Kind.position;
  return kind;
}

/** The role of a message; `bough` for Bough's own records, `none` for every other entry. */
export function roleOf(entry: SessionEntry): Role {
  if (entry.type !== "message") return roleOfRecord(entry.type, (entry as { customType?: unknown }).customType);
  const role: unknown = (entry.message as { role?: unknown } | null | undefined)?.role;
  return typeof role === "string" ? roleOfName(role) : Role.other;
}

/** Like `roleOf`, for an entry that is not a message. */
export function roleOfRecord(type: string, customType: unknown): Role {
  if (type !== "custom" && type !== "custom_message") return Role.none;
  if (typeof customType !== "string" || !customType.startsWith(OWN_PREFIX)) return Role.none;
  if (type === "custom" && customType === SUBAGENT_TYPE) return Role.subagent;
  return type === "custom" && customType === ATTEMPT_TYPE ? Role.attempt : Role.bough;
}

/** How an entry moves the leaf during loading (keeps I4). */
export const LeafEffect = { sets: 0, extends: 1, points: 2, none: 3 } as const;
export type LeafEffect = (typeof LeafEffect)[keyof typeof LeafEffect];

/**
 * `sets`: the leaf becomes this entry. `extends`: only if it is a child of the leaf. `points`: the leaf becomes this
 * entry's parent. `none`: the leaf stays.
 */
export function leafEffect(kind: Kind): LeafEffect {
  if (kind === Kind.position) return LeafEffect.points;
  if (kind === Kind.unreadable) return LeafEffect.none;
  return kind >= Kind.message && kind <= Kind.contextEdit ? LeafEffect.sets : LeafEffect.extends;
}

/** The kinds that a context builder looks for above the leaf: state, compactions and edits. */
export function isMark(kind: Kind): boolean {
  return kind === Kind.compaction || (kind >= Kind.modelChange && kind <= Kind.contextEdit);
}
