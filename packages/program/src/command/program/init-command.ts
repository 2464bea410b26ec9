/** /init: an AGENTS.md for this project, written by the model. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { readOnly, unless, working } from "../availability.js";
import type { Command } from "../command.js";
import { unchanged } from "../outcome.js";

const FILE = "AGENTS.md";

const NEW = [
  `Look at this project and write ${FILE} in its folder: what a newcomer, person or coding agent, has to know to work here.`,
  "Find out by reading, not by guessing: manifests, build files, the tests, the README, the folders of the sources.",
  "It has: one sentence on what the project is; the commands to build, check and test, also for a single test; where things are; conventions that the code really follows; what must not be changed.",
  "Keep it under 60 lines. Leave out what is obvious or already in the README. Do not invent anything; if something cannot be found, leave it out.",
].join("\n");

const CHANGE = [
  `Check ${FILE} against this project and bring it up to date with the edit tool. Keep what is right and how it is written; correct what is wrong, add what is missing, remove what is obsolete.`,
  "Find out by reading, not by guessing. Do not replace the whole file.",
].join("\n");

export const INIT_COMMAND: Command = {
  name: "init",
  group: "program",
  usage: "[what matters]",
  summary: `Have the model write ${FILE} for this project`,
  details: `Sends a prompt: the model reads the project and writes ${FILE}, which is part of the context from the next session. If the file exists, you are asked first, and the model edits it instead of replacing it. What you add is sent along.`,
  unavailable: unless(working, readOnly),
  async run({ agent, front, cwd }, args) {
    const exists = statSync(join(cwd, FILE), { throwIfNoEntry: false }) !== undefined;
    if (exists) {
      const request = {
        title: `${FILE} already exists`,
        lines: ["The model checks it and edits what is wrong or missing."],
        yes: "update it",
        no: "leave it",
      };
      if ((await front.confirm?.(request)) !== true) return unchanged(`${FILE} already exists and was not changed.`);
    }
    const request = args.trim();
    const outcome = await agent.prompt([exists ? CHANGE : NEW, ...(request === "" ? [] : [request])].join("\n\n"));
    return { kind: "done", data: { outcome: outcome.kind } };
  },
};
