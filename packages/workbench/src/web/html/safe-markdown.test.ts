import { describe, expect, test } from "vitest";
import { markdownHtml, safeAddress } from "./safe-markdown.js";

const drawn = (text: string) => markdownHtml(text).html.trim();

describe("Markdown of others", () => {
  test("aligns the columns of a table as its second row says", () => {
    const rows = drawn("| a | b | c |\n|:-|-:|:-:|\n| 1 | 2 | 3 |").replace(/^.*<table>|<\/table>.*$/g, "");
    expect(rows).toBe(
      '<thead><tr><th>a</th><th class="right">b</th><th class="center">c</th></tr></thead>' +
        '<tbody><tr><td>1</td><td class="right">2</td><td class="center">3</td></tr></tbody>',
    );
  });

  test("has paragraphs, lists, code, tables and headings below those of the page", () => {
    expect(drawn("# One\n\ntwo **three** `four`")).toBe(
      "<h3>One</h3>\n<p>two <strong>three</strong> <code>four</code></p>",
    );
    expect(drawn("- [x] done")).toContain("☑ done");
    expect(drawn("```js\na < b\n```")).toBe('<pre class="code" tabindex="0"><code>a &lt; b</code></pre>');
    expect(drawn("|a|b|\n|-|-|\n|1|<i>2</i>|")).toContain("<td>&lt;i&gt;2&lt;/i&gt;</td>");
  });

  test.each([
    ["a tag", "<script>alert(1)</script>"],
    ["a tag inside a line", "x <b onclick=alert(1)>y</b>"],
    ["a comment", "<!-- x -->"],
    ["half a tag", "<img src=x onerror=alert(1)"],
    ["a tag in a link", "[<img src=x onerror=alert(1)>](https://example.org)"],
    ["a tag in code", "`<img src=x onerror=alert(1)>`"],
    ["a tag as a language", "```<img/src/onerror=alert(1)>\nx\n```"],
    ["a tag in an image", '![<img src=x onerror="alert(1)">](https://example.org)'],
    ["a quote in an address", '[x](https://example.org/"onmouseover="alert(1))'],
    ["a quote in a title", `[x](https://example.org '"onmouseover="alert(1)')`],
  ])("escapes %s", (_name, text) => {
    const tags = drawn(text).match(/<[^>]*>/g) ?? [];
    for (const tag of tags) {
      expect(tag).toMatch(
        /^<\/?(?:p|code|a|pre)(?: (?:href="https:\/\/example\.org[^"<>]*"|target="_blank"|rel="[a-z ]*"|class="code"|tabindex="0"))*>$/,
      );
    }
  });

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "//evil.example",
    "file:///etc/passwd",
  ])("makes no link of %s", (address) => {
    expect(drawn(`[words](<${address}>)`)).not.toContain("href");
    expect(drawn(`![words](<${address}>)`)).not.toContain("href");
    expect(safeAddress(address)).toBeUndefined();
  });

  test("links to the web and to mail, without a trace of where from", () => {
    expect(drawn("[x](https://example.org/?a=1&b=2)")).toBe(
      '<p><a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer nofollow">x</a></p>',
    );
    expect(drawn("<someone@example.org>")).toContain('href="mailto:someone@example.org"');
  });

  test("shows text that would take too long to parse as it is", () => {
    for (const text of ["_a".repeat(20_000), "> ".repeat(500), "[".repeat(30_000), "x".repeat(100_000)]) {
      expect(drawn(text)).toMatch(/^<div class="plain" dir="auto">/);
    }
  });
});
