/** A small project that the everyday lines are for, with everything they name. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FILES: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n\nA kettle and a cup.\n",
  "notes.txt": "one\ntwo\nthree\ntwo\n",
  "summary.md": "# Nothing yet\n",
  "TODO.md": "- descale\n",
  "package.json": `${JSON.stringify(
    {
      name: "shop",
      version: "1.0.0",
      private: true,
      type: "module",
      scripts: { check: "node scripts/check.mjs", test: "node --test test/kettle.test.js > /dev/null && echo tested" },
      dependencies: { tiny: "file:tiny" },
    },
    null,
    2,
  )}\n`,
  "tiny/package.json": `${JSON.stringify({ name: "tiny", version: "1.0.0", bin: { tiny: "tiny.js" } })}\n`,
  "tiny/tiny.js": '#!/usr/bin/env node\nconsole.log("tiny runs");\n',
  "src/kettle.js":
    'import { pour } from "./cup.js";\n\n// TODO: descale\nexport function boil(cups) {\n  return pour(cups) * 100;\n}\n',
  "src/cup.js": "export function pour(cups) {\n  return cups + 1;\n}\n",
  "src/main.js": 'import { boil } from "./kettle.js";\n\nconsole.log(boil(1));\n',
  "test/kettle.test.js":
    'import assert from "node:assert";\nimport { test } from "node:test";\nimport { boil } from "../src/kettle.js";\n\ntest("boils", () => assert.equal(boil(1), 200));\n',
  "test_kettle.py": "def test_boils():\n    assert 100 + 100 == 200\n",
  "packages/app/index.js": "export const app = 1;\n",
  "scripts/hello.sh": '#!/bin/sh\necho "hello $1"\n',
  "scripts/hello.py": 'print("hello from python")\n',
  "scripts/check.mjs": 'console.log("checked");\n',
  "scripts/typed.ts": 'const kettle: string = "typed";\nconsole.log(kettle);\n',
  "scripts/listen.mjs":
    'import { createServer } from "node:http";\n\nconst server = createServer((_, answer) => answer.end("tea"));\nserver.listen(0, "127.0.0.1", async () => {\n  const answer = await fetch("http://127.0.0.1:" + server.address().port);\n  console.log(await answer.text());\n  server.close();\n});\n',
  "scripts/unix-socket.mjs":
    'import { mkdtempSync, rmSync } from "node:fs";\nimport { connect, createServer } from "node:net";\nimport { tmpdir } from "node:os";\nimport { join } from "node:path";\n\nconst folder = mkdtempSync(join(tmpdir(), "kettle-"));\nconst server = createServer((socket) => socket.end("tea over a socket\\n"));\nserver.listen(join(folder, "s"), () => {\n  connect(join(folder, "s")).on("data", (data) => process.stdout.write(data)).on("close", () => {\n    server.close();\n    rmSync(folder, { recursive: true });\n  });\n});\n',
  "scripts/listen.py":
    'import socket\nimport threading\n\nserver = socket.create_server(("127.0.0.1", 0))\nthreading.Thread(target=lambda: server.accept()[0].sendall(b"tea")).start()\nprint(socket.create_connection(server.getsockname()).recv(10).decode())\n',
  Makefile: "all: one two\n\none two:\n\t@echo $@\n\ntest:\n\t@echo tested\n\n.PHONY: all one two test\n",
  ".gitignore": "node_modules\n__pycache__\n.pytest_cache\n",
};

const LOCK = {
  name: "shop",
  version: "1.0.0",
  lockfileVersion: 3,
  requires: true,
  packages: {
    "": { name: "shop", version: "1.0.0", dependencies: { tiny: "file:tiny" } },
    "node_modules/tiny": { resolved: "tiny", link: true },
    tiny: { version: "1.0.0", bin: { tiny: "tiny.js" } },
  },
};

/** Files have one time, so that both projects list alike. */
const TIME = new Date("2026-01-02T03:04:05Z");

export interface EverydayProject {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Makes `<base>/shop`, a repository without a commit, and a home folder beside it. */
export function everydayProject(base: string): EverydayProject {
  const cwd = join(base, "shop");
  const home = join(base, "home");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  write("package-lock.json", `${JSON.stringify(LOCK, null, 2)}\n`);
  chmodSync(join(cwd, "tiny/tiny.js"), 0o755);
  mkdirSync(home);
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Pat\n\temail = pat@example.com\n[init]\n\tdefaultBranch = main\n",
  );
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", USER: process.env.USER, TZ: "UTC" },
    ...{ GIT_AUTHOR_DATE: TIME.toISOString(), GIT_COMMITTER_DATE: TIME.toISOString() },
    ...{ npm_config_update_notifier: "false", npm_config_loglevel: "error", PYTHONDONTWRITEBYTECODE: "1" },
    ...(process.env.PYENV_ROOT === undefined ? {} : { PYENV_ROOT: process.env.PYENV_ROOT }),
  };
  spawnSync("git", ["init", "-q"], { cwd, env });
  for (const path of [...Object.keys(FILES), "src", "packages", "scripts", "."])
    utimesSync(join(cwd, path), TIME, TIME);
  return { cwd, env };
}

/** Programs that a line needs beside those of every system. */
export function programsOf(line: string): readonly string[] {
  const known = ["git", "node", "npm", "npx", "tsx", "make", "python3", "pytest", "curl", "tar", "gzip", "diff"];
  return known.filter((name) => new RegExp(`(?:^|[\\s;&|(])${name}(?=\\s|$)`).test(line));
}
