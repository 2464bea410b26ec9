/**
 * A permission rule: `bash(npm test:*)`, `unsandboxed(git push:*)`, `edit(src/**)`, `web_fetch(example.com)`,
 * `mcp(server/tool)`, `deploy`.
 */
import { readHostPattern } from "./host-pattern.js";
import { isStaticPattern } from "./path-pattern.js";
import { type CommandPattern, readCommandPattern } from "./read-command-pattern.js";
import { serverToolName } from "./server-tool-name.js";

/** What a rule can say about the requests it matches. */
export const RULE_EFFECTS = ["allow", "ask", "deny"] as const;
export type RuleEffect = (typeof RULE_EFFECTS)[number];

/** Where a rule was written. */
export interface RuleSource {
  readonly kind: "user" | "project" | "local" | "environment" | "flag" | "program";
  /** The settings file, if there is one. */
  readonly file?: string;
}

export type RuleTarget =
  /** Every request of a tool. */
  | { readonly kind: "tool"; readonly tool: string }
  /** Tools of MCP servers, called `server__tool`. Both are names or patterns with `*`. */
  | {
      readonly kind: "mcp";
      readonly server: string;
      readonly tool: string;
      /** The name of the tool on its server, if the model calls it by a different name. */
      readonly named?: string;
    }
  /** `outside`: the rule is about running the command outside the sandbox. */
  | ({ readonly kind: "command"; readonly outside?: true } & CommandPattern)
  /** `tool`: the rule is about one tool only; otherwise it applies to every tool, and to redirections. */
  | {
      readonly kind: "path";
      readonly action: "read" | "write";
      readonly tool?: string;
      /** Undefined for every path. */
      readonly pattern?: string;
    }
  /** `pattern`: a host, or `*.` and a domain. */
  | { readonly kind: "host"; readonly pattern: string }
  /** Could not be parsed: it matches every request of this tool, or every request of all tools. */
  | { readonly kind: "broken"; readonly tool?: string; readonly problem: string };

export interface Rule {
  readonly effect: RuleEffect;
  /** The rule as written. */
  readonly text: string;
  readonly source: RuleSource;
  readonly target: RuleTarget;
}

const FILE_TOOLS: Readonly<Record<string, { readonly action: "read" | "write"; readonly tool?: string }>> = {
  edit: { action: "write" },
  write: { action: "write" },
  read: { action: "read" },
  grep: { action: "read", tool: "grep" },
  find: { action: "read", tool: "find" },
  ls: { action: "read", tool: "ls" },
};

/** The name of rules about running commands outside the sandbox. */
export const UNSANDBOXED = "unsandboxed";

/** Parses a rule. Never throws: a rule that cannot be parsed is `broken`, and never allows anything. */
export function parseRule(text: unknown, { effect, source }: Pick<Rule, "effect" | "source">): Rule {
  if (typeof text !== "string") {
    const target = { kind: "broken", problem: "Expected a rule as a string" } as const;
    return { effect, text: JSON.stringify(text) ?? "", source, target };
  }
  const target = targetOf(text, effect);
  const leaves = "tool" in target ? target.tool === UNSANDBOXED : target.kind === "command" && target.outside === true;
  if (leaves && effect === "allow" && target.kind !== "broken" && PROJECT_SOURCES.includes(source.kind)) {
    const problem = "Only your own settings can let commands leave the sandbox";
    return { effect, text, source, target: { kind: "broken", tool: UNSANDBOXED, problem } };
  }
  return { effect, text, source, target };
}

/** The sandbox protects against the project, so files in the project cannot open it. */
const PROJECT_SOURCES: readonly RuleSource["kind"][] = ["project", "local"];

function targetOf(text: string, effect: RuleEffect): RuleTarget {
  const [, name = "", inside] = /^([A-Za-z_][\w.-]*(?:__\*)?)(?:\(([\s\S]*)\))?$/.exec(text.trim()) ?? [];
  const files = Object.hasOwn(FILE_TOOLS, name) ? FILE_TOOLS[name] : undefined;
  if (name === "") {
    const tool = /^\s*([A-Za-z_][\w.-]*)/.exec(text)?.[1];
    return { kind: "broken", tool, problem: "Expected tool or tool(pattern)" };
  }
  if (inside === undefined) {
    if (name === "mcp")
      return { kind: "broken", problem: "Expected mcp(server/tool), such as mcp(docs/search) or mcp(docs/*)" };
    // Every call through it is one of a tool of a server.
    if (name === "mcp_call") return { kind: "mcp", server: "*", tool: "*" };
    return files === undefined ? { kind: "tool", tool: name } : { kind: "path", ...files };
  }
  if (name === "bash" || name === UNSANDBOXED) {
    const pattern = readCommandPattern(inside, effect);
    return "problem" in pattern
      ? { kind: "broken", tool: name, problem: pattern.problem }
      : pattern.words.length === 0
        ? { kind: "tool", tool: name }
        : name === "bash"
          ? { kind: "command", ...pattern }
          : { kind: "command", outside: true, ...pattern };
  }
  if (files !== undefined) {
    const pattern = inside.trimStart().replace(/(?<!\\)\s+$/, "");
    const problem = patternProblem(pattern);
    return problem === undefined ? { kind: "path", ...files, pattern } : { kind: "broken", tool: name, problem };
  }
  if (name === "web_fetch") {
    const read = readHostPattern(inside);
    return "problem" in read ? { kind: "broken", tool: name, problem: read.problem } : { kind: "host", ...read };
  }
  if (name === "mcp") {
    const [, server, tool = "*"] = /^([\w.*-]+)(?:\/((?:[\w.*-]|\\[^\w\p{Cc}])+))?$/u.exec(inside.trim()) ?? [];
    if (server === undefined) return { kind: "broken", problem: "Expected mcp(server/tool) or mcp(server/*)" };
    // Use the name that the model uses: a rule about `a.b` applies to the tool offered as `a_b`.
    const plain = tool.replace(/\\(.)/gu, "$1");
    const isExact = !`${server}${tool.replace(/\\./gu, "")}`.includes("*");
    const called = isExact
      ? serverToolName(server, plain).slice(server.length + 2)
      : tool.replace(/\\./gu, "_").replaceAll(".", "_");
    return { kind: "mcp", server, tool: called, named: tool.includes("\\") ? tool : undefined };
  }
  return { kind: "broken", tool: name, problem: `A rule for ${name} takes no pattern` };
}

function patternProblem(pattern: string): string | undefined {
  if (pattern === "") return "The path is empty";
  if (pattern.split("/").includes("..")) return "A path cannot contain ..";
  if (/\\(?![*?[\]{}!\\~ ])/.test(pattern)) return "A backslash can only escape * ? [ ] { } ! ~ and \\";
  if (/[[\]{}!]/.test(pattern.replace(/\\./g, ""))) {
    return "A path takes only the wildcards *, ** and ?; put a backslash before [ ] { } and !";
  }
  if (/\p{Cc}/u.test(pattern)) return "A path cannot contain control characters";
  if (isStaticPattern(pattern) && pattern.endsWith("/")) return "For everything in a folder, end the path with /**";
  return undefined;
}
