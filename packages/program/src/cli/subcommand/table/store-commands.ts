/** Subcommands for stores: where copies of sessions on several machines meet. */
import type { Subcommand } from "../subcommand.js";

export const STORE_COMMANDS: readonly Subcommand[] = [
  {
    name: "store",
    usage: "[list | add | init | status | remove | name] [name] [address]",
    summary: "Set up where your machines share sessions",
    details:
      "A store is a folder that something else syncs, any git remote, or a PostgreSQL database (13 or later). `add` creates what it needs there and remembers it under a name; the first store is the default. `init` only creates the tables of a database or the file that marks a folder, at an address or for a store that was added. `remove` forgets a store and leaves what is in it. `name` says what this machine is called on others, or changes it; the default is the host name. Addresses may hold passwords: they are kept in a private file and never shown.",
    flags: {
      encrypt: { help: "encrypt sessions with a passphrase, taken from BOUGH_STORE_PASSPHRASE" },
      "row-security": { help: "PostgreSQL: every database user sees only their own sessions" },
    },
    examples: [
      ["store add home ~/Sync/bough", "a folder that Syncthing or a network drive shares"],
      ["store add team git@example.com:team/sessions.git", "any git remote; no branch is touched"],
      ["store add work postgres://bough@db.example.com/bough", "a database"],
      ['store name "office laptop"', "what this machine is called on others"],
      ["store status", "check that the stores can be reached, and what is in them"],
    ],
    json: '{ "stores": [{ name, kind, address, encrypted, sessions?, error? }] }; remove: { removed }; name: { replica: { id, name } }',
    // Checked when it runs: what is too many may be an address with a password.
    args: { least: 0, most: Number.POSITIVE_INFINITY },
    completes: ["list", "add", "init", "status", "remove", "name"],
    load: () => import("../store/store.js"),
  },
  {
    name: "sync",
    usage: "[session...]",
    summary: "Exchange sessions with a store",
    details:
      "Pushes what the store lacks and pulls what is missing here. Entries are only ever added, and your position stays where it is; branches from other machines appear in the tree. Without arguments: the sessions of this project, on any machine. What is new in a session is scanned for secrets before every push. Contents of changed files are pushed too, except those in which secrets were found; those of other machines are fetched when they are needed.",
    flags: {
      store: { value: "name", help: "the store to sync with; default: the setting store, or the first" },
      all: { help: "sessions of every project" },
      project: { value: "name", help: "what this folder's project is called from now on; default: its git remote" },
      watch: { help: "keep syncing until Ctrl+C" },
      "dry-run": { help: "show what would be pushed, and whether there is something to pull" },
      again: { help: "also sync named sessions that were removed from the store or deleted here" },
      files: { help: "fetch the contents of all files now, and push any that were skipped" },
      "allow-secrets": { help: "push sessions and files in which secrets were found" },
    },
    examples: [
      ["sync", "the sessions of this project"],
      ["sync --all --store home", "everything"],
      ["sync 3f2a --again", "one session, even if it was removed from the store"],
    ],
    json: '{ "store", "project", "synced": [{ sessionId, file, title, pushed, pulled, arrivals: [{ replica, entries, turns, tips, branches: [{ number, name }] }], taken, damaged, contents?: { pushed, fetched, kept: [{ path, hash }] }, toPush?, toPull? }], "unchanged", "skipped": [{ sessionId, title, why, message?, findings?: [{ rule, title, entryId, excerpt, count }] }] }; toPush and toPull with --dry-run; with --watch one line for each sync, and { "store", "state": "away" | "back", "message"? }',
    args: { least: 0, most: Number.POSITIVE_INFINITY },
    completes: "sessions",
    load: () => import("../store/sync.js"),
  },
];
