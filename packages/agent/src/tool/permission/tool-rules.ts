/** Applies rules to tools that may not ask for permission: read-only tools, and tools that ask on their own. */
import { relative } from "node:path";
import { absolutePath } from "../path/absolute-path.js";
import { namedPath } from "../path/allowed-path.js";
import { isInside } from "../path/inside.js";
import type { PermissionRequest } from "../tool.js";
import { type AskedRequest, askedRequest, verdictOn } from "./asked-request.js";
import { applyRules } from "./rule/apply-rules.js";
import type { Rule } from "./rule/rule.js";

export interface ToolUseFacts {
  readonly tool: string;
  readonly readOnly: boolean;
  readonly input: unknown;
  readonly callId?: string;
}

type Checked =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly asked: AskedRequest; readonly rule: Rule }
  | { readonly kind: "ask"; readonly asked: AskedRequest; readonly always: string };

/** Built-in tools that read the file or folder in `path`, the working directory by default. */
const READERS = ["read", "grep", "find", "ls"];

export async function checkToolRules(
  use: ToolUseFacts,
  { cwd, rules }: { readonly cwd: string; readonly rules: readonly Rule[] },
): Promise<Checked> {
  const against = rules.filter(({ effect }) => effect !== "allow");
  if (against.length === 0) return { kind: "allow" };
  const asked = await askedRequest(requestOf(use, cwd), cwd);
  if (!use.readOnly) {
    // It asks later with more details; here only its name counts.
    const answer = applyRules(
      against.filter(({ effect, target }) => effect === "deny" && (target.kind === "tool" || target.kind === "mcp")),
      asked.facts,
      asked.patterns,
    );
    return answer.effect === "deny" ? { kind: "deny", asked, rule: answer.rule } : { kind: "allow" };
  }
  const verdict = verdictOn(asked, { mode: "auto", rules: against });
  if (verdict.kind === "deny" && verdict.rule !== undefined) return { kind: "deny", asked, rule: verdict.rule };
  // The tool itself asks before reading outside the working directory.
  if (verdict.kind === "ask" && asked.place === "inside" && verdict.always !== undefined) {
    return { kind: "ask", asked, always: verdict.always };
  }
  return { kind: "allow" };
}

function requestOf({ tool, readOnly, input, callId }: ToolUseFacts, cwd: string): PermissionRequest {
  const path = (input as { readonly path?: unknown } | undefined)?.path;
  if (readOnly && READERS.includes(tool) && (path === undefined || typeof path === "string")) {
    return { tool, action: "read", target: path === undefined ? "." : foundPath(tool, path, cwd), callId };
  }
  return { tool, action: "use", target: JSON.stringify(input) ?? "", callId };
}

/** The file that the tool would read, which may be spelled differently on disk. */
function foundPath(tool: string, path: string, cwd: string): string {
  const found = namedPath({ tool, action: "read", path }, cwd);
  if (found === absolutePath(path, cwd)) return path;
  return isInside(cwd, found) ? relative(cwd, found) : found;
}
