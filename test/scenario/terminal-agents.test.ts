/** Another agent in the terminal, from the list of agents to the resume on the next day. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentsPlace, steps } from "../support/agents-place.js";
import { command, idle, leave, matchesKept, say, sitDown } from "./terminal-support.js";

const WINDOWS = [
  [120, 36],
  [40, 12],
  [80, 24],
] as const;

const clean = (text: string): string => text.replace(/\d+ KB/, "# KB").replaceAll(/\S*bough-test-\w+/g, "~");

test("another agent takes over: what is asked, denied, stopped and undone, and who continues tomorrow", async () => {
  const { place } = agentsPlace("options");
  const seat = sitDown({ place, columns: 120, rows: 36 });
  const { terminal } = seat;
  const looksAsKept = async (name: string) => {
    for (const [columns, rows] of WINDOWS) {
      terminal.resize(columns, rows);
      await matchesKept(seat, `${name}-${columns}`, "panel", clean);
    }
  };
  const notes = () => readFileSync(join(place.cwd, "notes.txt"), "utf8");
  await terminal.shows("New session");
  await say(seat, "read notes.txt", "buy milk");

  await command(seat, "/agent", "never asks");
  await looksAsKept("agents");
  (await terminal.yieldNow()).press("down", "down", "down", "down", "down", "enter");
  await terminal.shows("Continue with pi?");
  await looksAsKept("agents-sent");
  terminal.press("n");
  await terminal.shows("Not continued with pi");
  await command(seat, "/agent pi", "Continue with pi?");
  terminal.press("y");
  await terminal.shows("pi (never asks)");

  await say(seat, steps(["write", "notes.txt", "buy tea\n"], ["say", "Changed."]), /^○ Changed\./m);
  expect(notes()).toBe("buy tea\n");
  await command(seat, "/model", "Models of pi");
  await looksAsKept("agents-models");
  terminal.press("down", "enter");
  await terminal.shows("Model of pi: large");
  await command(seat, "/undo", "The last run changed files");
  (await terminal.yieldNow()).press("enter");
  await terminal.shows("Undone");
  expect(notes()).toBe("buy milk\nwrite tests\n");
  // The prompt is in the editor again.
  terminal.press("ctrl+c");

  await say(seat, "hello again", "You said: hello again");
  terminal.type(steps(["ask", "b.txt", "b\n"], ["say", "After."])).press("enter");
  await terminal.shows("Create this file?");
  await matchesKept(seat, "agents-question-80", "panel", clean);
  (await terminal.yieldNow()).press("n");
  await terminal.shows(/^○ After\./m);
  await idle(seat);
  await terminal.shows(/✕ edit +b\.txt +failed/);
  await terminal.shows("The user said no: writing");
  terminal.type(steps(["whisper", "Half of it"], ["wait"])).press("enter");
  await terminal.shows(/^○ Half of it/m);
  terminal.press("esc");
  await terminal.shows(/stopped|Stopped/);
  await idle(seat);
  await leave(seat);

  const again = sitDown({ place, args: ["-c"] });
  await again.terminal.shows("pi (never asks)");
  await say(again, "And tomorrow", "You said: And tomorrow");
  await again.terminal.shows("pi large (never asks)");
  const sent = readFileSync(join(place.env.HOME as string, "requests.jsonl"), "utf8")
    .trim()
    .split("\n")
    .at(-1);
  const prompts = (JSON.parse(sent as string) as string[][])
    .filter(([role]) => role === "user")
    .map(([, text]) => text);
  expect(prompts[0]).toBe("read notes.txt");
  expect(prompts.slice(1, 2).concat(prompts.slice(-1))).toEqual(["hello again", "And tomorrow"]);
  await leave(again);
});
