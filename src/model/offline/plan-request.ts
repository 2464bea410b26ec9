import { MANNERS, type OfflineTool, RULES, VERBS } from "./rules.js";

type Arguments = Readonly<Record<string, string>>;

export interface PlannedCall {
  readonly tool: OfflineTool;
  readonly arguments: Arguments;
}

/** The tool calls a plain request asks for, in its order; empty if no rule fits. The same text, the same plan. */
export function planRequest(text: string): PlannedCall[] {
  const { masked, unmask } = maskQuotes(text.trim());
  const calls: PlannedCall[] = [];
  for (const clause of clauses(masked)) {
    const call = matchClause(clause, unmask);
    if (call !== null) calls.push(call);
  }
  return calls;
}

const LONGEST = 2000;
const FAREWELL = /,\s*(?:please|thanks|thank you)[.!?]*$/i;

function matchClause(clause: string, unmask: (text: string) => string): PlannedCall | null {
  const command = clause.startsWith("$");
  // Pasted text, not a request; and the rules would take long over it.
  if (!command && clause.length > LONGEST) return null;
  const text = command
    ? clause
    : clause
        .replace(MANNERS, "")
        .replace(FAREWELL, "")
        .replace(/(?<=[^\s.])[.?!,]+$/, "");
  for (const rule of RULES) {
    const match = rule.pattern.exec(text);
    if (match === null) continue;
    const { groups } = match;
    const found: Record<string, string> = {};
    for (const [name, value] of Object.entries(groups ?? {})) {
      if (value !== undefined) found[name] = name === "path" ? place(value, unmask) : unmask(value.trim());
    }
    if (rule.needsPath === true && !looksLikePath(groups?.path ?? "")) continue;
    return { tool: rule.tool, arguments: rule.tool === "ls" ? { path: ".", ...found } : found };
  }
  return null;
}

/** Parts of a request that each ask for something. A line with a command after `$` is never taken apart. */
function clauses(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (trimmed.startsWith("$")) found.push(trimmed);
    else found.push(...lineClauses(trimmed));
  }
  return found;
}

function lineClauses(line: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (const cut of line.matchAll(/[.?!;]\s+|,?\s+and\s+(?:then\s+)?|,?\s+then\s+|,\s+/gi)) {
    const rest = line.slice(cut.index + cut[0].length);
    if (!VERBS.test(rest)) continue;
    found.push(line.slice(start, cut.index));
    start = cut.index + cut[0].length;
  }
  found.push(line.slice(start));
  return found.map((clause) => clause.trim()).filter((clause) => clause !== "");
}

/** Quoted text becomes one word, so that nothing inside it is understood as part of the request. */
function maskQuotes(text: string): { masked: string; unmask: (text: string) => string } {
  const kept: string[] = [];
  const quotes = /```[^\n]*\n([\s\S]*?)\n?```|`([^`\n]+)`|"([^"]*)"|(?<=^|\s)'([^'\n]*)'(?=$|[\s.,?!;])/g;
  const masked = text.replace(quotes, (...match: readonly unknown[]) => {
    const inner = match.slice(1, 5).find((group): group is string => typeof group === "string") ?? "";
    return `\uE000${kept.push(inner) - 1}\uE001`;
  });
  return {
    masked,
    unmask: (value) => value.replace(/\uE000(\d+)\uE001/g, (_all, at: string) => kept[Number(at)] ?? ""),
  };
}

const HERE =
  /^(?:(?:this|the|that|my|our|current|working)\s+)*(?:folder|directory|project|repo|repository|place|dir|code|files?)?$/i;

function place(words: string, unmask: (text: string) => string): string {
  const text = words.trim();
  if (/^(?:here|it)$/i.test(text) || HERE.test(text)) return ".";
  return unmask(
    text
      .replace(/^(?:the\s+|my\s+)?(?:folder\s+|directory\s+|file\s+)?/i, "")
      .replace(/\s+(?:folder|directory|file)$/i, "")
      // As files are mentioned in an editor that completes them.
      .replace(/^@(?=[\w./~-])/, ""),
  );
}

/** Quoted, or with a dot or a slash inside, or one of the names in capitals that projects have. */
function looksLikePath(word: string): boolean {
  return (
    /\uE000/.test(word) || /[^\s.]\.[^\s.]|\/|^\.\w/.test(word) || /^(?:[A-Z]{4,}|Makefile|Dockerfile)$/.test(word)
  );
}
