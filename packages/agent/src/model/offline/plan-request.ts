type Arguments = Readonly<Record<string, string>>;

export interface PlannedCall {
  readonly tool: OfflineTool;
  readonly arguments: Arguments;
}

/** The tool calls that a plain request asks for, in order; empty if no rule matches. Deterministic. */
export function planRequest(text: string): PlannedCall[] {
  const quotes = maskQuotes(text.trim());
  const calls: PlannedCall[] = [];
  for (const clause of clauses(quotes.masked)) {
    const call = matchClause(clause, quotes);
    if (call !== null) calls.push(call);
  }
  return calls;
}

const LONGEST = 2000;
const FAREWELL = /,\s*(?:please|thanks|thank you)[.!?]*$/i;

function matchClause(clause: string, { unquote, restore }: MaskedQuotes): PlannedCall | null {
  const command = clause.startsWith("$");
  // A shell reads the quotes of a command itself.
  const unmask = command ? restore : unquote;
  // Pasted text, not a request; matching the rules against it would be slow.
  if (!command && clause.length > LONGEST) return null;
  const text = command
    ? clause
    : clause
        .replace(GREETING, "")
        .replace(FAREWELL, "")
        .replace(/(?<=[^\s.])[.?!,]+$/, "");
  for (const rule of RULES) {
    const match = rule.pattern.exec(text);
    if (match === null) continue;
    const { groups } = match;
    const found: Record<string, string> = {};
    for (const [name, value] of Object.entries(groups ?? {})) {
      if (value !== undefined) found[name] = name === "path" ? pathIn(value, unmask) : unmask(value.trim());
    }
    if (rule.needsPath === true && !looksLikePath(groups?.path ?? "")) continue;
    return { tool: rule.tool, arguments: rule.tool === "ls" ? { path: ".", ...found } : found };
  }
  return null;
}

/** Splits a request into parts that each ask for something. A `$` line with a command is never split. */
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

/** Replaces quoted text with a placeholder word, so that nothing inside it is parsed as part of the request. */
interface MaskedQuotes {
  readonly masked: string;
  /** Puts the quoted texts back without their quotes. */
  readonly unquote: (text: string) => string;
  /** Puts them back as they were. */
  readonly restore: (text: string) => string;
}

