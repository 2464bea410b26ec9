/** `bough store passphrase`: changes the passphrase of an encrypted store, or sets it after another machine did. */
import { boughHome } from "@bough/session/session/index.js";
import { changePassphrase, StoreError, setStorePassphrase } from "@bough/workbench/store/index.js";
import { chosenStore } from "@bough/workbench/store/internal.js";
import { usageError } from "../../cli-error.js";
import { readSecret } from "../account/read-secret.js";
import type { SubcommandCall } from "../subcommand.js";

export async function changeStorePassphrase(call: SubcommandCall): Promise<number> {
  const { args, flags, out, now } = call;
  if (args.length > 0)
    throw usageError(
      "Too many arguments: bough store passphrase",
      "A passphrase is never an argument: it is asked for.",
    );
  const home = boughHome();
  const { name, address, passphrase } = chosenStore(home, flags.text("store"));
  if (passphrase === undefined)
    throw new StoreError("store-refused", `${name} is not encrypted`, {
      hint: "A store is encrypted when it is added: bough store add <name> <address> --encrypt",
    });
  const next = await newPassphrase(name, call);
  const outcome = await changePassphrase(address, { home, passphrase, next, now });
  // If it ends here, the command finds the new passphrase in the store when it is repeated.
  if (outcome !== "same") setStorePassphrase(home, name, next);
  if (out.json) out.value({ store: name, outcome });
  else out.line(SENTENCES[outcome](name));
  return 0;
}

const SENTENCES = {
  changed: (name: string) =>
    `Changed the passphrase of ${name}. On the other machines, run: bough store passphrase. Those who know the old one can still read what was pushed before.`,
  adopted: (name: string) => `This machine uses the new passphrase of ${name}.`,
  same: (name: string) => `That is the passphrase of ${name} already.`,
};

/** From `BOUGH_STORE_NEW_PASSPHRASE`, standard input, or a terminal, where it is asked for twice. */
async function newPassphrase(name: string, call: SubcommandCall): Promise<string> {
  const given = process.env.BOUGH_STORE_NEW_PASSPHRASE ?? "";
  const passphrase = given === "" ? await readSecret(`New passphrase for ${name}:`, call) : given;
  if (passphrase === "") throw usageError("No passphrase was given", "The passphrase was not changed.");
  const isTyped = given === "" && process.stdin.isTTY === true;
  if (isTyped && (await readSecret("The same again:", call)) !== passphrase)
    throw usageError("The two passphrases differ", "The passphrase was not changed.");
  return passphrase;
}
