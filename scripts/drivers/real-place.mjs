// A home, a folder under git and a scripted model for one of the real agents.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { AGENTS } from "./agents.mjs";
import { scriptedServer } from "./scripted-server.mjs";

/**
 * `bin`: the folder with its programs. `project`: a folder that several share. `options` are those that differ from the
 * known agent of that name.
 */
export async function realPlace(name, bin, { pace, project } = {}) {
  const { protocol, shell, prepare, modes, asks, reads } = AGENTS[name];
  const root = mkdtempSync(join(tmpdir(), "bough-driven-"));
  const [home, cwd] = [join(root, "home"), project ?? join(root, "project")];
  mkdirSync(home);
  mkdirSync(cwd, { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd });
  const server = await scriptedServer(protocol, shell, { pace });
  const given = prepare({ home, cwd, address: server.address });
  const env = { HOME: home, PATH: [bin, process.env.PATH].join(delimiter), ...given };
  const options = { env, ...(modes === undefined ? {} : { modes }) };
  const close = () => {
    server.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  return { root, home, cwd, env, server, options, asks, reads, close };
}
