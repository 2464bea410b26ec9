/** Building blocks of the demo: turns and tool calls. */
import { counted } from "@bough/session/text/index.js";

export interface DemoTool {
  readonly name: "read" | "write" | "edit" | "bash" | "grep" | "ls" | "find";
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly failed?: true;
  /** Lines of an edit: those with + were added, those with - removed. */
  readonly diff?: readonly string[];
}

export interface DemoTurn {
  readonly prompt: string;
  readonly thinking?: string;
  readonly tools?: readonly DemoTool[];
  readonly answer: string;
  readonly label?: string;
  /** Minutes until the next prompt. */
  readonly pause?: number;
  /** The user stopped it. */
  readonly stopped?: true;
}

export const read = (path: string, output: string): DemoTool => ({ name: "read", input: { path }, output });
export const run = (command: string, output: string): DemoTool => ({ name: "bash", input: { command }, output });
export const fails = (command: string, output: string): DemoTool => ({ ...run(command, output), failed: true });
export const list = (path: string, output: string): DemoTool => ({ name: "ls", input: { path }, output });
export const search = (pattern: string, output: string): DemoTool => ({ name: "grep", input: { pattern }, output });
export const write = (path: string, content: string): DemoTool => ({
  name: "write",
  input: { path, content },
  output: `Wrote ${path} (${counted(content.split("\n").length, "line")})`,
});
export const edit = (path: string, diff: readonly string[]): DemoTool => {
  const having = (sign: string) => diff.filter((line) => line.startsWith(sign));
  const textOf = (side: string) => {
    const lines = diff.filter((line) => line.startsWith(" ") || line.startsWith(side));
    return lines.map((line) => line.slice(1)).join("\n");
  };
  return {
    name: "edit",
    input: { path, edits: [{ oldText: textOf("-"), newText: textOf("+") }] },
    output: `Changed ${path}: ${having("+").length} lines added, ${having("-").length} removed`,
    diff,
  };
};
