#!/usr/bin/env node
/** The program `bough`. Knows its own version; everything else is imported only when needed. */
import { readFileSync } from "node:fs";
import { keepCompiled } from "./keep-compiled.js";

const [first, ...others] = process.argv.slice(2);
if (others.length === 0 && (first === "--version" || first === "-V")) {
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    process.stderr.write(`bough: Could not write to standard output: ${message}\n`);
    process.exitCode = 1;
  });
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  process.stdout.write(`${(JSON.parse(manifest) as { readonly version: string }).version}\n`);
} else {
  const home = keepCompiled();
  const { runCli } = await import("./run-cli.js");
  await runCli(process.argv.slice(2), home);
}
