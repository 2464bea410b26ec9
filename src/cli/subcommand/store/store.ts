/** `bough store`: set up, list, check and forget stores. */
import { boughHome } from "../../../session/index.js";
import {
  addStore,
  forgetStore,
  initStore,
  type NamedStore,
  namedStores,
  openStore,
  ownReplica,
  renameReplica,
  StoreError,
  shownAddress,
  storeKind,
} from "../../../store/index.js";
import { closestNames, counted, errorText, withoutControls } from "../../../text/index.js";
import { span } from "../../../view/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";

const ACTIONS = ["list", "add", "init", "status", "remove", "name"] as const;

export async function run(call: SubcommandCall): Promise<number> {
  const [word = "list", ...rest] = call.args;
  const action = ACTIONS.find((name) => name === word);
  if (action === undefined) {
    const [meant] = closestNames(word, ACTIONS);
    throw usageError(
      `Unknown action ${word}`,
      meant === undefined ? `Use ${ACTIONS.join(", ")}` : `Did you mean ${meant}?`,
    );
  }
  switch (action) {
    case "list":
      return show(call, namedStores(boughHome()), {});
    case "status":
      return status(call, rest[0]);
    case "add":
      return add(call, rest);
    case "init":
      return init(call, rest);
    case "remove":
      return remove(call, rest);
    case "name":
      return name(call, rest);
  }
}

async function add(call: SubcommandCall, [name, address, ...more]: readonly string[]): Promise<number> {
  if (name === undefined || address === undefined || more.length > 0)
    throw usageError("Which store? For example: bough store add home ~/Sync/bough");
  const home = boughHome();
  const passphrase = call.flags.isOn("encrypt") ? requiredPassphrase() : undefined;
  const store: NamedStore = { name, address, ...(passphrase === undefined ? {} : { passphrase }) };
  await initStore(address, { rowSecurity: call.flags.isOn("row-security") });
  // A wrong address, password or passphrase is noticed now and not at the first sync.
  const opened = await openStore(address, { home, passphrase });
  const sessions = (await opened.list().finally(() => opened.close())).length;
  addStore(home, store);
  if (call.out.json) call.out.value({ stores: [{ ...facts(store), sessions }] });
  else {
    call.out.line(`Added ${name}: ${shownAddress(address)}, ${counted(sessions, "session")}.`);
    call.out.line("To sync the sessions of this project: bough sync");
  }
  return 0;
}

async function init(call: SubcommandCall, [address, ...more]: readonly string[]): Promise<number> {
  if (address === undefined || more.length > 0)
    throw usageError("Which address? For example: bough store init ~/Sync/bough");
  await initStore(address, { rowSecurity: call.flags.isOn("row-security") });
  if (call.out.json) call.out.value({ stores: [{ kind: storeKind(address), address: shownAddress(address) }] });
  else call.out.line(`Ready: ${shownAddress(address)}`);
  return 0;
}

async function remove(call: SubcommandCall, [name, ...more]: readonly string[]): Promise<number> {
  if (name === undefined || more.length > 0) throw usageError("Which store? For example: bough store remove home");
  forgetStore(boughHome(), name);
  if (call.out.json) call.out.value({ removed: name });
  else call.out.line(`Removed ${name} from your stores. What is in it stays there.`);
  return 0;
}

/** Without a name: says the one there is. */
async function name({ out }: SubcommandCall, [given, ...more]: readonly string[]): Promise<number> {
  if (more.length > 0) throw usageError('One name, in quotes: bough store name "my laptop"');
  const home = boughHome();
  const replica = given === undefined ? ownReplica(home) : renameReplica(home, given);
  if (out.json) out.value({ replica: { id: replica.id, name: replica.name } });
  else out.line(`This machine is called ${withoutControls(replica.name)}.`);
  return 0;
}

/** Exit code 1 if a store cannot be reached. */
async function status(call: SubcommandCall, name: string | undefined): Promise<number> {
  const home = boughHome();
  const stores = namedStores(home).filter((one) => name === undefined || one.name === name);
  if (name !== undefined && stores.length === 0) throw new StoreError("store-unknown", `No store is called ${name}`);
  const found: Record<string, Found> = {};
  for (const { name: key, address, passphrase } of stores) {
    try {
      const store = await openStore(address, { home, passphrase });
      const sessions = await store.list().finally(() => store.close());
      const replicas = new Set(sessions.flatMap((one) => one.replicas.map((replica) => replica.name)));
      found[key] = { sessions: sessions.length, replicas: [...replicas].sort() };
    } catch (error) {
      const hint = error instanceof StoreError ? error.hint : undefined;
      found[key] = { error: errorText(error), ...(hint === undefined ? {} : { hint }) };
    }
  }
  return show(call, stores, found);
}

interface Found {
  readonly sessions?: number;
  readonly replicas?: readonly string[];
  readonly error?: string;
  readonly hint?: string;
}

function show({ out }: SubcommandCall, stores: readonly NamedStore[], found: Readonly<Record<string, Found>>): number {
  const failed = Object.values(found).some(({ error }) => error !== undefined);
  if (out.json) {
    out.value({ stores: stores.map((store) => ({ ...facts(store), ...found[store.name] })) });
    return failed ? 1 : 0;
  }
  if (stores.length === 0)
    out.line("No stores. To add one: bough store add <name> <folder, git remote or postgres URL>");
  for (const store of stores) {
    const { kind, address, encrypted } = facts(store);
    const words = [kind, ...(encrypted ? ["encrypted"] : [])].join(", ");
    out.line([span(store.name, "accent"), span(`  ${words}  `, "muted"), span(address)]);
    const { sessions, replicas = [], error, hint } = found[store.name] ?? {};
    if (sessions !== undefined) {
      const from = replicas.length === 0 ? "" : ` from ${replicas.map(withoutControls).join(", ")}`;
      out.line(`  ${counted(sessions, "session")}${from}`);
    }
    if (error !== undefined) out.line([span(`  ${error}`, "bad")]);
    if (hint !== undefined) out.line([span(`  ${hint}`, "muted")]);
  }
  return failed ? 1 : 0;
}

function facts({ name, address, passphrase }: NamedStore) {
  return { name, kind: storeKind(address), address: shownAddress(address), encrypted: passphrase !== undefined };
}

function requiredPassphrase(): string {
  const passphrase = process.env.BOUGH_STORE_PASSPHRASE;
  if (passphrase !== undefined && passphrase !== "") return passphrase;
  throw new StoreError("passphrase-missing", "No passphrase was given", {
    hint: "Set BOUGH_STORE_PASSPHRASE for this command. It is kept in a private file; everyone who syncs needs the same one.",
  });
}
