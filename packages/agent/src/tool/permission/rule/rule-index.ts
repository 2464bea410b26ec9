/** Indexes rules by what they match, so that a hundred thousand of them cost no more than a few. */
import { baseName } from "../shell/shell-line.js";
import {
  absolutePattern,
  foldedPath,
  isStaticPattern,
  matchesPath,
  type PatternPlace,
  plainPath,
  touchesPath,
} from "./path-pattern.js";
import type { Rule, RuleTarget } from "./rule.js";

type Of<Kind extends RuleTarget["kind"]> = Rule & { readonly target: Extract<RuleTarget, { kind: Kind }> };
export type CommandRule = Of<"command">;
export type PathRule = Of<"path">;

/** Rules with the same effect. */
export class RuleGroup {
  readonly tools: Of<"tool">[] = [];
  readonly mcp: Of<"mcp">[] = [];
  readonly hosts: Of<"host">[] = [];
  readonly broken: Of<"broken">[] = [];
  /** Path rules without a fixed path: for every path, or with wildcards. */
  readonly #open: PathRule[] = [];
  /** Keyed by folded path. */
  readonly #static = new Map<string, PathRule[]>();
  /** Keyed by the base name of the program in lower case. */
  readonly #commands = new Map<string, CommandRule[]>();
  /** Keyed by their words, for allow rules. */
  readonly #worded = new Map<string, CommandRule[]>();
  #longest = 0;
  readonly #place: PatternPlace;
  size = 0;

  constructor(rules: readonly Rule[], place: PatternPlace) {
    this.#place = place;
    for (const rule of rules) this.#add(rule);
  }

  #add(rule: Rule): void {
    this.size++;
    if (isOf(rule, "tool")) this.tools.push(rule);
    else if (isOf(rule, "mcp")) this.mcp.push(rule);
    else if (isOf(rule, "host")) this.hosts.push(rule);
    else if (isOf(rule, "broken")) this.broken.push(rule);
    else if (isOf(rule, "command")) {
      const { words } = rule.target;
      this.#longest = Math.max(this.#longest, words.length);
      addTo(this.#commands, baseName(words[0] ?? "").toLowerCase(), rule);
      addTo(this.#worded, keyOf(words), rule);
    } else if (isOf(rule, "path")) {
      const { pattern } = rule.target;
      if (pattern === undefined || !isStaticPattern(pattern)) this.#open.push(rule);
      else addTo(this.#static, foldedPath(plainPath(absolutePattern(pattern, this.#place))), rule);
    }
  }

  get hasPaths(): boolean {
    return this.#open.length > 0 || this.#static.size > 0;
  }

  get hasCommands(): boolean {
    return this.#commands.size > 0;
  }

  /** All rules about commands, for a line that was not understood. */
  *commands(): Iterable<CommandRule> {
    for (const rules of this.#commands.values()) yield* rules;
  }

  *paths(): Iterable<PathRule> {
    yield* this.#open;
    for (const rules of this.#static.values()) yield* rules;
  }

  /** Rules about a program with this name. */
  commandsNamed(name: string): readonly CommandRule[] {
    return this.#commands.get(baseName(name).toLowerCase()) ?? [];
  }

  /** Rules whose words are a prefix of these, longest first. */
  *commandsBeginning(words: readonly string[]): Iterable<CommandRule> {
    for (let length = Math.min(this.#longest, words.length); length > 0; length--) {
      yield* this.#worded.get(keyOf(words.slice(0, length))) ?? [];
    }
  }

  /** Rules that match a path or one of its parent folders, ignoring case. */
  *touching(path: string): Iterable<PathRule> {
    for (let at = foldedPath(path); at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      yield* this.#static.get(at) ?? [];
    }
    for (const rule of this.#open) {
      const { pattern } = rule.target;
      if (pattern === undefined || touchesPath(pattern, path, this.#place)) yield rule;
    }
  }

  /** Rules that match exactly this path. */
  *matching(path: string): Iterable<PathRule> {
    for (const rule of [...(this.#static.get(foldedPath(path)) ?? []), ...this.#open]) {
      const { pattern } = rule.target;
      if (pattern === undefined || matchesPath(pattern, path, this.#place)) yield rule;
    }
  }
}

export interface RuleIndex {
  readonly allow: RuleGroup;
  readonly ask: RuleGroup;
  readonly deny: RuleGroup;
}

const INDEXES = new WeakMap<readonly Rule[], { readonly key: string; readonly index: RuleIndex }>();

/** Built once per list of rules. */
export function ruleIndex(rules: readonly Rule[], place: PatternPlace): RuleIndex {
  const key = JSON.stringify([place.cwd, place.userHome]);
  const known = INDEXES.get(rules);
  if (known?.key === key) return known.index;
  const group = (effect: Rule["effect"]) =>
    new RuleGroup(
      rules.filter((rule) => rule.effect === effect),
      place,
    );
  const index = { allow: group("allow"), ask: group("ask"), deny: group("deny") };
  INDEXES.set(rules, { key, index });
  return index;
}

function isOf<Kind extends RuleTarget["kind"]>(rule: Rule, kind: Kind): rule is Of<Kind> {
  return rule.target.kind === kind;
}

function keyOf(words: readonly string[]): string {
  return words.join("\0");
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
