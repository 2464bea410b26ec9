/**
 * All subcommands, in the order of the help. In the build, a static import in this file loads only the row
 * (scripts/build/subcommand-rows.mjs); the code is loaded when it runs.
 */
import { row as agents } from "./account/agents.js";
import { row as login } from "./account/login.js";
import { row as logout } from "./account/logout.js";
import { row as models } from "./account/models.js";
import { row as attempts } from "./attempt/attempts.js";
import { row as tryRow } from "./attempt/try.js";
import { row as compare } from "./browse/compare.js";
import { row as ls } from "./browse/ls.js";
import { row as search } from "./browse/search.js";
import { row as show } from "./browse/show.js";
import { row as stats } from "./browse/stats.js";
import { row as tree } from "./browse/tree.js";
import { row as tried } from "./browse/tried.js";
import { row as usage } from "./browse/usage.js";
import { row as completion } from "./completion/completion.js";
import { row as archive } from "./copy/archive.js";
import { row as clone } from "./copy/clone.js";
import { row as fork } from "./copy/fork.js";
import { row as label } from "./copy/label.js";
import { row as rename } from "./copy/rename.js";
import { row as restore } from "./copy/restore.js";
import { row as doctor } from "./doctor/doctor.js";
import { row as acp } from "./editor/acp.js";
import { row as exportRow } from "./export/export.js";
import { row as exportBranch } from "./export/export-branch.js";
import { row as extensions } from "./extension/extensions.js";
import { row as install } from "./extension/install.js";
import { row as blame } from "./files/blame.js";
import { row as diff } from "./files/diff.js";
import { row as files } from "./files/files.js";
import { row as restoreFiles } from "./files/restore-files.js";
import { row as handoff } from "./import/handoff.js";
import { row as importRow } from "./import/import.js";
import { row as mcp } from "./mcp/mcp.js";
import { row as repair } from "./repair/repair.js";
import { row as verify } from "./repair/verify.js";
import { row as sandbox } from "./sandbox/sandbox.js";
import { row as serve } from "./serve/serve.js";
import { row as store } from "./store/store.js";
import { row as sync } from "./store/sync.js";
import type { Subcommand } from "./subcommand.js";

export const SUBCOMMAND_GROUPS: readonly { readonly title: string; readonly commands: readonly Subcommand[] }[] = [
  {
    title: "Browse and search",
    commands: [
      { ...ls, load: () => import("./browse/ls.js") },
      { ...tree, load: () => import("./browse/tree.js") },
      { ...show, load: () => import("./browse/show.js") },
      { ...search, load: () => import("./browse/search.js") },
      { ...compare, load: () => import("./browse/compare.js") },
      { ...tried, load: () => import("./browse/tried.js") },
      { ...stats, load: () => import("./browse/stats.js") },
      { ...usage, load: () => import("./browse/usage.js") },
      { ...serve, load: () => import("./serve/serve.js") },
    ],
  },
  {
    title: "Attempts",
    commands: [
      { ...tryRow, load: () => import("./attempt/try.js") },
      { ...attempts, load: () => import("./attempt/attempts.js") },
    ],
  },
  {
    title: "Files",
    commands: [
      { ...diff, load: () => import("./files/diff.js") },
      { ...restoreFiles, load: () => import("./files/restore-files.js") },
      { ...blame, load: () => import("./files/blame.js") },
      { ...files, load: () => import("./files/files.js") },
    ],
  },
  {
    title: "Copy, label, archive",
    commands: [
      { ...fork, load: () => import("./copy/fork.js") },
      { ...clone, load: () => import("./copy/clone.js") },
      { ...label, load: () => import("./copy/label.js") },
      { ...rename, load: () => import("./copy/rename.js") },
      { ...archive, load: () => import("./copy/archive.js") },
      { ...restore, load: () => import("./copy/restore.js") },
    ],
  },
  {
    title: "Other machines",
    commands: [
      { ...store, load: () => import("./store/store.js") },
      { ...sync, load: () => import("./store/sync.js") },
    ],
  },
  {
    title: "Other agents",
    commands: [
      { ...importRow, load: () => import("./import/import.js") },
      { ...handoff, load: () => import("./import/handoff.js") },
      { ...agents, load: () => import("./account/agents.js") },
    ],
  },
  {
    title: "Models and accounts",
    commands: [
      { ...models, load: () => import("./account/models.js") },
      { ...login, load: () => import("./account/login.js") },
      { ...logout, load: () => import("./account/logout.js") },
    ],
  },
  {
    title: "Extensions, servers and editors",
    commands: [
      { ...install, load: () => import("./extension/install.js") },
      { ...extensions, load: () => import("./extension/extensions.js") },
      { ...mcp, load: () => import("./mcp/mcp.js") },
      { ...acp, load: () => import("./editor/acp.js") },
    ],
  },
  {
    title: "Export, repair, diagnose",
    commands: [
      { ...exportRow, load: () => import("./export/export.js") },
      { ...exportBranch, load: () => import("./export/export-branch.js") },
      { ...verify, load: () => import("./repair/verify.js") },
      { ...repair, load: () => import("./repair/repair.js") },
      { ...sandbox, load: () => import("./sandbox/sandbox.js") },
      { ...doctor, load: () => import("./doctor/doctor.js") },
      { ...completion, load: () => import("./completion/completion.js") },
    ],
  },
];

export const SUBCOMMANDS: readonly Subcommand[] = SUBCOMMAND_GROUPS.flatMap(({ commands }) => commands);

export function findSubcommand(name: string | undefined): Subcommand | undefined {
  return SUBCOMMANDS.find((command) => command.name === name);
}
