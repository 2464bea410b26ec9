import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { addProfile } from "./add-profile.js";
import { PROFILE, PROFILE_FILE, systemNeeds } from "./system-needs.js";

afterEach(() => vi.unstubAllEnvs());

function systemWith(files: Readonly<Record<string, string>>) {
  const root = tempFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content, { mode: 0o755 });
  }
  return root;
}

const BOTH = { "usr/bin/bwrap": "", "usr/bin/socat": "" };
const RESTRICTED = { "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n" };
const release = (text: string) => ({ "etc/os-release": text });

describe("what a system needs for the sandbox", () => {
  test.each([
    ["ID=ubuntu\nID_LIKE=debian\n", "sudo apt install bubblewrap socat"],
    ['NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n', "sudo apt install bubblewrap socat"],
    ["ID=fedora\n", "sudo dnf install bubblewrap socat"],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', "sudo dnf install bubblewrap socat"],
    ['ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n', "sudo zypper install bubblewrap socat"],
    ["ID=arch\n", "sudo pacman -S bubblewrap socat"],
    ["ID=alpine\n", "sudo apk add bubblewrap socat"],
    ["ID=unheard-of\n", undefined],
    ["", undefined],
  ])("by its release: %j", (text, command) => {
    const root = systemWith(release(text));
    expect(systemNeeds({ platform: "linux", root, isSuperuser: false })).toEqual({
      command,
      packages: ["bubblewrap", "socat"],
      profile: "not needed",
    });
  });

  test("only what is missing, and without sudo for the superuser", () => {
    const root = systemWith({ ...release("ID=debian\n"), "bin/bwrap": "" });
    expect(systemNeeds({ platform: "linux", root, isSuperuser: true })).toMatchObject({
      command: "apt install socat",
      packages: ["socat"],
    });
    const complete = systemWith({ ...release("ID=debian\n"), ...BOTH });
    expect(systemNeeds({ platform: "linux", root: complete, isSuperuser: true })).toEqual({
      command: undefined,
      packages: [],
      profile: "not needed",
    });
    expect(systemNeeds({ platform: "darwin", root: systemWith({}), isSuperuser: false }).packages).toEqual([]);
  });

  test("a profile for bwrap where AppArmor restricts user namespaces, unless there is one", () => {
    const profileIn = (files: Readonly<Record<string, string>>) =>
      systemNeeds({ platform: "linux", root: systemWith({ ...BOTH, ...files }), isSuperuser: false }).profile;
    expect([
      profileIn(RESTRICTED),
      profileIn({ ...RESTRICTED, [PROFILE_FILE]: "" }),
      profileIn({ "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "0\n" }),
    ]).toEqual(["missing", "present", "not needed"]);
  });
});

describe("the AppArmor profile", () => {
  /** Stands for the programs of the system: writes down what it was called with. */
  function programs(exitCode = 0) {
    const folder = tempFolder();
    for (const name of ["apparmor_parser", "sudo"]) {
      const file = join(folder, name);
      const tee = name === "sudo" ? 'if [ "$1" = tee ]; then cat > "$2"; fi\n' : "";
      writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> ${folder}/calls\n${tee}exit ${exitCode}\n`);
      chmodSync(file, 0o755);
    }
    vi.stubEnv("PATH", `${folder}:/usr/bin:/bin`);
    const calls = () => (existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8").trim() : "");
    return { calls };
  }

  test("is written and loaded, for bwrap alone; nothing else of the system changes", () => {
    const root = systemWith({ "etc/apparmor.d/other": "" });
    const { calls } = programs();
    addProfile("missing", { isSuperuser: true, root });
    const file = join(root, PROFILE_FILE);
    expect([readFileSync(file, "utf8"), calls()]).toEqual([PROFILE, `apparmor_parser -r ${file}`]);
    expect(PROFILE).toMatch(/^profile bwrap \/usr\/bin\/bwrap flags=\(unconfined\) \{$/m);
    expect(PROFILE).not.toMatch(/sysctl|apparmor_restrict/);
  });

  test("is written with sudo by anyone else", () => {
    const root = systemWith({ "etc/apparmor.d/other": "" });
    const { calls } = programs();
    addProfile("missing", { isSuperuser: false, root });
    const file = join(root, PROFILE_FILE);
    expect([readFileSync(file, "utf8"), calls().split("\n")]).toEqual([
      PROFILE,
      [`sudo tee ${file}`, `sudo apparmor_parser -r ${file}`],
    ]);
  });

  test("that exists is loaded as it is, and never replaced", () => {
    const root = systemWith({ [PROFILE_FILE]: "mine" });
    const { calls } = programs();
    addProfile("present", { isSuperuser: true, root });
    expect(() => addProfile("missing", { isSuperuser: true, root })).toThrow(/Could not write .*: .*exist/i);
    const file = join(root, PROFILE_FILE);
    expect([readFileSync(file, "utf8"), calls()]).toEqual(["mine", `apparmor_parser -r ${file}`]);
  });

  test("that cannot be loaded is an error that says so", () => {
    const root = systemWith({ [PROFILE_FILE]: "mine" });
    programs(3);
    expect(() => addProfile("present", { isSuperuser: false, root })).toThrow(
      `Could not load ${join(root, PROFILE_FILE)}: sudo ended with 3`,
    );
  });
});
