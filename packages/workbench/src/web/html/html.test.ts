import { describe, expect, test } from "vitest";
import { clip, restHtml } from "./clip.js";
import { html } from "./html.js";
import { imagesHtml } from "./images-html.js";
import { diffHtml } from "./tool-html.js";

describe("HTML from parts", () => {
  test("texts are escaped, HTML is kept, and what is not there leaves nothing", () => {
    const inner = html`<b>${"<i>"}</b>`;
    expect(html`<p title="${`"'<>&`}">${inner}${[inner, inner]}${undefined}${false}${7}</p>`.html).toBe(
      '<p title="&quot;&#39;&lt;&gt;&amp;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b><b>&lt;i&gt;</b>7</p>',
    );
  });

  test("a long text is cut between characters, and says how much is left", () => {
    expect(clip("abc", 3)).toEqual({ text: "abc", rest: 0 });
    expect(clip("ab😀c", 3)).toEqual({ text: "ab", rest: 3 });
    const cut = clip("x".repeat(5000), 904);
    expect(restHtml(cut, 'a"b', "more").html).toMatch(/data-more="a&quot;b">Show more \(4.* left\)<\/button>/);
    expect(restHtml(cut, "a", "no-more").html).toMatch(/more, not shown/);
    expect(restHtml(clip("abc", 3), "a", "more").html).toBe("");
  });
});

describe("pictures", () => {
  const image = (data: string, mimeType: string) => imagesHtml([{ type: "image", data, mimeType }], "pictures").html;

  test("are shown from the file itself, in formats that run nothing", () => {
    expect(image("aGk=", "image/PNG")).toContain('<img src="data:image/png;base64,aGk="');
    for (const format of ["image/svg+xml", "text/html", 'image/png" onerror="x', ""]) {
      expect(image("aGk=", format)).toContain("cannot be shown");
    }
    expect(image('x" onerror="alert(1)', "image/png")).toContain("cannot be shown");
    expect(image("", "image/png")).toContain("not included");
    expect(image("A".repeat(12 * 1024 * 1024), "image/png")).toContain("too large");
  });

  test("are counted if there is no room for them", () => {
    const two = [image, image].map(() => ({ type: "image", data: "aGk=", mimeType: "image/png" }) as const);
    expect(imagesHtml(two, "words").html).toBe('<p class="muted">(2 images)</p>');
    expect(imagesHtml([], "words").html).toBe("");
  });
});

test("lines of a diff keep their signs and have a class for each kind", () => {
  const kinds = [
    ...diffHtml("--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-old <b>\n+new\n").html.matchAll(
      /<span class="(\w+)"( data-line="\d+")?>(.*)\n/g,
    ),
  ];
  expect(kinds.map(([, kind, number = "", line]) => `${kind}:${number} ${line}`)).toEqual([
    "hunk: --- a",
    "hunk: +++ b",
    "hunk: @@ -1,2 +1,2 @@",
    'same: data-line="1"  same',
    'remove: data-line="2" -old &lt;b&gt;',
    'add: data-line="2" +new',
  ]);
});
