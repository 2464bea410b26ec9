/** Prompts of an RPC client: what goes with them reaches the run, and extensions learn who sent them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RpcClient } from "./cli-rpc-client.js";
import { makePlace, type Place } from "./cli-support.js";

function extensionIn(place: Place): string[] {
  const file = join(place.cwd, "look.mjs");
  writeFileSync(
    file,
    `export default (bough) => {
       bough.registerCommand("look", { handler: () => "list files" });
       bough.on("input", ({ source, images }, { ui }) => ui.notify("input from " + source + ", images: " + (images?.length ?? 0)));
     };`,
  );
  return ["--extension", file];
}

const OUTPUT = { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] };

test("what goes with a prompt goes with the prompt of a command too", async () => {
  const place = makePlace({ settings: { model: "offline/rules" } });
  const client = new RpcClient(place, [...extensionIn(place), "--permission", "auto"], { isHere: true });
  const images = [{ type: "image", data: "aGk=", mimeType: "image/png" }];
  const limited = await client.request("prompt", { text: "/look", images, limits: { steps: 1 } });
  expect(limited).toMatchObject({ kind: "aborted", limit: "steps" });
  const filled = await client.request("prompt", { text: "/look", output: OUTPUT });
  expect(filled).toMatchObject({ kind: "done", output: { answer: expect.any(String) } });
  await client.request("steer", { text: "hello" });
  const notices = client.events.flatMap(({ type, message }) => (type === "notice" ? [message] : []));
  expect(notices.filter((message) => String(message).startsWith("input from"))).toEqual([
    "input from rpc, images: 1",
    "input from rpc, images: 0",
    "input from rpc, images: 0",
  ]);
  const total = (await client.request<{ total: number }>("getContext")).total;
  const fault = await client.fault("getContextPart", { index: total });
  expect(fault).toMatchObject({ code: "bad-params", data: { index: total, total } });
  expect(await client.request("getContextPart", { index: total - 1 })).toMatchObject({ offset: 0 });
  await client.close();
});
