// node scripts/upgrade-runs.mjs [runs]: six processes open one file of an old version at the same moment, that many
// times. Needs a build. Prints one line; exits with 1 if anything acknowledged is missing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { upgradeRuns } from "../test/support/upgrade-run.mjs";

const folder = mkdtempSync(join(tmpdir(), "bough-upgrade-"));
const started = Date.now();
try {
  const { runs, acknowledged, faults } = await upgradeRuns({
    folder,
    runs: Number(process.argv[2] ?? 500),
    processes: 6,
  });
  for (const fault of faults.slice(0, 20)) console.error(fault);
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${runs} files, ${acknowledged} acknowledged entries, ${faults.length} faults, ${seconds} s`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
