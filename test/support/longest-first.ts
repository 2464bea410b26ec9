import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take many seconds on an idle machine, longest first. They start before all others of their project, so that
 * no worker is left with a long file when the rest is done. vitest knows how long a file took, but not in a new checkout.
 */
const LONG = [
  "bench/cases-run.test.ts",
  // They start hundreds of processes, which takes a worker several times as long when it has grown.
  "packages/agent/src/tool/sandbox/escapes.test.ts",
  "packages/agent/src/tool/permission/corpus/real-shell.test.ts",
  "packages/agent/src/tool/sandbox/everyday-lines.test.ts",
  "test/scenario/sub-matrix.test.ts",
  "test/browser/hostile.test.ts",
  "packages/workbench/src/checkpoint/scan/scanner.test.ts",
  "test/browser/walk.test.ts",
  "test/browser/looks.test.ts",
  "test/scenario/terminal-window.test.ts",
  "test/examples.test.ts",
  "test/guides.test.ts",
  "test/scenario/terminal-stores.test.ts",
  "test/compilers.test.ts",
  "packages/workbench/src/store/git/git-store.test.ts",
  "test/scenario/terminal-import.test.ts",
  "packages/agent/src/agent/files/agent-files.test.ts",
  "test/scenario/terminal-screens.test.ts",
  "test/browser-doors.test.ts",
  "test/scenario/rpc-large.test.ts",
  "test/scenario/acp.test.ts",
  "test/scenario/cli-rpc.test.ts",
  "packages/agent/src/mcp/odd-servers.test.ts",
  "test/bundles.test.ts",
  "test/package.test.ts",
  "packages/program/src/cli/subcommand/import/damaged.test.ts",
  "packages/agent/src/tool/sandbox/sandbox.test.ts",
  "test/scenario/terminal-files.test.ts",
  "test/scenario/terminal-summary.test.ts",
  "test/scenario/terminal-extension.test.ts",
  "test/scenario/terminal-extension-ui.test.ts",
  "test/scenario/accounts.test.ts",
  "test/scenario/acp-kills.test.ts",
  "test/scenario/sub-shells.test.ts",
  "test/file-matrix.test.ts",
  "test/files-bad-input.test.ts",
  "packages/agent/src/extension/install/install-extension.test.ts",
  "packages/agent/src/tool/grep-tool.test.ts",
  "test/restore-kills.test.ts",
  "test/scenario/terminal-first-run.test.ts",
  "test/scenario/cache-kills.test.ts",
  "test/engine/processes.test.ts",
  "packages/workbench/src/store/sync/replicas.test.ts",
];

/**
 * Where tests start processes. They come next: a worker only grows, and to start a process takes it 5 ms when it has 200 MB
 * and 25 ms when it has a gigabyte, because all its pages are marked.
 */
const WITH_PROCESSES = [
  ...["test/scenario/", "test/store/", "test/pi/", "test/extensions/", "test/browser/"],
  ...[
    "packages/workbench/src/checkpoint/",
    "packages/workbench/src/store/",
    "packages/agent/src/mcp/",
    "packages/agent/src/tool/",
    "packages/agent/src/extension/",
    "packages/agent/src/agent/",
    "packages/program/src/command/",
  ],
  ...["packages/program/src/cli/", "packages/agent/src/project/"],
];

/**
 * Project by project, because a worker that changes the project starts over; in the large one long files first, and those
 * that need much memory last.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification): number => {
      const path = relative(this.ctx.config.root, file.moduleId);
      const found = LONG.indexOf(path);
      if (found >= 0) return found;
      return LONG.length + (WITH_PROCESSES.some((folder) => path.startsWith(folder)) ? 0 : 1);
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) =>
      a.project.name === b.project.name ? place(a) - place(b) : a.project.name < b.project.name ? -1 : 1,
    );
  }
}
