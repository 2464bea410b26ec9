/** The image on the clipboard, read with a system program, because terminals paste only text. */
import { spawn } from "node:child_process";
import { fileKind } from "@bough/agent/tool/internal.js";
import type { ImageBlock } from "@bough/session/entry/index.js";
import { startProgram } from "@bough/session/log/index.js";
import { shortBytes } from "@bough/session/text/index.js";

/** `none` and `failed` say why in a sentence. */
export type ClipboardImage =
  | { readonly kind: "image"; readonly image: ImageBlock }
  | { readonly kind: "none" | "failed"; readonly message: string };

interface ClipboardImageOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: string;
  /** Formats that providers accept. */
  readonly maxBytes: number;
}

const LIMIT_MS = 10_000;
const NONE = "No image on the clipboard.";

interface Source {
  readonly command: string;
  readonly args: readonly string[];
  /** Lists the available formats; to get one of them, run it with `args` and the format. */
  readonly types?: readonly string[];
  /** The program prints the image as text. */
  readonly decode?: (printed: Buffer) => Buffer;
}

const POWERSHELL: Source = {
  command: "powershell.exe",
  args: [
    ...["-NoProfile", "-NonInteractive", "-STA", "-Command"],
    "Add-Type -AssemblyName System.Windows.Forms,System.Drawing; $i=[Windows.Forms.Clipboard]::GetImage(); if ($i) { $m=New-Object IO.MemoryStream; $i.Save($m,[Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($m.ToArray()) }",
  ],
  decode: (printed) => Buffer.from(printed.toString("latin1"), "base64"),
};
const WAYLAND: Source = { command: "wl-paste", args: ["--no-newline", "--type"], types: ["--list-types"] };
const X11: Source = {
  command: "xclip",
  args: ["-selection", "clipboard", "-o", "-t"],
  types: ["-selection", "clipboard", "-o", "-t", "TARGETS"],
};
const MAC: readonly Source[] = [
  { command: "pngpaste", args: ["-"] },
  {
    command: "osascript",
    args: ["-e", "the clipboard as «class PNGf»"],
    // It prints «data PNGf89504E47…».
    decode: (printed) => Buffer.from(/PNGf([0-9A-F]*)/.exec(printed.toString("utf8"))?.[1] ?? "", "hex"),
  },
];

/** Never rejects. */
export async function readClipboardImage(options: ClipboardImageOptions): Promise<ClipboardImage> {
  const { env, platform = process.platform, maxBytes } = options;
  const sources = sourcesOf(env, platform);
  if (typeof sources === "string") return { kind: "failed", message: sources };
  let isInstalled = false;
  for (const source of sources) {
    const printed = await picture(source, { env, limit: maxBytes });
    if (printed === "absent") continue;
    isInstalled = true;
    if (printed === "large") {
      return {
        kind: "failed",
        message: `The image on the clipboard is too large to send (over ${shortBytes(maxBytes)}).`,
      };
    }
    const bytes = source.decode?.(printed) ?? printed;
    const found = fileKind(bytes);
    if (found.kind === "image") {
      return { kind: "image", image: { type: "image", data: bytes.toString("base64"), mimeType: found.mimeType } };
    }
  }
  if (isInstalled) return { kind: "none", message: NONE };
  const names = sources.map(({ command }) => command).join(" or ");
  return { kind: "failed", message: `To paste images, install ${names}. Or name a file: @shot.png` };
}

/** Programs that may provide it, best first; or why none can. */
function sourcesOf(env: ClipboardImageOptions["env"], platform: string): readonly Source[] | string {
  if (env.SSH_TTY !== undefined || env.SSH_CONNECTION !== undefined) {
    return "The clipboard of your machine cannot be read over SSH. Copy the file here and name it: @shot.png";
  }
  if (platform === "darwin") return MAC;
  if (platform === "win32") return [POWERSHELL];
  const isSet = (name: string) => (env[name] ?? "") !== "";
  const sources = [
    ...(isSet("WAYLAND_DISPLAY") ? [WAYLAND] : []),
    ...(isSet("DISPLAY") ? [X11] : []),
    ...(isSet("WSL_DISTRO_NAME") ? [POWERSHELL] : []),
  ];
  return sources.length > 0 ? sources : "There is no clipboard here (neither WAYLAND_DISPLAY nor DISPLAY is set).";
}

type Printed = Buffer | "absent" | "large";

interface RunOptions {
  readonly env: ClipboardImageOptions["env"];
  /** Maximum size of the image in bytes; as text it is larger. */
  readonly limit: number;
}

async function picture({ command, args, types, decode }: Source, options: RunOptions): Promise<Printed> {
  if (types === undefined) {
    return printedBy(command, args, { ...options, limit: options.limit * (decode === undefined ? 1 : 2) + 1024 });
  }
  const listed = await printedBy(command, types, { ...options, limit: 64 << 10 });
  if (listed === "absent" || listed === "large") return listed === "absent" ? "absent" : Buffer.alloc(0);
  const offered = listed.toString("utf8").split(/\s+/);
  const wanted = ["image/png", "image/jpeg", "image/webp", "image/gif"].find((type) => offered.includes(type));
  return wanted === undefined ? Buffer.alloc(0) : printedBy(command, [...args, wanted], options);
}

/** Its output, whatever its exit code: without an image, these programs fail. */
function printedBy(command: string, args: readonly string[], { env, limit }: RunOptions): Promise<Printed> {
  return new Promise((resolve) => {
    const child = startProgram({ program: command, env }, (found) =>
      spawn(found, args, {
        ...{ env: env as NodeJS.ProcessEnv, stdio: ["ignore", "pipe", "ignore"], timeout: LIMIT_MS },
        killSignal: "SIGKILL",
      }),
    );
    const chunks: Buffer[] = [];
    let size = 0;
    child.on("error", () => resolve("absent"));
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        child.kill("SIGKILL");
        resolve("large");
      }
    });
    child.on("close", () => resolve(Buffer.concat(chunks)));
  });
}
