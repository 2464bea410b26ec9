/**
 * Types for you: `!!tests parser` becomes a whole sentence, and `??` lists what there is.
 * Uses `input`, which may change what is sent or take it, a keyboard shortcut, and `ctx.ui.input`.
 */
import type { ExtensionApi } from "bough/extension";

const SHORTHANDS: Readonly<Record<string, string>> = {
  tests: "Run the tests of $1, and fix what fails without changing the tests.",
  explain: "Explain $1 to somebody who has not seen this project before.",
  rename: "Rename $1 to $2 everywhere, comments and documentation included.",
};

export default function (bough: ExtensionApi) {
  bough.on("input", (event, ctx) => {
    if (event.text.trim() === "??") {
      const list = Object.entries(SHORTHANDS).map(([name, text]) => `!!${name}  ${text}`);
      ctx.ui.notify(list.join("\n"));
      return { handled: true };
    }
    const text = expand(event.text);
    return text === event.text ? undefined : { text };
  });

  bough.registerShortcut("ctrl+t", {
    description: "Runs the tests of a part you name",
    async handler(ctx) {
      const part = await ctx.ui.input("Tests of what?", "everything");
      return part === undefined ? undefined : expand(`!!tests ${part || "everything"}`);
    },
  });
}

function expand(text: string): string {
  const match = /^!!(\w+)\s*(.*)$/s.exec(text.trim());
  const template = match?.[1] === undefined ? undefined : SHORTHANDS[match[1]];
  if (template === undefined) return text;
  const words = (match?.[2] ?? "").split(/\s+/).filter((word) => word !== "");
  return template.replaceAll(/\$(\d)/g, (_all, at: string) => words[Number(at) - 1] ?? "this project");
}
