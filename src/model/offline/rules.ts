/** What plain requests mean: the table the offline model works by. Named groups are the arguments of the tool. */

const OFFLINE_TOOLS = ["bash", "write", "edit", "find", "grep", "ls", "read"] as const;
export type OfflineTool = (typeof OFFLINE_TOOLS)[number];

interface Rule {
  readonly tool: OfflineTool;
  readonly pattern: RegExp;
  /** Arguments a match must have in the look of; a sentence like "open the door" names no path. */
  readonly needsPath?: boolean;
}

const FILE = String.raw`(?:the\s+|a\s+|an\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(?<path>\S+)`;
const WHERE = String.raw`(?:\s+(?:in|of|under|inside|within|from)\s+(?<path>.+?))?`;
const THINGS = "(?:files?|folders?|contents?|everything|entries|director(?:y|ies))";

function rule(tool: OfflineTool, pattern: string, options: { readonly needsPath?: boolean } = {}): Rule {
  return { tool, pattern: new RegExp(`^(?:${pattern})$`, "is"), ...options };
}

/** The first rule that matches a clause counts. */
export const RULES: readonly Rule[] = [
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

/** Words a clause begins with; only before one of these does "and" begin another request. */
export const VERBS =
  /^(?:\$|(?:then|please|also)\s|(?:run|execute|exec|write|save|put|create|make|add|replace|change|find|list|show|search|ls|dir|grep|look|scan|read|open|cat|print|display|view|summari[sz]e|explain|describe|what|which|where|tell)\b)/i;

export const MANNERS =
  /^(?:(?:please|then|also|now|first|next|finally|and|can you|could you|would you|will you|i want you to|tell me|hey|hello|hi)[\s,:]+)+/i;
