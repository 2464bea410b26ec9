import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take many seconds on an idle machine, longest first. They start before all others of their project, so that
 * no worker is left with a long file when the rest is done. vitest knows how long a file took, but not in a new checkout.
 */
const LONG = [
  "test/scenario/sub-matrix.test.ts",
  "src/store/git/git-store.test.ts",
  "test/browser/hostile.test.ts",
  "src/checkpoint/scan/scanner.test.ts",
  "test/browser/walk.test.ts",
  "test/browser/looks.test.ts",
  "test/scenario/terminal-window.test.ts",
  "test/large-verify.test.ts",
  "src/mcp/odd-servers.test.ts",
  "test/scenario/terminal-screens.test.ts",
  "test/scenario/cli-rpc.test.ts",
  "src/store/sync/replicas.test.ts",
  "test/scenario/terminal-import.test.ts",
  "test/scenario/cli-trouble.test.ts",
  "test/scenario/cli-flags.test.ts",
  "test/package.test.ts",
  "test/scenario/terminal-files.test.ts",
  "src/agent/files/agent-files.test.ts",
  "test/file-matrix.test.ts",
  "test/scenario/rpc-large.test.ts",
  "src/tool/grep-tool.test.ts",
  "test/browser/large.test.ts",
  "test/compilers.test.ts",
  "test/guides.test.ts",
  "test/scenario/terminal-extension.test.ts",
  "test/examples.test.ts",
  "test/browser-doors.test.ts",
  "src/cli/subcommand/import/damaged.test.ts",
  "test/scenario/terminal-first-run.test.ts",
  "test/scenario/acp.test.ts",
  "test/files-bad-input.test.ts",
  "src/extension/install/install-extension.test.ts",
  "test/restore-kills.test.ts",
  "src/tool/sandbox/sandbox.test.ts",
  "test/engine/processes.test.ts",
  "test/engine/large.test.ts",
  "bench/bench.test.ts",
];

/** Project by project, because a worker that changes the project starts over; in the large one, long files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification): number => {
      const found = LONG.indexOf(relative(this.ctx.config.root, file.moduleId));
      return found === -1 ? LONG.length : found;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) =>
      a.project.name === b.project.name ? place(a) - place(b) : a.project.name < b.project.name ? -1 : 1,
    );
  }
}
