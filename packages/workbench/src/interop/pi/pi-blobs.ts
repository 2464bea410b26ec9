/** Loads images that oh-my-pi stores next to its sessions, named by hash. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { attempt, isRecord } from "@bough/session/text/index.js";

const REFERENCE = /^blob:sha256:([0-9a-f]{64})$/;
/** Occurs in every line that refers to an image. */
const MENTION = '"blob:sha256:';
/** More than any provider accepts. */
const LARGEST_IMAGE = 32 << 20;

/**
 * Embeds the data of images in an entry, so that every program finds it; returns the same entry if there is nothing to
 * embed. Uses only files whose contents match the hash in their name. `path` is the session file, in `<agent
 * folder>/sessions/<project>/`.
 */
export function withBlobs(entry: SessionEntry, text: string, path: string): SessionEntry {
  if (!text.includes(MENTION)) return entry;
  const folder = join(dirname(dirname(dirname(path))), "blobs");
  const changed = filled(entry, (data) => dataOf(folder, data));
  return changed as SessionEntry;
}

function dataOf(folder: string, data: unknown): string | undefined {
  const hash = typeof data === "string" ? REFERENCE.exec(data)?.[1] : undefined;
  if (hash === undefined) return undefined;
  const file = join(folder, hash);
  // Missing or not readable: the reference stays, and the image is reported as unavailable.
  const bytes = attempt(() => (statSync(file).size <= LARGEST_IMAGE ? readFileSync(file) : undefined));
  if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== hash) return undefined;
  return bytes.toString("base64");
}

/** Images occur in the content of messages and extension messages. */
function filled(entry: SessionEntry, find: (data: unknown) => string | undefined): unknown {
  if (entry.type === "message" && isRecord(entry.message)) {
    const message = withImages(entry.message, find);
    return message === entry.message ? entry : { ...entry, message };
  }
  return entry.type === "custom_message" && isRecord(entry) ? withImages(entry, find) : entry;
}

function withImages(holder: Readonly<Record<string, unknown>>, find: (data: unknown) => string | undefined): unknown {
  const { content } = holder;
  if (!Array.isArray(content)) return holder;
  let isChanged = false;
  const blocks = (content as readonly unknown[]).map((block) => {
    if (!isRecord(block) || block.type !== "image") return block;
    const data = find(block.data);
    if (data === undefined) return block;
    isChanged = true;
    return { ...block, data };
  });
  return isChanged ? { ...holder, content: blocks } : holder;
}
