/** Images that a prompt names: `@shot.png` is sent as an image; its name stays in the text. */
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, extname, isAbsolute, join, resolve } from "node:path";
import type { ImageBlock } from "@bough/session/entry/index.js";
import { shortBytes } from "@bough/session/text/index.js";

const TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};
/** Providers reject larger ones. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024;
const NAMED = /(?:^|[\s(])@(?:"([^"]+)"|(\S+))/g;

interface PromptImages {
  readonly images: readonly ImageBlock[];
  /** Messages about images that were named but cannot be sent. */
  readonly problems: readonly string[];
}

export async function readPromptImages(text: string, cwd: string): Promise<PromptImages> {
  const images: ImageBlock[] = [];
  const problems: string[] = [];
  for (const path of new Set([...text.matchAll(NAMED)].map((match) => match[1] ?? match[2] ?? ""))) {
    const mimeType = TYPES[extname(path).toLowerCase()];
    if (mimeType === undefined) continue;
    const file = pathOf(path, cwd);
    try {
      const { size } = await stat(file);
      if (size > MOST_IMAGE_BYTES) problems.push(`${basename(file)} is too large to send (${shortBytes(size)}).`);
      else images.push({ type: "image", data: (await readFile(file)).toString("base64"), mimeType });
    } catch {
      problems.push(`${basename(file)} could not be read, so only its name was sent.`);
    }
  }
  return { images, problems };
}

/** The path if a pasted text is only the path of an image, as terminals paste a dropped file; otherwise undefined. */
export async function pastedImage(text: string, cwd: string): Promise<string | undefined> {
  const trimmed = text.trim();
  if (trimmed.length > 4096 || trimmed.includes("\n")) return undefined;
  const path = unquoted(trimmed);
  if (TYPES[extname(path).toLowerCase()] === undefined) return undefined;
  try {
    const info = await stat(pathOf(path, cwd));
    return info.isFile() ? `@${/\s/.test(path) ? `"${path}"` : path} ` : undefined;
  } catch {
    return undefined;
  }
}

/** Terminals quote names with spaces or escape them with backslashes. */
function unquoted(text: string): string {
  const quoted = /^(['"])(.*)\1$/.exec(text)?.[2];
  const plain = quoted ?? text.replace(/\\(.)/g, "$1");
  return plain.startsWith("file://") ? decodeURIComponent(plain.slice("file://".length)) : plain;
}

function pathOf(path: string, cwd: string): string {
  if (path.startsWith("~/")) return join(homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(cwd, path);
}
