/** Renders one block of a conversation as HTML: for the page, for printing, and for readers without script. */
import { shortCount } from "@bough/session/text/index.js";
import { type TranscriptBlock, UNICODE_GLYPHS } from "@bough/session/view/index.js";
import type { BlockLook, FoldingKind } from "./block-look.js";
import { clip, restHtml } from "./clip.js";
import { type Html, html, NO_HTML } from "./html.js";
import { imagesHtml } from "./images-html.js";
import { markdownHtml, plainHtml } from "./safe-markdown.js";
import { filesBody, toolBody, toolSummary } from "./tool-html.js";

export function blockHtml(block: TranscriptBlock, look: BlockLook): Html {
  switch (block.kind) {
    case "prompt":
      return html`<div class="block prompt">${plain(block.text, block.id, look)}${imagesHtml(block.images, look.images)}</div>`;
    case "answer":
      return html`<div class="block answer">${markdown(block.text, block.id, look)}</div>`;
    case "thinking": {
      const words = block.redacted && block.text === "" ? "thinking, kept by the provider" : "thinking";
      if (block.text === "") return html`<p class="block thinking muted">${words}</p>`;
      return folding(block.id, look, {
        kind: "thinking",
        summary: html`<span class="muted">${words}, ${shortCount(block.text.length)} characters</span>`,
        body: () => plain(block.text, block.id, look),
      });
    }
    case "tool":
    case "shell":
      return folding(block.id, look, {
        kind: block.kind,
        summary: toolSummary(block),
        body: () => toolBody(block, look),
      });
    case "note":
      return folding(block.id, look, {
        kind: "note",
        summary: html`<span class="sign" aria-hidden="true">${UNICODE_GLYPHS.note}</span> ${block.title}`,
        body: () => markdown(block.text, block.id, look),
      });
    case "custom":
      return html`<div class="block custom"><p class="kind"><span class="sign" aria-hidden="true">${UNICODE_GLYPHS.message}</span> ${block.customType}</p>${plain(block.text, block.id, look)}${imagesHtml(block.images, look.images)}</div>`;
    case "files":
      return folding(block.id, look, {
        kind: "files",
        summary: html`<span class="sign" aria-hidden="true">±</span> <span class="title">${block.title}</span>`,
        body: () => filesBody(block),
      });
    case "label":
      return html`<p class="block label"><span class="sign" aria-hidden="true">${UNICODE_GLYPHS.label}</span> <span class="visually-hidden">label</span> <bdi>${block.text}</bdi></p>`;
    case "change":
      return html`<p class="block change muted">${block.text}</p>`;
    case "failure":
      return html`<p class="block failure">${UNICODE_GLYPHS.failed} ${clip(block.text, 2000).text}</p>`;
    case "unreadable":
      return html`<p class="block unreadable">${UNICODE_GLYPHS.failed} ${block.text}</p>`;
  }
}

interface Folding {
  readonly kind: FoldingKind;
  readonly summary: Html;
  readonly body: () => Html;
}

function folding(id: string, look: BlockLook, { kind, summary, body }: Folding): Html {
  const open = look.isOpen(id, kind);
  const inside = open || look.folded === "whole" ? body() : NO_HTML;
  const state = open ? html` open` : NO_HTML;
  return html`<details class="block ${kind}" data-block="${id}"${state}><summary>${summary}</summary><div class="inside">${inside}</div></details>`;
}

function plain(text: string, id: string, look: BlockLook): Html {
  const clipped = clip(text, look.limits(id).text);
  return html`${plainHtml(clipped.text)}${restHtml(clipped, id, look.more)}`;
}

function markdown(text: string, id: string, look: BlockLook): Html {
  const clipped = clip(text, look.limits(id).text);
  return html`<div class="markdown" dir="auto">${markdownHtml(clipped.text, look.highlight)}</div>${restHtml(clipped, id, look.more)}`;
}
