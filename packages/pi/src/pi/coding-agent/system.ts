/** The system outside the agent: clipboard, images, skill folders. */
import { readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readSkillFiles, type SkillFile } from "@bough/agent/project/internal.js";
import { copyText } from "@bough/agent/terminal/index.js";
import { fileKind } from "@bough/agent/tool/internal.js";
import { escapeXml } from "@bough/session/text/index.js";
import { getImageDimensions } from "@earendil-works/pi-tui";

/** Copies through the terminal, and through the system's own program if there is one. */
export async function copyToClipboard(text: string): Promise<void> {
  const write = (data: string): void => void (process.stdout.isTTY && process.stdout.write(data));
  copyText(text, { write, env: process.env, platform: process.platform });
}

/** Detected from the content, not the name; null for anything that models do not accept as an image. */
export async function detectSupportedImageMimeTypeFromFile(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0);
    const kind = fileKind(buffer);
    return kind.kind === "image" ? kind.mimeType : null;
  } finally {
    await file.close();
  }
}

const MOST_PIXELS = 2000;
const MOST_BASE64 = 4.5 * 1024 * 1024;

interface ResizeOptions {
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  readonly maxBytes?: number;
}

/** Returns an image that is small enough unchanged, and null for a larger one: Bough cannot resize images. */
export async function resizeImage(bytes: Uint8Array, mimeType: string, options: ResizeOptions = {}) {
  const { maxWidth = MOST_PIXELS, maxHeight = MOST_PIXELS, maxBytes = MOST_BASE64 } = options;
  const data = Buffer.from(bytes).toString("base64");
  const size = getImageDimensions(data, mimeType);
  if (size === null || size.widthPx > maxWidth || size.heightPx > maxHeight || data.length > maxBytes) return null;
  const { widthPx: width, heightPx: height } = size;
  return { data, mimeType, originalWidth: width, originalHeight: height, width, height, wasResized: false };
}

interface Resized {
  readonly wasResized: boolean;
  readonly originalWidth: number;
  readonly originalHeight: number;
  readonly width: number;
  readonly height: number;
}

export function formatDimensionNote(image: Resized): string | undefined {
  if (!image.wasResized) return undefined;
  const scale = (image.originalWidth / image.width).toFixed(2);
  return `[Image: original ${image.originalWidth}x${image.originalHeight}, shown at ${image.width}x${image.height}; multiply coordinates by ${scale}]`;
}

interface LoadedSkill {
  readonly name: string;
  readonly description: string;
  readonly filePath: string;
  readonly baseDir: string;
  readonly disableModelInvocation: boolean;
  readonly sourceInfo: object;
}

/** Finds folders with a `SKILL.md`, at any depth, and Markdown files directly in the folder. */
export function loadSkillsFromDir({ dir, source }: { readonly dir: string; readonly source: string }) {
  const { skills: found, problems } = readSkillFiles(skillFiles(dir));
  const diagnostics = problems.map(({ file, message }) => ({ type: "warning", message, path: file }));
  const skills = found.map(({ name, description, path: filePath, forPeople = false }): LoadedSkill => {
    const baseDir = dirname(filePath);
    const sourceInfo = { path: filePath, source, scope: "temporary", origin: "top-level", baseDir };
    return { name, description, filePath, baseDir, disableModelInvocation: forPeople, sourceInfo };
  });
  return { skills, diagnostics };
}

function skillFiles(dir: string): readonly SkillFile[] {
  const files: SkillFile[] = [];
  const visit = (folder: string, isTop: boolean): void => {
    const file = join(folder, "SKILL.md");
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) {
      files.push({ path: file, reading: {} });
      return;
    }
    for (const item of readdirSync(folder, { withFileTypes: true })) {
      if (item.name.startsWith(".") || item.name === "node_modules") continue;
      const path = join(folder, item.name);
      if (item.isDirectory()) visit(path, false);
      else if (isTop && item.name.endsWith(".md")) files.push({ path, reading: {}, name: basename(item.name, ".md") });
    }
  };
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) visit(dir, true);
  return files;
}

export function formatSkillsForPrompt(skills: readonly LoadedSkill[]): string {
  const listed = skills.filter(({ disableModelInvocation }) => !disableModelInvocation);
  if (listed.length === 0) return "";
  const lines = listed.map(
    ({ name, description, filePath }) =>
      `  <skill>\n    <name>${escapeXml(name)}</name>\n    <description>${escapeXml(description)}</description>\n    <location>${escapeXml(filePath)}</location>\n  </skill>`,
  );
  return [
    "Read a skill's file when its description fits the task.",
    "<available_skills>",
    ...lines,
    "</available_skills>",
  ].join("\n");
}
