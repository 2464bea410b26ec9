import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RpcClient } from "./cli-rpc-client.js";
import type { Place } from "./cli-support.js";
import { sitDown } from "./terminal-support.js";

/** Sends these prompts to an agent in this process, which is not the one of the terminal, and gives the commands it asked about. Every answer is no. */
async function askedAbout(place: Place, ...prompts: string[]): Promise<unknown[]> {
  const client = new RpcClient(place, [], { isHere: true });
  const asked: unknown[] = [];
  client.onQuestion = (_, { target }) => {
    asked.push(target);
    return "no";
  };
  for (const text of prompts) await client.request("prompt", { text });
  await client.close();
  return asked;
}

test("always in this project: the next process in the folder does not ask, one in another folder does", async () => {
  const { terminal, place } = sitDown();
  await terminal.shows("New session");
  terminal.type("run node app.js").press("enter");
  await terminal.shows('yes, always in this project: the command "node app.js"');
  (await terminal.yieldNow()).press("ctrl+p");
  await terminal.shows("Always allowed in this project");
  const file = join(place.cwd, ".bough", "settings.local.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ permissions: { allow: ["bash(node app.js)"] } });
  expect(statSync(file).mode & 0o077).toBe(0);

  const cwd = join(place.cwd, "..", "other");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "app.js"), "console.log('hello');\n");
  const prompts = ["run node app.js", "run node other.js"];
  expect(await askedAbout(place, ...prompts)).toEqual(["node other.js"]);
  expect(await askedAbout({ ...place, cwd }, ...prompts)).toEqual(["node app.js", "node other.js"]);
});
