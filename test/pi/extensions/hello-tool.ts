/** The smallest tool. */
import { defineTool, type ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

const hello = defineTool({
  name: "hello",
  label: "Hello",
  description: "Greets somebody",
  parameters: Type.Object({
    name: Type.String({ description: "Who is greeted" }),
    times: Type.Optional(Type.Number({ minimum: 1 })),
  }),
  async execute(_id, params) {
    const text = Array.from({ length: params.times ?? 1 }, () => `Hello, ${params.name}!`).join(" ");
    return { content: [{ type: "text", text }], details: { greeted: params.name } };
  },
});

export default function (pi: ExtensionAPI) {
  pi.registerTool(hello);
}
