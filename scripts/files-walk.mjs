// node scripts/files-walk.mjs [git|plain|two|all] [steps] [seed] [--verbose] [--jobs=4]: a random walk through sessions
// and files that compares every step with an independent look at the folder (test/support/files-walk/), in several
// folders at once with --jobs. Needs a build. Exits with 1 if anything was wrong.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createJiti } from "jiti";
import { packageAliases } from "./build/packages.mjs";

const args = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const isVerbose = process.argv.includes("--verbose");
const jobs = Number(process.argv.find((arg) => arg.startsWith("--jobs="))?.slice("--jobs=".length) ?? 1);
const [kind = "all", steps = "10000", seed = "1"] = args;
const kinds = kind === "all" ? ["git", "plain", "two"] : [kind];
const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const alias = packageAliases(fileURLToPath(new URL("..", import.meta.url)));
const { filesWalk } = await createJiti(import.meta.url, { alias }).import("../test/support/files-walk/walk.ts");

let wrong = 0;
for (const one of kinds) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bough-walk-")));
  const started = Date.now();
  const onStep = (step, flags) => {
    if (step % 500 === 0)
      console.error(`${one}: ${step} steps, ${flags} flags, ${Math.round((Date.now() - started) / 1000)} s`);
  };
  const onSay = isVerbose ? { onSay: console.error } : {};
  const result = await filesWalk({
    kind: one,
    seed: Number(seed),
    steps: Number(steps),
    jobs,
    folder,
    main,
    onStep,
    ...onSay,
  });
  for (const flag of result.flags.slice(0, 40)) console.log(flag);
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(
    `${one}: ${result.steps} steps, ${result.kills} kills, ${result.records} records, ${result.flags.length} flags, ${seconds} s`,
  );
  wrong += result.flags.length;
  if (result.flags.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`Left for a look: ${folder}`);
}
process.exit(wrong === 0 ? 0 : 1);
