/** `bough store`: sets up, lists, checks and forgets stores, and manages what is in them. */
import { boughHome } from "@bough/session/session/index.js";
import { attempt, closestNames, counted, defined, errorText, withoutControls } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import {
  forgetStore,
  initStore,
  type NamedStore,
  namedStore,
  namedStores,
  ownReplica,
  renameReplica,
  StoreError,
  shownAddress,
  storeKind,
} from "@bough/workbench/store/index.js";
import {
  absoluteAddress,
  addCheckedStore,
  checkStoreName,
  isSentInClearText,
  looksLikeAddress,
  withoutNextSync,
  withStore,
} from "@bough/workbench/store/internal.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { changeStorePassphrase } from "./change-passphrase.js";
import { pruneStore, removeSessions } from "./remove-sessions.js";
import { storeFlag } from "./store-flag.js";
import { storeLog, storeUsers } from "./store-users.js";

const ACTIONS = [
  "list",
  "add",
  "init",
  "status",
  "forget",
  "remove",
  "prune",
  "passphrase",
  "users",
  "log",
  "name",
] as const;
type Action = (typeof ACTIONS)[number];

/** Flags that an action takes besides the common ones. A flag of another action is refused, not ignored. */
const TAKES: Readonly<Record<Action, readonly string[]>> = {
  list: [],
  add: ["encrypt", "row-security", "search"],
  init: ["row-security", "search"],
  status: [],
  forget: [],
  remove: ["store", "dry-run", "yes"],
  prune: ["store", "older-than", "project", "all", "dry-run", "yes"],
  passphrase: ["store"],
  users: ["store", "role", "project"],
  log: ["store", "limit"],
  name: [],
};

export const row: SubcommandRow = {
  name: "store",
  usage: "[list | add | init | status | forget | remove | prune | passphrase | users | log | name] [argument...]",
  summary: "Set up and manage where your machines share sessions",
  details:
    "A store is a folder that something else syncs, any git remote, or a PostgreSQL database (13 or later). `add` creates what it needs there and remembers it under a name; the first store is the default. `init` only creates the tables of a database or the file that marks a folder, at an address or for a store that was added. `forget` forgets a store and leaves what is in it. `remove` deletes sessions from a store, for everyone, and `prune` those to which nothing was pushed for some time; both ask first, and copies on machines stay. `passphrase` changes the passphrase of an encrypted store, or sets it here after another machine changed it; it is asked for, or taken from BOUGH_STORE_NEW_PASSPHRASE. `users` gives users of a database the role reader, writer or owner, for every project or some, and `log` shows who pushed and removed. `name` says what this machine is called on others, or changes it; the default is the host name. Addresses may hold passwords: they are kept in a private file and never shown.",
  flags: {
    encrypt: { help: "encrypt sessions with a passphrase, taken from BOUGH_STORE_PASSPHRASE" },
    "row-security": { help: "PostgreSQL: every database user sees only their own sessions" },
    search: {
      value: "level",
      choices: ["none", "words", "parts"],
      help: "PostgreSQL: what it can search: parts of words (default), words, or nothing, which takes the least space",
    },
    store: {
      value: "name",
      help: "with remove, prune, passphrase, users and log: the store (default: the setting store, or the first)",
    },
    "older-than": { value: "age", help: "with prune: sessions without a push for this long: 12h, 90d, 26w, 1y" },
    all: { help: "with prune: sessions of every project" },
    project: {
      value: "name",
      repeatable: true,
      help: "with prune: of this project (default: this folder's); with users: only this project, repeatable",
    },
    role: { value: "role", choices: ["reader", "writer", "owner"], help: "with users add: what the user may do" },
    limit: { short: "n", value: "count", help: "with log: at most this many (default 50)" },
    "dry-run": { help: "with remove and prune: only show what would be removed" },
    yes: { short: "y", help: "do not ask for confirmation" },
  },
  examples: [
    ["store add home ~/Sync/bough", "a folder that Syncthing or a network drive shares"],
    ["store add team git@example.com:team/sessions.git", "any git remote; no branch is touched"],
    ["store add work postgres://bough@db.example.com/bough", "a database"],
    ['store name "office laptop"', "what this machine is called on others"],
    ["store status", "check that the stores can be reached, and what is in them"],
    ["store remove 3f2a", "delete a session from the store"],
    ["store prune --older-than 90d --dry-run", "what would be deleted"],
    ["store users add ada --role writer --project example.com/team/app", "let a user of the database push"],
    ["store log", "who pushed and removed"],
  ],
  json: '{ "stores": [{ name, kind, address, encrypted, sessions?, error? }] }; forget: { removed }; remove, prune: { store, dryRun, removed: [{ id, title, project, updated }], changed: [id] }; passphrase: { store, outcome: "changed" | "adopted" | "same" }; users: { store, role, users: [{ name, role, projects }] or null }; users add: { store, added }; users remove: { store, removed }; log: { store, log: [{ at, user, action, sessionId, project, replica, lines, detail }] }; name: { replica: { id, name } }',
  // Checked at runtime, because an extra argument may be an address with a password.
  args: { least: 0, most: Number.POSITIVE_INFINITY },
  completes: ACTIONS,
};

