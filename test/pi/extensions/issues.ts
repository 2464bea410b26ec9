/** Completes `#12` to the title of an issue. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const ISSUES = [
  { value: "#12", label: "#12", description: "leaves fall too early" },
  { value: "#17", label: "#17", description: "roots are not found" },
];

export default function (pi: ExtensionAPI) {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.addAutocompleteProvider((current) => ({
      triggerCharacters: ["#"],
      async getSuggestions(lines, line, column, options) {
        const before = (lines[line] ?? "").slice(0, column);
        const prefix = /#\d*$/.exec(before)?.[0];
        if (prefix === undefined) return current.getSuggestions(lines, line, column, options);
        return { items: ISSUES.filter((issue) => issue.value.startsWith(prefix)), prefix };
      },
      applyCompletion: (lines, line, column, item, prefix) =>
        current.applyCompletion(lines, line, column, item, prefix),
    }));
  });
}
