/** Converts a client's prompt, with text, images, links and embedded files, to ours. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock, EmbeddedResource } from "@agentclientprotocol/sdk/unstable";
import type { ImageBlock } from "@bough/session/entry/index.js";
import { isInside } from "@bough/session/log/index.js";
import { attempt, fenced, shortBytes } from "@bough/session/text/index.js";
import { AcpError } from "./acp-error.js";

/** Embedded text that is larger is linked instead, because no model could read it. */
export const MOST_EMBEDDED = 1024 * 1024;
/** In base64, for one image. */
const MOST_IMAGE = 20 * 1024 * 1024;

const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export interface PromptInput {
  readonly text: string;
  readonly images: readonly ImageBlock[];
  /** Only what the user typed: it may be a command. */
  readonly typed: string | undefined;
}

/** Throws for unusable content, with what to do instead. Nothing of such a prompt is sent. */
export function promptInput(blocks: readonly ContentBlock[], cwd: string): PromptInput {
  const words: string[] = [];
  const context: string[] = [];
  const images: ImageBlock[] = [];
  for (const block of blocks) {
    if (block.type === "text") words.push(block.text);
    else if (block.type === "resource_link") words.push(linkText(block, cwd));
    else if (block.type === "image") images.push(image(block));
    else if (block.type === "resource") addResource(block, { cwd, words, context, images });
    else throw refused(`Content of the type ${block.type} is not supported`);
  }
  const embedded = context.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
  if (embedded > MOST_EMBEDDED) {
    const limit = shortBytes(MOST_EMBEDDED);
    throw refused(`The embedded context has ${shortBytes(embedded)}; the limit is ${limit}. Link to the files instead`);
  }
  const text = [words.join(""), ...context].filter((part) => part !== "").join("\n\n");
  const isTyped = images.length === 0 && blocks.every(({ type }) => type === "text" || type === "resource_link");
  return { text, images, typed: isTyped ? text : undefined };
}

interface Collected {
  readonly cwd: string;
  readonly words: string[];
  readonly context: string[];
  readonly images: ImageBlock[];
}

function addResource({ resource }: EmbeddedResource, { cwd, words, context, images }: Collected): void {
  const { uri, mimeType } = resource;
  const name = placeOf(uri, cwd);
  if ("text" in resource) {
    words.push(`@${name}`);
    context.push(`${name}:\n${fenced(resource.text)}`);
  } else if (mimeType !== null && mimeType !== undefined && IMAGE_TYPES.has(mimeType)) {
    words.push(`@${name}`);
    images.push(image({ data: resource.blob, mimeType }));
  } else throw refused(`${name} cannot be embedded: it is neither text nor an image. Link to it instead`);
}

/** Files are mentioned as in our own editor; other addresses stay unchanged. */
function linkText({ uri, name }: { readonly uri: string; readonly name: string }, cwd: string): string {
  const place = placeOf(uri, cwd);
  return place === uri ? `[${name}](${uri})` : `@${place}`;
}

/** A path, relative if it is inside the folder. */
function placeOf(uri: string, cwd: string): string {
  const path = uri.startsWith("file:") ? attempt(() => fileURLToPath(uri.replace(/[#?].*$/s, ""))) : undefined;
  if (path === undefined) return uri;
  return isInside(cwd, path) && path !== cwd ? relative(cwd, path) : path;
}

function image({ data, mimeType }: { readonly data: string; readonly mimeType: string }): ImageBlock {
  if (!IMAGE_TYPES.has(mimeType)) throw refused(`Images of the type ${mimeType} are not supported; use PNG or JPEG`);
  if (data.length > MOST_IMAGE)
    throw refused(`An image has ${shortBytes(data.length)}; the limit is ${shortBytes(MOST_IMAGE)}`);
  if (!BASE64.test(data)) throw refused("An image is not valid base64");
  return { type: "image", data, mimeType };
}

function refused(message: string): AcpError {
  return new AcpError("invalidParams", message, { code: "bad-prompt" });
}
