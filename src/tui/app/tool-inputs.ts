/** What the calls that are running were given, for the question whether one may go on. */
import { resolve } from "node:path";
import type { AgentEvent } from "../../agent/index.js";
import type { PermissionRequest } from "../../tool/index.js";

export class ToolInputs {
  readonly #running = new Map<string, { readonly tool: string; readonly input: unknown }>();

  handleEvent(event: AgentEvent): void {
    if (event.type === "tool_start") this.#running.set(event.toolCallId, { tool: event.toolName, input: event.input });
    else if (event.type === "tool_end") this.#running.delete(event.toolCallId);
    else if (event.type === "run_end") this.#running.clear();
  }

  /** The input of the call that asks: the one of this tool that names the target. */
  inputOf({ tool, target }: PermissionRequest, cwd: string): unknown {
    for (const call of this.#running.values()) {
      if (call.tool === tool && names(call.input, target, cwd)) return call.input;
    }
    return undefined;
  }
}

function names(input: unknown, target: string, cwd: string): boolean {
  if (typeof input !== "object" || input === null) return false;
  const { path, command } = input as { readonly path?: unknown; readonly command?: unknown };
  if (command === target) return true;
  return typeof path === "string" && resolve(cwd, path) === resolve(cwd, target);
}
