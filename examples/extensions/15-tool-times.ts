/**
 * Counts the calls of each tool and how many failed, and `/times` tells; every call is noted on the branch.
 * Uses `tool_execution_start`, `tool_execution_end`, `appendEntry`, and entries of the path as its only state.
 */
import type { ExtensionApi } from "bough/extension";

interface Call {
  readonly tool: string;
  readonly failed: boolean;
  readonly milliseconds: number;
}

export default function (bough: ExtensionApi) {
  const started = new Map<string, number>();

  bough.on("tool_execution_start", ({ toolCallId }) => {
    started.set(toolCallId, performance.now());
  });

  bough.on("tool_execution_end", ({ toolCallId, toolName, isError }) => {
    const milliseconds = Math.round(performance.now() - (started.get(toolCallId) ?? performance.now()));
    started.delete(toolCallId);
    bough.appendEntry("tool-times", { tool: toolName, failed: isError, milliseconds } satisfies Call);
  });

  bough.registerCommand("times", {
    description: "How often each tool was called on this branch",
    handler(_args, ctx) {
      const calls = ctx.currentPath.flatMap((entry) =>
        entry.type === "custom" && entry.customType === "tool-times" ? [entry.data as Call] : [],
      );
      const tools = [...new Set(calls.map(({ tool }) => tool))];
      const said = tools.map((tool) => {
        const own = calls.filter((call) => call.tool === tool);
        return `${tool}: ${own.length}, ${own.filter(({ failed }) => failed).length} failed`;
      });
      ctx.ui.notify(said.join("; ") || "No tool was called on this branch");
    },
  });
}
