import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { afterEach, describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { readClipboardImage } from "../terminal/clipboard-image.js";
import { closeChats, testChat } from "./chat-harness.test-support.js";

afterEach(closeChats);

const PIXELS = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("pixels")]);
const PNG = { type: "image", data: PIXELS.toString("base64"), mimeType: "image/png" };

/** A clipboard with this content: real programs on the path that print what the real ones print. */
function clipboard(programs: Readonly<Record<string, string>>, content: Buffer = PIXELS) {
  const folder = tempFolder();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const file = join(folder, "clipboard");
  writeFileSync(file, content);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return { PATH: [bin, process.env.PATH].join(delimiter), CLIPBOARD: file, ASKED: join(folder, "asked") };
}
const WL_PASTE = `case "$*" in --list-types) printf 'text/plain\\nimage/png\\n' ;; "--no-newline --type image/png") cat "$CLIPBOARD" ;; *) exit 1 ;; esac`;
const XCLIP = `case "$*" in *TARGETS) printf 'TARGETS\\nimage/png\\n' ;; "-selection clipboard -o -t image/png") cat "$CLIPBOARD" ;; *) exit 1 ;; esac`;
const ONLY_TEXT = `case "$*" in *list-types|*TARGETS) echo text/plain ;; *) exit 1 ;; esac`;

const read = (env: Readonly<Record<string, string>>, platform = "linux", maxBytes = 1 << 20) =>
  readClipboardImage({ env, platform, maxBytes });

describe("the image on the clipboard", () => {
  test.each([
    ["linux", { "wl-paste": WL_PASTE }, { WAYLAND_DISPLAY: "wayland-0" }],
    ["linux", { xclip: XCLIP }, { DISPLAY: ":0" }],
    ["linux", { "wl-paste": ONLY_TEXT, xclip: XCLIP }, { WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" }],
    ["linux", { "powershell.exe": 'base64 < "$CLIPBOARD"' }, { WSL_DISTRO_NAME: "Debian" }],
    ["win32", { "powershell.exe": 'base64 < "$CLIPBOARD"' }, {}],
    ["darwin", { pngpaste: 'cat "$CLIPBOARD"' }, {}],
    ["darwin", { osascript: `printf '«data PNGf%s»\\n' ${PIXELS.toString("hex").toUpperCase()}` }, {}],
  ] as const)("on %s is read by what is there: %o", async (platform, programs, env) => {
    // Hides the programs of this machine.
    const { PATH = "", ...rest } = clipboard(programs);
    const alone = platform === "darwin" ? `${PATH.split(delimiter)[0]}${delimiter}/bin${delimiter}/usr/bin` : PATH;
    expect(await read({ ...rest, PATH: alone, ...env }, platform)).toEqual({ kind: "image", image: PNG });
  });

  test("is not there where the clipboard has only text, or something that is not an image", async () => {
    const none = { kind: "none", message: "No image on the clipboard." };
    expect(await read({ ...clipboard({ "wl-paste": ONLY_TEXT }), WAYLAND_DISPLAY: "w" })).toEqual(none);
    const broken = clipboard({ "wl-paste": WL_PASTE }, Buffer.from("not a picture"));
    expect(await read({ ...broken, WAYLAND_DISPLAY: "w" })).toEqual(none);
    expect(await read(clipboard({ "powershell.exe": "exit 0" }), "win32")).toEqual(none);
  });

  test("over the limit is refused, and a program that prints forever is ended", async () => {
    const large = clipboard({ "wl-paste": WL_PASTE }, Buffer.concat([PIXELS, Buffer.alloc(3000)]));
    const refused = { kind: "failed", message: expect.stringContaining("too large to send (over 2") };
    expect(await read({ ...large, WAYLAND_DISPLAY: "w" }, "linux", 2048)).toEqual(refused);
    const endless = clipboard({ "wl-paste": `${WL_PASTE.replace('cat "$CLIPBOARD"', "exec cat /dev/zero")}` });
    expect(await read({ ...endless, WAYLAND_DISPLAY: "w" }, "linux", 2048)).toEqual(refused);
  });

  test.each([
    [{ WAYLAND_DISPLAY: "w", DISPLAY: ":0" }, "linux", "To paste images, install wl-paste or xclip."],
    [{}, "darwin", "To paste images, install pngpaste or osascript."],
    [{}, "linux", "There is no clipboard here"],
    [{ DISPLAY: ":0", SSH_CONNECTION: "1 2 3 4" }, "linux", "cannot be read over SSH"],
  ])("without a way to it (%o on %s), one line says what to do", async (env, platform, message) => {
    const found = await read({ ...env, PATH: tempFolder() } as Record<string, string>, platform);
    expect(found).toEqual({ kind: "failed", message: expect.stringContaining(message) });
  });
});

describe("Ctrl+V", () => {
  const pictured = () => ({ ...clipboard({ "wl-paste": WL_PASTE }), WAYLAND_DISPLAY: "wayland-0" });

  test("attaches the image: a mark in the text, the image in the prompt, and again when the text is sent again", async () => {
    const model = scriptedModel(["Seen.", "Seen again."]);
    const { chat, agent, press, type } = testChat({ model, environment: pictured() });
    type("compare ");
    press("ctrl+v");
    await expect.poll(() => chat.text).toBe("compare [image 1] ");
    type("and ");
    press("ctrl+v");
    await expect.poll(() => chat.text).toBe("compare [image 1] and [image 2] ");
    press("enter");
    await expect.poll(() => model.requests.length).toBe(1);
    await agent.whenIdle();
    const text = { type: "text", text: "compare [image 1] and [image 2]" };
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({ content: [text, PNG, PNG] });
    await chat.submit("only [image 2], not [image 7]");
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ type: "text", text: "only [image 2], not [image 7]" }, PNG],
    });
  });

  test("an empty paste, which terminals send for an image, does the same, and shows nothing if there is none", async () => {
    const { chat } = testChat({ environment: pictured() });
    chat.editor.handlePaste("");
    await expect.poll(() => chat.text).toBe("[image 1] ");
    const without = testChat({ environment: { PATH: tempFolder(), DISPLAY: ":0" } });
    without.chat.editor.handlePaste("");
    without.press("ctrl+v");
    await expect.poll(() => without.host.statuses.length).toBe(1);
    expect([without.host.statusLine?.message, without.chat.text]).toEqual([
      "To paste images, install xclip. Or name a file: @shot.png",
      "",
    ]);
  });

  test("a model without eyes is named", async () => {
    const model = scriptedModel([]);
    const blind = { ...model, info: { ...model.info, name: "Blind", images: false } };
    const { press, host } = testChat({ model: blind, environment: pictured() });
    press("ctrl+v");
    await expect.poll(() => host.statusLine?.message).toBe("Blind does not support images.");
  });
});