const USAGE = "For usage, run: bough store --help";
const MOST_CHARACTERS = 64;
const CLEAR_TEXT = "connection not encrypted";

export async function run(call: SubcommandCall): Promise<number> {
  const [word = "list", ...rest] = call.args;
  const action = ACTIONS.find((name) => name === word);
  if (action === undefined) throw unknownAction(word);
  refuseFlags(call, action);
  switch (action) {
    case "list":
      return list(call, rest);
    case "status":
      return status(call, rest);
    case "add":
      return add(call, rest);
    case "init":
      return init(call, rest);
    case "forget":
      return forget(call, rest);
    case "remove":
      refuseStores(rest);
      if (rest.length === 0) throw wrong("Which session? For example: bough store remove 3f2a");
      return removeSessions({ ...call, args: rest });
    case "prune":
      refuseAddresses(rest);
      return pruneStore({ ...call, args: rest });
    case "passphrase":
      return changeStorePassphrase({ ...call, args: rest });
    case "users":
      refuseAddresses(rest);
      return storeUsers({ ...call, args: rest });
    case "log":
      refuseAddresses(rest);
      return storeLog({ ...call, args: rest });
    case "name":
      return name(call, rest);
  }
}

async function list(call: SubcommandCall, more: readonly string[]): Promise<number> {
  refuseMore(more, "list");
  return show(call, namedStores(boughHome()), {});
}

async function add(call: SubcommandCall, [name, typed, ...more]: readonly string[]): Promise<number> {
  const home = boughHome();
  if (name === undefined) throw wrong("Which name and address? For example: bough store add home ~/Sync/bough");
  if (typed === undefined && looksLikeAddress(name))
    throw wrong("Which name? The name comes first, for example: bough store add home ~/Sync/bough");
  // Before anything is created.
  checkStoreName(home, name);
  if (typed === undefined) throw wrong(`Which address? For example: bough store add ${name} ~/Sync/bough`);
  refuseMore(more, "add <name> <address>");
  const { flags, places } = call;
  const options = { encrypt: flags.isOn("encrypt"), rowSecurity: flags.isOn("row-security"), search: searchIn(flags) };
  const { store, sessions } = await addCheckedStore({ home, name, address: typed, cwd: places.cwd, ...options });
  if (call.out.json) call.out.value({ stores: [{ ...facts(store), sessions }] });
  else {
    call.out.line(`Added ${name}: ${shownAddress(store.address)}, ${counted(sessions, "session")}.`);
    if (isSentInClearText(store.address))
      call.out.line("The connection is not encrypted (sslmode=disable): anyone on the way can read and change it.");
    const flag = storeFlag(home, name);
    call.out.line(`To sync the sessions of this project: bough sync${flag}`);
  }
  return 0;
}

function searchIn(flags: SubcommandCall["flags"]): "none" | "words" | "parts" | undefined {
  return (["none", "words", "parts"] as const).find((level) => level === flags.text("search"));
}

/** A store's name refers to its address; write `./name` for a folder of that name. */
async function init(call: SubcommandCall, [given, ...more]: readonly string[]): Promise<number> {
  if (given === undefined) throw wrong("Which address? For example: bough store init ~/Sync/bough");
  refuseMore(more, "init <name or address>");
  const named = namedStores(boughHome()).find((one) => one.name === given);
  const address = named?.address ?? absoluteAddress(given, call.places.cwd);
  const { flags } = call;
  await initStore(address, { rowSecurity: flags.isOn("row-security"), search: searchIn(flags) }).catch(
    (error: unknown) => {
      throw withoutNextSync(error);
    },
  );
  const name = named === undefined ? {} : { name: named.name };
  if (call.out.json)
    call.out.value({ stores: [{ ...name, kind: storeKind(address), address: shownAddress(address) }] });
  else call.out.line(`Ready: ${named === undefined ? "" : `${named.name}, `}${shownAddress(address)}`);
  return 0;
}

