import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workshop } from "./tool-context.test-support.js";

/** A tree with everything a search can trip over. Every text file contains the word `needle` once. */
export function searchTree(shop: Workshop): void {
  const files: Readonly<Record<string, string | Buffer>> = {
    ".gitignore": "*.log\n/dist/\nnode_modules/\nbuild*\n!build.md\nsrc/*.gen.ts\n",
    ".ignore": "!kept.log\nvendor/\n",
    ".hidden/note.md": "needle hidden\n",
    ".git/config": "needle git\n",
    "README.md": "one\r\nneedle readme\r\nthree\r\n",
    "a.ts": "needle a\n",
    "a/z.ts": "before\nneedle z\nafter\n",
    "a-b.ts": "needle a-b\n",
    "build.md": "needle build.md\n",
    "build2/x.ts": "needle ignored folder\n",
    "dist/out.ts": "needle dist\n",
    "src/dist/in.ts": "needle src dist\n",
    "src/big.gen.ts": "needle generated\n",
    "src/deep/big.gen.ts": "needle generated deep\n",
    "src/.gitignore": "local.ts\n!special.log\n",
    "src/local.ts": "needle local\n",
    "src/special.log": "needle special\n",
    "src/Case.TS": "Needle upper\n",
    "kept.log": "needle kept\n",
    "lost.log": "needle lost\n",
    "vendor/lib.ts": "needle vendor\n",
    "node_modules/p/index.ts": "needle package\n",
    "binary.ts": Buffer.from("needle\nx\0y\n"),
    "late-binary.ts": Buffer.concat([Buffer.from("needle late\n"), Buffer.alloc(70_000, "x\n"), Buffer.from([0])]),
    "latin.ts": Buffer.from("needle gr\xfcn\n", "latin1"),
    "bom.ts": "\ufeffneedle bom\n",
    "wide.txt": Buffer.from("\ufefffirst\r\nneedle wide\r\n", "utf16le"),
    "long.ts": `${"x".repeat(600)} needle\n`,
    "no-end.ts": "needle without end",
    "empty.ts": "",
    "name with space.ts": "needle space\n",
    "sub/.git/HEAD": "ref\n",
    "sub/inner.log": "needle of another repository\n",
  };
  for (const [path, content] of Object.entries(files)) shop.put(path, content);
  writeFileSync(join(shop.outside, "secret.ts"), "needle secret\n");
  symlinkSync(shop.outside, join(shop.cwd, "link-folder"));
  symlinkSync(join(shop.outside, "secret.ts"), join(shop.cwd, "link.ts"));
  mkdirSync(join(shop.cwd, "empty-folder"));
  execFileSync("mkfifo", [join(shop.cwd, "pipe.ts")]);
}
