/** What this system needs for the sandbox: packages, and on some an AppArmor profile. */
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@bough/session/text/index.js";

const PACKAGES = ["bubblewrap", "socat"];

/** By the names in `ID` and `ID_LIKE` of os-release. */
const INSTALLERS: Readonly<Record<string, string>> = {
  debian: "apt install",
  ubuntu: "apt install",
  fedora: "dnf install",
  rhel: "dnf install",
  centos: "dnf install",
  arch: "pacman -S",
  suse: "zypper install",
  opensuse: "zypper install",
  alpine: "apk add",
  void: "xbps-install",
};

export const PROFILE_FILE = "etc/apparmor.d/bwrap";

/** Lets `bwrap` create user namespaces, and no other program. */
export const PROFILE = `abi <abi/4.0>,
include <tunables/global>

profile bwrap /usr/bin/bwrap flags=(unconfined) {
  userns,

  include if exists <local/bwrap>
}
`;

export interface SystemNeeds {
  /** Installs the packages that are missing; undefined if none is, or the system is not known. */
  readonly command: string | undefined;
  /** The packages that are missing. */
  readonly packages: readonly string[];
  /** Whether AppArmor restricts user namespaces, and there is no profile for bwrap yet. */
  readonly profile: "not needed" | "present" | "missing";
}

interface System {
  readonly platform: NodeJS.Platform;
  /** The root of the file system. */
  readonly root?: string;
  readonly isSuperuser: boolean;
}

export function systemNeeds({ platform, root = "/", isSuperuser }: System): SystemNeeds {
  if (platform !== "linux") return { command: undefined, packages: [], profile: "not needed" };
  const programs: Readonly<Record<string, string>> = { bubblewrap: "bwrap", socat: "socat" };
  const folders = ["usr/bin", "bin", "usr/local/bin"];
  const packages = PACKAGES.filter(
    (name) => !folders.some((folder) => isProgram(join(root, folder, programs[name] ?? name))),
  );
  const installer = installerFor(attempt(() => readFileSync(join(root, "etc/os-release"), "utf8")) ?? "");
  const command =
    installer === undefined || packages.length === 0
      ? undefined
      : `${isSuperuser ? "" : "sudo "}${installer} ${packages.join(" ")}`;
  const restriction = join(root, "proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  const isRestricted = attempt(() => readFileSync(restriction, "utf8").trim()) === "1";
  const profile = !isRestricted ? "not needed" : existsSync(join(root, PROFILE_FILE)) ? "present" : "missing";
  return { command, packages, profile };
}

function isProgram(path: string): boolean {
  const isRunnable = () => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  };
  return attempt(isRunnable) === true;
}

function installerFor(release: string): string | undefined {
  const value = (name: string): readonly string[] =>
    new RegExp(`^${name}=["']?([^"'\n]*)`, "m").exec(release)?.[1]?.split(/[\s-]+/) ?? [];
  const names = [...value("ID"), ...value("ID_LIKE")];
  const known = names.find((name) => Object.hasOwn(INSTALLERS, name));
  return known === undefined ? undefined : INSTALLERS[known];
}