/** Flags of the program, such as `--json`, are for every action. */
function refuseFlags({ flags }: SubcommandCall, action: Action): void {
  const other = Object.keys(row.flags).find((name) => flags.isOn(name) && !TAKES[action].includes(name));
  if (other !== undefined) throw wrong(`bough store ${action} does not take --${other}`);
}

/** Does not repeat the address. */
function refuseAddresses(words: readonly string[]): void {
  if (words.some(looksLikeAddress)) throw wrong("This takes no address: name the store with --store <name>");
}

/** `remove` was the name of `forget` before it could remove sessions. */
function refuseStores(references: readonly string[]): void {
  refuseAddresses(references);
  const name = references.find((one) => namedStores(boughHome()).some((store) => store.name === one));
  if (name !== undefined)
    throw usageError(`${name} is a store, not a session`, `To forget the store: bough store forget ${name}`);
}

async function forget(call: SubcommandCall, [name, ...more]: readonly string[]): Promise<number> {
  if (name === undefined) throw wrong("Which store? For example: bough store forget home");
  refuseMore(more, "forget <name>");
  forgetStore(boughHome(), name);
  if (call.out.json) call.out.value({ removed: name });
  else call.out.line(`Forgot ${name}. What is in it stays there.`);
  return 0;
}

/** Without a name, prints the current one. */
async function name({ out }: SubcommandCall, [given, ...more]: readonly string[]): Promise<number> {
  if (more.length > 0) throw wrong('Put the name in quotes: bough store name "my laptop"');
  const home = boughHome();
  const replica = given === undefined ? ownReplica(home) : renameReplica(home, checkedMachineName(given));
  if (out.json) out.value({ replica: { id: replica.id, name: replica.name } });
  else out.line(`This machine is called ${withoutControls(replica.name)}.`);
  return 0;
}

function checkedMachineName(given: string): string {
  const name = given.trim();
  if (/\p{Cc}/u.test(name) || withoutControls(name) !== name)
    throw wrong("The name of a machine cannot contain line breaks or control characters");
  if ([...name].length > MOST_CHARACTERS)
    throw wrong(`The name of a machine can have at most ${MOST_CHARACTERS} characters`);
  return name;
}

/** Exit code 1 if a store cannot be reached. */
async function status(call: SubcommandCall, [name, ...more]: readonly string[]): Promise<number> {
  refuseMore(more, "status [name]");
  const home = boughHome();
  const stores = name === undefined ? namedStores(home) : [namedStore(home, name)];
  const found: Record<string, Found> = {};
  for (const store of stores) {
    const key = store.name;
    try {
      const sessions = await withStore(store, { home, use: (opened) => opened.list() });
      const replicas = new Set(sessions.flatMap((one) => one.replicas.map((replica) => replica.name)));
      found[key] = { sessions: sessions.length, replicas: [...replicas].sort() };
    } catch (error) {
      const hint = error instanceof StoreError ? error.hint : undefined;
      found[key] = { error: errorText(error), ...defined({ hint }) };
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
    const { kind, address, encrypted, clearText } = facts(store);
    const words = [kind, ...(encrypted ? ["encrypted"] : []), ...(clearText ? [CLEAR_TEXT] : [])].join(", ");
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
  const kind = attempt(() => storeKind(address)) ?? "unknown";
  return {
    name,
    kind,
    address: shownAddress(address),
    encrypted: passphrase !== undefined,
    clearText: attempt(() => isSentInClearText(address)) ?? false,
  };
}

/** What was typed may be an address with a password, so do not repeat it. */
function unknownAction(word: string): Error {
  if (looksLikeAddress(word)) return wrong("Which action? To add a store: bough store add <name> <address>");
  const [meant] = closestNames(word, ACTIONS);
  const hint = meant === undefined ? `Use ${ACTIONS.join(", ")}.` : `Did you mean ${meant}?`;
  return usageError(`Unknown action ${word}`, `${hint} ${USAGE}`);
}

function refuseMore(more: readonly string[], usage: string): void {
  if (more.length > 0) throw wrong(`Too many arguments: bough store ${usage}`);
}

function wrong(message: string): Error {
  return usageError(message, USAGE);
}
