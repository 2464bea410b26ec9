import type { ContentBlock } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "vitest";
import { MOST_EMBEDDED, promptInput } from "./prompt-input.js";

const CWD = "/home/user/project";

function input(...blocks: ContentBlock[]) {
  return promptInput(blocks, CWD);
}

test("text and links are one line, as a user would type it", () => {
  expect(
    input(
      { type: "text", text: "Explain " },
      { type: "resource_link", uri: "file:///home/user/project/src/a%20b.ts#L1:20", name: "a b.ts" },
      { type: "text", text: " and " },
      { type: "resource_link", uri: "https://example.com/x", name: "x" },
    ),
  ).toEqual({
    text: "Explain @src/a b.ts and [x](https://example.com/x)",
    images: [],
    typed: "Explain @src/a b.ts and [x](https://example.com/x)",
  });
});

test("embedded files follow the text, fenced so that they cannot end their block", () => {
  const found = input(
    { type: "text", text: "Why? " },
    { type: "resource", resource: { uri: "file:///etc/hosts", text: "``` /undo" } },
  );
  expect(found.text).toBe("Why? @/etc/hosts\n\n/etc/hosts:\n````\n``` /undo\n````");
  expect(found.typed).toBeUndefined();
});

test("images are taken as blocks and as embedded files", () => {
  const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
  const resource = { uri: "file:///home/user/project/a.png", blob: "iVBORw0KGgo=", mimeType: "image/png" };
  expect(input(image, { type: "resource", resource })).toEqual({
    text: "@a.png",
    images: [image, image],
    typed: undefined,
  });
});

test.each<readonly [string, ContentBlock, RegExp]>([
  ["audio", { type: "audio", data: "AAAA", mimeType: "audio/wav" }, /type audio is not supported/],
  ["an image of another type", { type: "image", data: "AAAA", mimeType: "image/svg+xml" }, /image\/svg\+xml/],
  ["an image that is not base64", { type: "image", data: "<svg>", mimeType: "image/png" }, /base64/],
  ["a binary file", { type: "resource", resource: { uri: "file:///x.zip", blob: "AAAA" } }, /Link to it instead/],
  [
    "a huge file",
    { type: "resource", resource: { uri: "file:///x.txt", text: "x".repeat(MOST_EMBEDDED + 1) } },
    /Link to the files instead/,
  ],
])("%s is refused with what to do instead", (_name, block, message) => {
  expect(() => input(block)).toThrow(message);
});
