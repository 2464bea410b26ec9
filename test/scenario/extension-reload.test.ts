/** `ctx.reload()` and `ctx.shutdown()` in the programs people run. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RpcClient } from "./cli-rpc-client.js";
import { bough, makePlace, type Place } from "./cli-support.js";
import { command, expectGivenBack, sitDown } from "./terminal-support.js";

/** Writes down what it is told. `/again` loads the code again, `/bye` ends the program. */
const code = (version: string, log: string, more = ""): string => `
import { appendFileSync } from "node:fs";
const note = (text) => appendFileSync(${JSON.stringify(log)}, "${version} " + text + "\\n");
export default function (bough) {
  bough.on("session_start", ({ reason }, { ui }) => { note("start " + reason); ui.setStatus("version", "this is ${version}"); });
  bough.on("session_shutdown", ({ reason }, { ui }) => { note("shutdown " + reason); ui.setStatus("late", "left by ${version}"); });
  bough.registerCommand("again", { handler: (_args, ctx) => ctx.reload() });
  bough.registerCommand("bye", { handler: (_args, ctx) => ctx.shutdown() });
  ${more}
}
`;

const OLD = `
  bough.registerCommand("older", { handler: (_args, { ui }) => ui.notify("the older command") });
  bough.registerShortcut("alt+w", { handler: ({ ui }) => ui.notify("the older key") });
  bough.registerTool({ name: "aged", description: "x", parameters: { type: "object" }, execute: () => "x" });`;
const NEW = `
  bough.registerCommand("newer", { handler: (_args, { ui }) => ui.notify("the newer command") });
  bough.registerCommand("tools", { handler: (_args, { ui }) => ui.notify("tools: " + bough.getAllTools().map(({ name }) => name).join(" ")) });
  bough.registerShortcut("alt+x", { handler: ({ ui }) => ui.notify("the newer key") });
  bough.registerTool({ name: "fresh", description: "x", parameters: { type: "object" }, execute: () => "x" });`;

function prepared(): { readonly place: Place; readonly log: () => string[]; readonly rewrite: () => void } {
  const place = makePlace();
  const folder = join(place.home, "extensions");
  mkdirSync(folder, { recursive: true });
  const log = join(place.home, "told.txt");
  const file = join(folder, "again.js");
  writeFileSync(file, code("one", log, OLD));
  return {
    place,
    log: () => readFileSync(log, "utf8").trimEnd().split("\n"),
    rewrite: () => writeFileSync(file, code("two", log, NEW)),
  };
}

describe("in the terminal", () => {
  test("a reload brings new commands, keys, tools and texts, takes the old ones away, and tells both; a shutdown ends the program and gives the terminal back", async () => {
    const { place, log, rewrite } = prepared();
    const seat = sitDown({ place });
    const { terminal } = seat;
    await terminal.shows("this is one");
    terminal.press("alt+w");
    await terminal.shows("the older key");
    rewrite();
    await command(seat, "/again", "this is two");
    await terminal.shows((text) => !text.includes("left by one") && !text.includes("this is one"));
    await command(seat, "/newer", "the newer command");
    terminal.press("alt+x");
    await terminal.shows("the newer key");
    await command(seat, "/tools", /tools: .*fresh/);
    await terminal.shows((text) => !text.includes("aged"));
    await command(seat, "/older", /Unknown command/i);
    expect(log()).toEqual(["one start startup", "one shutdown reload", "two start reload"]);
    terminal.press("ctrl+c").type("/bye").press("enter");
    expect(await terminal.ends()).toBe(0);
    expectGivenBack(seat);
    expect(log().slice(3)).toEqual(["two shutdown quit"]);
  });
});

describe("over RPC", () => {
  test("a reload brings the new commands and takes the old ones away", async () => {
    const { place, log, rewrite } = prepared();
    const client = new RpcClient(place, [], { isHere: true });
    await client.event("ui_status");
    rewrite();
    await client.request("command", { name: "again" });
    const shown = new Map(
      client.events.flatMap((event) => (event.type === "ui_status" ? [[event.key, event.text] as const] : [])),
    );
    expect([...shown]).toEqual([
      ["version", "this is two"],
      ["late", null],
    ]);
    await client.request("command", { name: "newer" });
    await client.line((line) => JSON.stringify(line).includes("the newer command"));
    expect(await client.fault("command", { name: "older" })).toMatchObject({ code: "unknown-command" });
    const names = JSON.stringify(await client.request("commands"));
    expect([names.includes('"newer"'), names.includes('"older"')]).toEqual([true, false]);
    expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
    expect(log()).toEqual(["one start startup", "one shutdown reload", "two start reload", "two shutdown quit"]);
  });

  test("a shutdown ends the program", async () => {
    const { place, log } = prepared();
    const client = new RpcClient(place);
    client.write(JSON.stringify({ id: 1, method: "command", params: { name: "bye" } }));
    expect(await client.running.ended).toMatchObject({ code: 0, stderr: "" });
    expect(log()).toEqual(["one start startup", "one shutdown quit"]);
  });
});

test("in plain lines, a reload brings the new commands, and a shutdown ends the program", async () => {
  const { place, log, rewrite } = prepared();
  rewrite();
  const { code: exit, stdout } = await bough(place, ["--plain"], "/again\n/newer\n/bye\n/newer\n");
  expect(exit).toBe(0);
  expect(stdout.split("the newer command")).toHaveLength(2);
  expect(log()).toEqual(["two start startup", "two shutdown reload", "two start reload", "two shutdown quit"]);
});
