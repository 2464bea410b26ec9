/**
 * A to-do list for the model that belongs to the branch: go back in the tree, and the list is what it was there.
 * Uses a tool with `onSession`, `appendEntry` for its state, a command with `ctx.ui.custom`, and the switch events.
 */
import type { ExtensionApi } from "bough/extension";

interface Item {
  readonly text: string;
  readonly done: boolean;
}

export default function (bough: ExtensionApi) {
  let items: readonly Item[] = [];
  const lines = () => items.map((item, index) => `${index + 1}. [${item.done ? "x" : " "}] ${item.text}`);

  /** The last state on the path is the state of the branch. */
  const rebuild = (path: readonly unknown[]) => {
    type State = { readonly customType?: string; readonly data?: { readonly items: readonly Item[] } };
    const last = (path as readonly State[]).findLast((entry) => entry.customType === "todo");
    items = last?.data?.items ?? [];
  };

  bough.registerTool({
    name: "todo",
    description:
      "Your to-do list. Give `add` for a new item, `finish` with a number for a done one, or nothing to read.",
    parameters: { type: "object", properties: { add: { type: "string" }, finish: { type: "integer" } } },
    // It changes nothing but the session, so nobody is asked before it runs.
    readOnly: true,
    async execute(_toolCallId, { add, finish }: { readonly add?: string; readonly finish?: number }) {
      if (add !== undefined) items = [...items, { text: add, done: false }];
      if (finish !== undefined) items = items.map((item, at) => (at + 1 === finish ? { ...item, done: true } : item));
      if (add !== undefined || finish !== undefined) bough.appendEntry("todo", { items });
      return { content: [{ type: "text", text: lines().join("\n") || "The list is empty." }] };
    },
    // At the start, and after moves, forks and switches.
    onSession: ({ path }) => rebuild(path),
  });

  bough.registerCommand("todo", {
    description: "Shows the to-do list of this branch",
    handler(_args, ctx) {
      if (!ctx.hasUi) return ctx.ui.notify(lines().join("\n") || "The list is empty");
      const component = { render: (width: number) => lines().map((line) => line.slice(0, width)) };
      return new Promise((closed) => ctx.ui.custom(component, closed));
    },
  });

  bough.on("session_before_switch", async (event, ctx) => {
    const open = items.filter((item) => !item.done).length;
    if (open > 0 && ctx.hasUi && !(await ctx.ui.confirm("Leave this session?", `${open} open`))) event.cancel();
  });

  bough.on("session_switch", (event, ctx) => {
    if (event.reason === "resume" && items.length > 0) ctx.ui.notify(`To-do list: ${items.length} items`);
  });
}
