// Bundles the browser client: web/page.html of a build is a page without a session, with placeholders for one;
// web/live.html is the page of `bough serve`, which asks its server for sessions.
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
  const [exported, live] = await Promise.all([bundle(root, "main.tsx"), bundle(root, "live/live.tsx")]);
  mkdirSync(join(folder, "web"), { recursive: true });
  writeFileSync(join(folder, "web", "page.html"), page(exported));
  const empty = page({ ...live, connects: "'self'" }).replace(/<!--bough:title-->/, "Bough");
  writeFileSync(join(folder, "web", "live.html"), empty.replace(/<!--bough:\w+-->\n?/g, ""));
  return [...exported.modules, ...live.modules];
}

/**
 * @param {string} root
 * @param {string} entry in the folder of the page
 */
async function bundle(root, entry) {
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
        entry: join(root, "packages/workbench/src/web/page", entry),
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
 * Only this script and this style may run; nothing may be fetched or sent, except to `connects`, and no base URL can be set. The script comes
 * before the bulk of the data, so that the first screen is drawn while the rest is still being read.
 *
 * @param {{ script: string, style: string, connects?: string }} parts
 */
function page({ script, style, connects }) {
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    ...(connects === undefined ? [] : [`connect-src ${connects}`]),
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
