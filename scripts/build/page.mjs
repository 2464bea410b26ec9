// Bundles the browser client into web/page.html of a build: a page without a session, with placeholders for one.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { packageAliases } from "./packages.mjs";

/**
 * @param {{ root: string, folder: string }} places
 * @returns {Promise<string[]>} the modules that are inside
 */
export async function bundlePage({ root, folder }) {
  const { script, style, modules } = await bundle(root);
  mkdirSync(join(folder, "web"), { recursive: true });
  writeFileSync(join(folder, "web", "page.html"), page({ script, style }));
  return modules;
}

/** @param {string} root */
async function bundle(root) {
  const result = await build({
    configFile: false,
    root,
    logLevel: "warn",
    resolve: { alias: packageAliases(root) },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      target: "es2022",
      minify: "oxc",
      cssMinify: true,
      copyPublicDir: false,
      rolldownOptions: { checks: { bundlerTimings: false } },
      lib: {
        entry: join(root, "packages/workbench/src/web/page/main.tsx"),
        formats: ["iife"],
        name: "bough",
        cssFileName: "page",
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ("output" in one ? one.output : []));
  const chunk = outputs.find((one) => one.type === "chunk");
  const asset = outputs.find((one) => one.type === "asset" && one.fileName.endsWith(".css"));
  if (chunk?.type !== "chunk" || asset?.type !== "asset")
    throw new Error("bug: the page came out without script or style");
  return { script: inert(chunk.code), style: String(asset.source), modules: chunk.moduleIds };
}

/** Escapes what would end the script element or start a comment in it. @param {string} code */
function inert(code) {
  return code.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
}

/** @param {string} text */
function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/**
 * Only this script and this style may run; nothing may be fetched or sent, and no base URL can be set. The script comes
 * before the bulk of the data, so that the first screen is drawn while the rest is still being read.
 *
 * @param {{ script: string, style: string }} parts
 */
function page({ script, style }) {
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="generator" content="bough">',
    '<link rel="icon" href="data:,">',
    "<title><!--bough:title--></title>",
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    '<div id="bough"></div>',
    "<!--bough:facts-->",
    `<script>${script}</script>`,
    "<!--bough:rest-->",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}
