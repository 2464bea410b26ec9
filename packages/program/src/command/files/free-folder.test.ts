import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { drivenPlace, steps } from "@bough/agent/agent/driver/driven-place.test-support.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { expect, test } from "vitest";
import type { CommandContext, FilesAnswer, FrontEnd } from "../command.js";
import { createCommandContext } from "../create-context.js";
import { runCommandLine } from "../run-command-line.js";

/** An agent that works on after its second turn, and has changed a file since the first one. */
async function working() {
  const { open, agentHome, root, home, read } = drivenPlace();
  const agent = await open();
  await agent.prompt(steps(["write", "a.txt", "one\n"], ["say", "First."]));
  const first = agent.session.getLeafId() as EntryId;
  await agent.prompt(steps(["write", "a.txt", "two\n"], ["later", "go", "b.txt", "b\n"], ["say", "Second."]));
  const added = new Promise<void>((resolve) =>
    agent.subscribe((event) => {
      if (event.type === "notice" && event.message.includes("worked on")) resolve();
    }),
  );
  writeFileSync(join(agentHome, "go"), "");
  await added;
  const asked: (readonly string[])[] = [];
  const watched: string[] = [];
  const answers: (string | undefined)[] = [];
  const front: FrontEnd = {
    ...{ screens: new Set<never>(), open: async () => {}, canAsk: false, tell: () => {}, setEditorText: () => {} },
    ...{
      copy: () => {},
      askBeforeMove: async () => ({ kind: "none" }) as const,
      askFailed: async () => "stay" as const,
    },
    askFiles: async ({ about }): Promise<FilesAnswer> => (about === "restore" ? "files" : "both"),
    watch: async ({ title }) => {
      watched.push(title());
      return { kind: "stopped" };
    },
  };
  const ui = {
    select: async (title: string, options: readonly string[]) => {
      asked.push([title, ...options]);
      return options.find((one) => one.startsWith(answers[0] ?? "-"));
    },
  } as unknown as NonNullable<CommandContext["ui"]>;
  const place = { sessionDir: root, cwd: root, home, now: () => new Date(0), agentPlaces: { home } };
  const context = createCommandContext({ agent, front, ui, ...place });
  const run = async (line: string, answer?: string) => {
    answers[0] = answer;
    return runCommandLine(context, line);
  };
  return { agent, first, run, asked, watched, read };
}

test("while another agent works on in the folder, moves and restores ask what to do about it", async () => {
  const { agent, first, run, asked, watched, read } = await working();
  const leaf = agent.session.getLeafId();
  const title = "Scripted is still working in this folder. Restore files anyway?";
  const [stop, wait] = ["Stop it, then restore", "Wait until it is done, then restore"];
  const unchanged = { kind: "unchanged", message: "Nothing changed." };
  expect(await run(`/branch-here ${first}`)).toEqual(unchanged);
  expect(await run(`/restore ${first}`)).toEqual(unchanged);
  expect(asked).toEqual([
    [title, stop, wait, "Move without files"],
    [title, stop, wait],
  ]);
  // The user stops waiting.
  expect(await run(`/branch-here ${first}`, "Wait")).toEqual(unchanged);
  expect([watched, agent.session.getLeafId(), read()]).toEqual([["Waiting for Scripted"], leaf, "two\n"]);
  expect(await run(`/branch-here ${first}`, "Move")).toMatchObject({ kind: "done" });
  expect([agent.session.getBranchIds().includes(leaf as EntryId), read()]).toEqual([false, "two\n"]);
  expect(await run(`/restore ${first}`, "Stop")).toMatchObject({ kind: "done" });
  expect([agent.driverWork, read()]).toEqual([undefined, "one\n"]);
});