function maskQuotes(text: string): MaskedQuotes {
  const kept: { readonly inner: string; readonly whole: string }[] = [];
  const quotes = /```[^\n]*\n([\s\S]*?)\n?```|`([^`\n]+)`|"([^"]*)"|(?<=^|\s)'([^'\n]*)'(?=$|[\s.,?!;])/g;
  const masked = text.replace(quotes, (...match: readonly unknown[]) => {
    const inner = match.slice(1, 5).find((group): group is string => typeof group === "string") ?? "";
    return `\uE000${kept.push({ inner, whole: String(match[0]) }) - 1}\uE001`;
  });
  const back = (value: string, part: "inner" | "whole"): string =>
    value.replace(/\uE000(\d+)\uE001/g, (_all, at: string) => kept[Number(at)]?.[part] ?? "");
  return { masked, unquote: (value) => back(value, "inner"), restore: (value) => back(value, "whole") };
}

const HERE =
  /^(?:(?:this|the|that|my|our|current|working)\s+)*(?:folder|directory|project|repo|repository|place|dir|code|files?)?$/i;

function pathIn(words: string, unmask: (text: string) => string): string {
  const text = words.trim();
  if (/^(?:here|it)$/i.test(text) || HERE.test(text)) return ".";
  return unmask(
    text
      .replace(/^(?:the\s+|my\s+)?(?:folder\s+|directory\s+|file\s+)?/i, "")
      .replace(/\s+(?:folder|directory|file)$/i, "")
      // Files are mentioned as `@path`.
      .replace(/^@(?=[\w./~-])/, ""),
  );
}

/** Quoted, contains a dot or slash, or is a typical project file in capitals. */
function looksLikePath(word: string): boolean {
  return (
    /\uE000/.test(word) || /[^\s.]\.[^\s.]|\/|^\.\w/.test(word) || /^(?:[A-Z]{4,}|Makefile|Dockerfile)$/.test(word)
  );
}

/** The tools that the offline model can plan. */
const OFFLINE_TOOLS = ["bash", "write", "edit", "find", "grep", "ls", "read"] as const;
type OfflineTool = (typeof OFFLINE_TOOLS)[number];

interface Rule {
  readonly tool: OfflineTool;
  readonly pattern: RegExp;
  /** The path must look like one: a sentence like "open the door" names no file. */
  readonly needsPath?: boolean;
}

const FILE = String.raw`(?:the\s+|a\s+|an\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(?<path>\S+)`;
const WHERE = String.raw`(?:\s+(?:in|of|under|inside|within|from)\s+(?<path>.+?))?`;
const THINGS = "(?:files?|folders?|contents?|everything|entries|director(?:y|ies))";

function rule(tool: OfflineTool, pattern: string, options: { readonly needsPath?: boolean } = {}): Rule {
  return { tool, pattern: new RegExp(`^(?:${pattern})$`, "is"), ...options };
}

/** The first rule that matches a clause is used. Named groups are the arguments of the tool. */
const RULES: readonly Rule[] = [
  rule("bash", String.raw`\$\s*(?<command>.+)`),
  rule("bash", String.raw`(?:run|execute|exec)\s+(?:the\s+)?(?:shell\s+)?(?:command\s*:?\s+)?(?<command>.+)`),
  rule("write", String.raw`(?:write|save|put)\s+(?<content>.+?)\s+(?:in)?to\s+${FILE}`, { needsPath: true }),
  rule(
    "write",
    String.raw`(?:create|write|make|add)\s+${FILE}\s+(?:with|containing|saying|that\s+says)(?:\s+the)?(?:\s+(?:text|contents?))?\s*:?\s+(?<content>.+)`,
    { needsPath: true },
  ),
  rule(
    "edit",
    String.raw`(?:replace|change)\s+(?<oldText>.+?)\s+(?:with|to|by|into)\s+(?<newText>.+?)\s+in\s+${FILE}`,
    {
      needsPath: true,
    },
  ),
  rule(
    "find",
    String.raw`(?:find|list|show|search\s+for)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?(?<pattern>\S*\*\S*)(?:\s+files)?${WHERE}`,
  ),
  rule(
    "find",
    String.raw`find\s+(?:all\s+|the\s+|any\s+)*files?\s+(?:(?:named|called|like|matching)\s+)?(?<pattern>\S+)${WHERE}`,
  ),
  rule("ls", String.raw`(?:ls|dir)(?:\s+(?<path>[^\s-]\S*))?`),
  rule(
    "ls",
    String.raw`(?:list|show)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?${THINGS}(?:\s+and\s+${THINGS})?${WHERE}(?:\s+here)?`,
  ),
  rule(
    "ls",
    String.raw`(?:what|which)\s+(?:files|folders|files\s+and\s+folders)(?:\s+(?:are|is|do\s+(?:we|you|i)\s+have))?(?:\s+there)?${WHERE}(?:\s+here)?`,
  ),
  rule("read", String.raw`what(?:'s|\s+is|\s+does|\s+stands)\s+(?:in\s+)?${FILE}(?:\s+(?:say|contain))?`, {
    needsPath: true,
  }),
  rule("ls", String.raw`what(?:'s|\s+is)\s+(?:in|inside)\s+(?<path>.+?)`),
  rule("ls", String.raw`what(?:'s|\s+is)\s+here`),
  rule(
    "grep",
    String.raw`(?:search|grep|look|scan)(?:\s+for)?\s+(?:the\s+(?:word|text|string)\s+)?(?!at\s)(?<pattern>.+?)${WHERE}`,
  ),
  rule("grep", String.raw`search\s+(?<path>\S+)\s+for\s+(?<pattern>.+)`),
  rule("grep", String.raw`(?:where\s+is|who\s+uses)\s+(?<pattern>.+?)(?:\s+(?:used|defined|mentioned|set))?${WHERE}`),
  rule("grep", String.raw`(?:what|which)\s+files\s+(?:mention|contain|use|have)\s+(?<pattern>.+?)`),
  rule("grep", String.raw`find\s+(?:the\s+(?:word|text|string)\s+)?(?<pattern>.+?)${WHERE}`),
  rule(
    "read",
    String.raw`(?:read|show|open|cat|print|display|view|look\s+at|summari[sz]e|explain|describe)\s+(?:me\s+)?(?:the\s+)?(?:contents?\s+of\s+)?${FILE}`,
    { needsPath: true },
  ),
  rule("ls", String.raw`list(?:\s+(?<path>\S+))?`),
];

/** Words that start a clause; only before one of these does "and" separate two requests. */
const VERBS =
  /^(?:\$|(?:then|please|also)\s|(?:run|execute|exec|write|save|put|create|make|add|replace|change|find|list|show|search|ls|dir|grep|look|scan|read|open|cat|print|display|view|summari[sz]e|explain|describe|what|which|where|tell)\b)/i;

const GREETING =
  /^(?:(?:please|then|also|now|first|next|finally|and|can you|could you|would you|will you|i want you to|tell me|hey|hello|hi)[\s,:]+)+/i;
