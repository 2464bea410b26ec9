/** Images of oh-my-pi, which are in files next to its sessions. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { convertFile, writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { piReader } from "./pi-reader.js";

const PICTURE = Buffer.from("a picture");
const HASH = createHash("sha256").update(PICTURE).digest("hex");

/** Writes a session with one image that refers to `hash`, and the files of the image folder. */
async function imageOf(hash: string, blobs: Readonly<Record<string, Buffer>>): Promise<unknown> {
  const agent = join(tempFolder(), ".omp", "agent");
  const folder = join(agent, "sessions", "--p--");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(agent, "blobs"));
  for (const [name, bytes] of Object.entries(blobs)) writeFileSync(join(agent, "blobs", name), bytes);
  const path = join(folder, "a.jsonl");
  const image = { type: "image", data: `blob:sha256:${hash}`, mimeType: "image/png" };
  const content = [{ type: "text", text: "See." }, image];
  const time = "2026-01-01T00:00:01.000Z";
  writeRecords(path, [
    JSON.stringify({ type: "session", version: 3, id: "s", timestamp: time, cwd: "/p" }),
    JSON.stringify({
      ...{ type: "message", id: "a", parentId: null, timestamp: time },
      message: { role: "user", content, timestamp: 1 },
    }),
  ]);
  const { entries } = await convertFile(piReader, path);
  const message = entries.at(-1) as { readonly message?: { readonly content: readonly { readonly data?: unknown }[] } };
  return message.message?.content[1]?.data;
}

it("the data of an image is loaded from its file", async () => {
  expect(await imageOf(HASH, { [HASH]: PICTURE })).toBe(PICTURE.toString("base64"));
});

it("the reference stays if the file is missing or does not match its hash", async () => {
  expect(await imageOf(HASH, {})).toBe(`blob:sha256:${HASH}`);
  expect(await imageOf(HASH, { [HASH]: Buffer.from("another") })).toBe(`blob:sha256:${HASH}`);
});

it("a reference that is not a hash is ignored", async () => {
  expect(await imageOf("../../auth.json", { x: PICTURE })).toBe("blob:sha256:../../auth.json");
});
