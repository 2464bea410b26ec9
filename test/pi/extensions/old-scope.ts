/** Imports from where pi's packages used to be. */
import type { AgentTool } from "@mariozechner/pi-agent-core";
import { StringEnum } from "@mariozechner/pi-ai";
import { type ExtensionAPI, getAgentDir } from "@mariozechner/pi-coding-agent";
import { visibleWidth } from "@mariozechner/pi-tui";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

export default function (pi: ExtensionAPI) {
  const schema = Type.Object({ size: StringEnum(["small", "large"]) });
  const tool: Partial<AgentTool> = { name: "old" };
  pi.registerCommand("old", {
    handler: async (_args, ctx) => {
      const facts = [
        tool.name,
        visibleWidth("日本"),
        Value.Check(schema, { size: "small" }),
        Value.Check(schema, { size: 3 }),
      ];
      ctx.ui.notify(`${facts.join(" ")} ${getAgentDir().endsWith("home")}`, "info");
    },
  });
}
