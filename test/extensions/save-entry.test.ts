import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { extendedAgent, script } from "./extended-agent.js";

test("ctx.saveEntry appends an entry of any type below the leaf, and answers its id", async () => {
  const folder = tempFolder();
  const saves = script(
    folder,
    "saves.ts",
    `export default (bough) => bough.registerCommand("save", {
      handler: async (_args, ctx) => ctx.ui.notify(await ctx.saveEntry({ type: "weather", sky: "clear" })),
    });`,
  );
  const made = await extendedAgent({ model: scriptedModel(["hello"]), extensions: [saves], cwd: folder });
  await made.agent.prompt("hi");
  const leaf = made.session.getLeafId();
  await made.command("save");
  const [said = ""] = made.said;
  expect(made.session.getEntry(said.replace("info: ", ""))).toMatchObject({
    type: "weather",
    sky: "clear",
    parentId: leaf,
  });
  expect(made.problems).toEqual([]);
});
