/** `bough sandbox install`: what the system needs, the AppArmor profile where one is needed, and a test. */
import type { SandboxState } from "@bough/agent/tool/index.js";
import { askEnter, canAsk } from "../import/confirm.js";
import type { SubcommandCall } from "../subcommand.js";
import { addProfile } from "./add-profile.js";
import { sandboxHere } from "./sandbox-here.js";
import { PROFILE, PROFILE_FILE, type SystemNeeds, systemNeeds } from "./system-needs.js";

/** Exit code 1 if it does not work at the end. */
export async function run(call: SubcommandCall): Promise<number> {
  const { out } = call;
  const isSuperuser = process.getuid?.() === 0;
  const needs = systemNeeds({ platform: process.platform, isSuperuser });
  let state = await tested(call);
  let written = false;
  if (state.kind !== "on" && !out.json) tellNeeds(call, { needs, state });
  if (state.kind !== "on" && needs.packages.length === 0 && needs.profile !== "not needed") {
    if (await mayAddProfile(call, needs.profile)) {
      addProfile(needs.profile, { isSuperuser });
      written = true;
      state = await tested(call);
    }
  }
  const works = state.kind === "on";
  if (out.json) out.value(report(state, { needs, written }));
  else if (works) out.line("The sandbox works here. Nothing was downloaded. To use it: bough --sandbox auto");
  else out.line("The sandbox does not work here yet. To test it again: bough sandbox install");
  return works ? 0 : 1;
}

/** A command runs inside for real. */
async function tested({ places: { cwd } }: SubcommandCall): Promise<SandboxState> {
  const { sandbox } = sandboxHere(cwd);
  try {
    return await sandbox.ready();
  } finally {
    await sandbox.close();
  }
}

interface Found {
  readonly needs: SystemNeeds;
  readonly state: SandboxState;
}

function tellNeeds({ out }: SubcommandCall, { needs, state }: Found): void {
  if (state.kind === "on") return;
  out.line(`The sandbox does not work here: ${state.reason}.`);
  out.line();
  if (needs.command !== undefined) out.line(`Install what is missing:  ${needs.command}`);
  else if (needs.packages.length > 0) out.line(`Install these packages: ${needs.packages.join(", ")}`);
  else if (needs.profile === "missing") {
    out.line(
      `AppArmor does not let bwrap create user namespaces. This profile in /${PROFILE_FILE} allows it for bwrap`,
    );
    out.line("alone; the restriction for other programs stays:");
    out.line();
    for (const line of PROFILE.trimEnd().split("\n")) out.line(`  ${line}`);
  } else if (needs.profile === "present") out.line(`/${PROFILE_FILE} exists, and may not be loaded.`);
  else out.line(state.fix);
  out.line();
}

async function mayAddProfile(call: SubcommandCall, state: "present" | "missing"): Promise<boolean> {
  const { flags, out } = call;
  if (flags.isOn("yes")) return true;
  if (out.json) return false;
  if (!canAsk()) {
    out.line(
      state === "missing" ? "To add it: bough sandbox install --yes" : "To load it: bough sandbox install --yes",
    );
    return false;
  }
  return askEnter(
    {
      question: state === "missing" ? `Write /${PROFILE_FILE} and load it?` : `Load /${PROFILE_FILE}?`,
      enter: state === "missing" ? "writes it" : "loads it",
      esc: "changes nothing",
    },
    call,
  );
}

function report(state: SandboxState, { needs, written }: { readonly needs: SystemNeeds; readonly written: boolean }) {
  const why = state.kind === "on" ? {} : { reason: state.reason, fix: state.fix };
  const profile =
    needs.profile === "not needed"
      ? null
      : { path: `/${PROFILE_FILE}`, text: PROFILE, state: written ? "written" : needs.profile };
  return { works: state.kind === "on", ...why, command: needs.command ?? null, profile };
}
