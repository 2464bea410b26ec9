/** A tool that ends the run, and takes arguments of an older form. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "report",
    label: "Report",
    description: "Gives the final report",
    parameters: Type.Object({ title: Type.String(), points: Type.Array(Type.String()) }),
    prepareArguments: (args) => {
      const given = args as { title: string; points: string[] | string };
      return { ...given, points: Array.isArray(given.points) ? given.points : [given.points] };
    },
    async execute(_id, { title, points }) {
      return {
        content: [{ type: "text", text: `${title}: ${points.length} point(s)` }],
        details: { title, points },
        terminate: true,
      };
    },
  });
}
