/** /model and /thinking while another agent does the turns: what it offers to choose from. */
import type { Driver } from "@bough/agent/driver/index.js";
import { firstWords, shellWord } from "@bough/session/text/index.js";
import { runCommandLine, showOutcome } from "../../command/index.js";
import { notOffered, offered } from "../../command/internal.js";
import type { ScreenApp } from "../app/screen.js";
import { askSelect } from "../questions/ask-select.js";

const TITLES = { model: "Models", effort: "Thinking" } as const;

export async function openDriverOption(
  { host, context }: Pick<ScreenApp, "host" | "context">,
  driver: Driver,
  option: "model" | "effort",
): Promise<void> {
  const found = await offered(context, driver, option);
  if (found === "stopped") return;
  if (found === undefined || found.values.length === 0) return host.status(notOffered(driver, option));
  const id = await askSelect<string>(host, {
    name: option === "model" ? "model-of-agent" : "thinking",
    title: `${TITLES[option]} of ${driver.title}`,
    items: found.values.map((value) => {
      const about = [value.id === found.value ? "now" : "", value.about ?? ""].filter((text) => text !== "").join("; ");
      return {
        value: value.id,
        label: firstWords(value.name, 60),
        ...(about === "" ? {} : { detail: firstWords(about, 200) }),
      };
    }),
    ...(found.value === undefined ? {} : { selected: found.value }),
  });
  if (id === undefined) return;
  const command = option === "model" ? "model" : "thinking";
  showOutcome(context.front, await runCommandLine(context, `/${command} ${shellWord(id)}`));
}
