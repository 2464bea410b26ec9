/** Ways out of the sandbox that a command can try. Each works outside of it, or in a sandbox without the protection. */
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface EscapePlace {
  /** The project: a repository with a file `a.txt`, `.vscode/tasks.json`, `packages/a/.husky/pre-commit` and `secret.env`. */
  readonly cwd: string;
  /** A folder of the user's, with `kept.txt` and `folder/kept.txt`. */
  readonly outside: string;
  /** The user's home: `.ssh/id`, `.netrc`, `.bashrc`. */
  readonly home: string;
  /** Bough's folder: `auth.json`. */
  readonly bough: string;
  /** A program of the user's that has `ESCAPE_SECRET` in its environment. */
  readonly pid: number;
  /** Servers of this machine, which answer with `escaped`. */
  readonly port: number;
  readonly address: string;
  readonly udp: number;
  readonly socket: string;
  /** In a temporary folder, and renamed after a program listened on it. */
  readonly renamedSocket: string;
  readonly projectSocket: string;
  readonly abstract: string;
  /** In the command line of the user's program. */
  readonly machine: string;
  /** Unique to the attempt. */
  readonly mark: string;
}

export interface Outcome {
  readonly output: string;
  /** What the servers saw in `Host`. */
  readonly hosts: readonly string[];
  readonly datagrams: number;
  /** Whether the user's program still runs. */
  readonly isAlive: boolean;
  /** Whether a process whose command line has the mark still runs. */
  readonly isMarked: boolean;
}

export interface Escape {
  readonly name: string;
  readonly line: (place: EscapePlace) => string;
  readonly escaped: (place: EscapePlace, outcome: Outcome) => boolean;
  /** Hosts that the user allows. */
  readonly allowed?: readonly string[];
  /** Works outside only for root. */
  readonly root?: true;
  /** Whether it works outside on this system. */
  readonly only?: () => boolean;
  readonly needs?: readonly string[];
  /** What is left out of bubblewrap's arguments to show that it works; otherwise it is run without a sandbox. */
  readonly without?: (place: EscapePlace) => readonly (readonly string[])[];
  /** A descriptor of this folder is open in the process that starts the command, as number 9. */
  readonly passes?: (place: EscapePlace) => string;
}

const RINGS = "/proc/sys/kernel/io_uring_disabled";
const isKnownProcessor = () => ["x64", "arm64"].includes(process.arch);
const withoutFilter = () => [["--seccomp", "8"]];
const text = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
const said: Escape["escaped"] = (_, { output }) => output.includes("escaped");
const has = (...parts: string[]): Escape["escaped"] => {
  return (place) => existsSync(join(place.cwd, ...parts));
};
const outsideHas = (name: string): Escape["escaped"] => {
  return ({ outside }) => existsSync(join(outside, name));
};
const keptChanged: Escape["escaped"] = ({ outside }) => text(join(outside, "kept.txt")) !== "kept\n";
const python = (code: string) => `python3 -c '${code}'`;
const curl = (rest: string) => `curl -sS -m 10 ${rest}`;
/** Through the sandbox's proxy; without a sandbox, directly. */
const proxied = (url: string, more = "") => curl(`--noproxy "" -x "$HTTP_PROXY" ${more} "${url}"`);

const WRITES: readonly Escape[] = [
  { name: "creates a file outside", line: ({ outside }) => `echo x > ${outside}/new`, escaped: outsideHas("new") },
  { name: "overwrites a file outside", line: ({ outside }) => `echo x > ${outside}/kept.txt`, escaped: keptChanged },
  { name: "truncates a file outside", line: ({ outside }) => `: > ${outside}/kept.txt`, escaped: keptChanged },
  { name: "deletes a file outside", line: ({ outside }) => `rm -f ${outside}/kept.txt`, escaped: keptChanged },
  {
    name: "renames a folder outside",
    line: ({ outside }) => `mv ${outside}/folder ${outside}/new`,
    escaped: outsideHas("new"),
  },
  { name: "moves a file out", line: ({ outside }) => `mv a.txt ${outside}/new`, escaped: outsideHas("new") },
  {
    name: "writes through a link to a folder",
    line: ({ outside }) => `ln -s ${outside} l; echo x > l/new`,
    escaped: outsideHas("new"),
  },
  {
    name: "writes through a link to a file",
    line: ({ outside }) => `ln -s ${outside}/kept.txt l; echo x > l`,
    escaped: keptChanged,
  },
  {
    name: "writes through a hard link",
    line: ({ outside }) => `ln ${outside}/kept.txt h; echo x > h`,
    escaped: keptChanged,
  },
  {
    name: "writes through /proc/self/root",
    line: ({ outside }) => `echo x > /proc/self/root${outside}/new`,
    escaped: outsideHas("new"),
  },
  {
    name: "writes through /proc/self/cwd",
    line: () => "echo x > /proc/self/cwd/../outside/new",
    escaped: outsideHas("new"),
  },
  {
    name: "writes through the root of another process",
    line: ({ outside, pid }) => `echo x > /proc/${pid}/root${outside}/new`,
    escaped: outsideHas("new"),
  },
  {
    name: "changes the mode of a file outside",
    line: ({ outside }) => `chmod 600 ${outside}/kept.txt`,
    escaped: ({ outside }) => (lstatSync(join(outside, "kept.txt")).mode & 0o777) === 0o600,
  },
  {
    name: "changes the time of a file outside",
    line: ({ outside }) => `touch -d 2001-01-01 ${outside}/kept.txt`,
    escaped: ({ outside }) => lstatSync(join(outside, "kept.txt")).mtime.getUTCFullYear() <= 2001,
  },
  {
    name: "unpacks an archive with absolute names",
    line: ({ outside }) => `tar cPf t.tar ${outside}/kept.txt; tar xPf t.tar --transform=s/kept.txt/new/`,
    escaped: outsideHas("new"),
  },
  { name: "creates a folder outside", line: ({ outside }) => `mkdir ${outside}/new`, escaped: outsideHas("new") },
  {
    name: "creates a link outside",
    line: ({ outside }) => `ln -s a ${outside}/new; ls -l ${outside}/new && echo escaped`,
    escaped: said,
  },
  {
    name: "changes the shell's start file",
    line: ({ home }) => `echo x >> ${home}/.bashrc`,
    escaped: ({ home }) => text(join(home, ".bashrc")) !== "",
  },
  {
    name: "changes Bough's settings",
    line: ({ bough }) => `echo '{}' > ${bough}/settings.json`,
    escaped: ({ bough }) => existsSync(join(bough, "settings.json")),
  },
  {
    name: "writes through a folder that was open",
    passes: ({ outside }) => outside,
    line: () => "echo x > /proc/self/fd/9/new",
    escaped: outsideHas("new"),
  },
  {
    name: "writes through the roots and folders of its processes",
    line: ({ outside }) =>
      `for p in 1 $$ $PPID; do echo x > /proc/$p/root${outside}/new; echo x > /proc/$p/cwd/../outside/new; done`,
    escaped: outsideHas("new"),
  },
  {
    name: "writes to a file that was open",
    passes: ({ outside }) => join(outside, "kept.txt"),
    line: () => "echo x > /proc/self/fd/9; echo x >&9",
    escaped: keptChanged,
  },
  {
    name: "opens the disk for writing in a namespace of its own",
    line: ({ outside }) =>
      `unshare -Urm sh -c 'mount -o remount,bind,rw /; mount -o remount,bind,rw ${outside}; echo x > ${outside}/new'; echo x > ${outside}/new`,
    escaped: outsideHas("new"),
  },
  {
    name: "makes a sandbox in the sandbox that may write",
    needs: ["bwrap"],
    line: ({ outside }) =>
      `o=$(readlink -f ${outside}); bwrap --dev-bind / / --bind "$o" "$o" sh -c 'echo x > ${outside}/new'`,
    escaped: outsideHas("new"),
  },
  {
    name: "leaves something in shared memory",
    line: ({ mark }) => `echo escaped > /dev/shm/left-${mark}`,
    escaped: ({ mark }) => existsSync(`/dev/shm/left-${mark}`),
  },
  {
    ...{ name: "makes a device", root: true },
    line: () => "mknod d c 1 5 && head -c 1 d >/dev/null && echo escaped",
    escaped: said,
  },
  {
    ...{ name: "makes a control group", root: true },
    line: ({ mark }) =>
      `for g in /sys/fs/cgroup /sys/fs/cgroup/cpu; do mkdir $g/left-${mark} && rmdir $g/left-${mark} && echo escaped; done`,
    escaped: said,
  },
  {
    ...{ name: "sets what runs when a program crashes", root: true },
    line: () => 'v=$(cat /proc/sys/kernel/core_pattern); echo "$v" > /proc/sys/kernel/core_pattern && echo escaped',
    escaped: said,
  },
  {
    ...{ name: "sets a kernel parameter", root: true },
    line: () => "v=$(cat /proc/sys/vm/swappiness); echo $v > /proc/sys/vm/swappiness && echo escaped",
    escaped: said,
  },
];

const hooks: Escape["escaped"] = ({ cwd }) => existsSync(join(cwd, ".git/hooks/pre-commit"));
const isTasksChanged: Escape["escaped"] = ({ cwd }) => text(join(cwd, ".vscode/tasks.json")) !== "{}\n";
const isConfigChanged: Escape["escaped"] = ({ cwd }) => text(join(cwd, ".git/config")).includes("fsmonitor");

const PLACES: readonly Escape[] = [
  { name: "adds a git hook", line: () => "echo x > .git/hooks/pre-commit", escaped: hooks },
  {
    name: "replaces the folder of hooks",
    line: () => "rm -rf .git/hooks; mv .git/hooks h; mkdir .git/hooks; echo x > .git/hooks/pre-commit",
    escaped: hooks,
  },
  {
    name: "replaces the repository",
    line: () => "cp -r .git g; mv .git old; mv g .git; echo x > .git/hooks/pre-commit",
    escaped: hooks,
  },
  { name: "configures git", line: () => "git config core.fsmonitor ./evil", escaped: isConfigChanged },
  {
    name: "writes git's configuration",
    line: () => "printf '[core]\\nfsmonitor = ./evil\\n' >> .git/config",
    escaped: isConfigChanged,
  },
  {
    name: "replaces git's configuration",
    line: () => "printf '[core]\\nfsmonitor = ./evil\\n' > c; mv -f c .git/config",
    escaped: isConfigChanged,
  },
  {
    name: "points git to another repository",
    line: () => "echo ../evil > .git/commondir",
    escaped: has(".git/commondir"),
  },
  {
    name: "configures a worktree",
    line: () => "printf '[core]\\nfsmonitor = ./evil\\n' > .git/config.worktree",
    escaped: has(".git/config.worktree"),
  },
  {
    name: "configures a submodule",
    line: () => "printf '[core]\\nfsmonitor = ./evil\\n' >> .git/modules/sub/config",
    escaped: ({ cwd }) => text(join(cwd, ".git/modules/sub/config")).includes("fsmonitor"),
  },
  {
    name: "adds a hook to a submodule",
    line: () => "echo x > .git/modules/sub/hooks/pre-commit",
    escaped: has(".git/modules/sub/hooks/pre-commit"),
  },
  {
    name: "makes a repository with a hook",
    line: () => "git init -q new; mkdir -p new/.git/hooks; echo x > new/.git/hooks/pre-commit",
    escaped: has("new/.git/hooks/pre-commit"),
  },
  {
    name: "makes a repository that runs a program",
    line: () => "git init -q new; git -C new config core.fsmonitor ./evil",
    escaped: ({ cwd }) => text(join(cwd, "new/.git/config")).includes("fsmonitor"),
  },
  {
    name: "makes a repository from a template with a hook",
    line: () => "mkdir -p t/hooks; echo x > t/hooks/pre-commit; git init -q --template=t new",
    escaped: has("new/.git/hooks/pre-commit"),
  },
  {
    name: "makes a bare repository that runs a program",
    line: () => "git init -q --bare new; git -C new config core.fsmonitor ./evil",
    escaped: ({ cwd }) => text(join(cwd, "new/config")).includes("fsmonitor"),
  },
  {
    name: "makes a bare repository with a hook",
    line: () => "git init -q --bare new; mkdir -p new/hooks; echo x > new/hooks/pre-receive",
    escaped: has("new/hooks/pre-receive"),
  },
  {
    name: "includes another configuration of git",
    line: () => "git init -q new; printf '[include]\\n\\tpath = ../../evil\\n' >> new/.git/config",
    escaped: ({ cwd }) => text(join(cwd, "new/.git/config")).includes("evil"),
  },
  {
    name: "moves git's hooks to another folder",
    line: () => "git init -q new; git -C new config core.hooksPath ../evil",
    escaped: ({ cwd }) => text(join(cwd, "new/.git/config")).includes("evil"),
  },
  {
    name: "writes git's configuration through a hard link",
    line: () => "ln .git/config c; printf '[core]\\nfsmonitor = ./evil\\n' >> c",
    escaped: isConfigChanged,
  },
  {
    name: "exchanges an editor's folder for another",
    needs: ["python3"],
    line: () =>
      `mkdir v; echo x > v/tasks.json; ${python('import ctypes; ctypes.CDLL(None).renameat2(-100, b".vscode", -100, b"v", 2)')}`,
    escaped: isTasksChanged,
  },
  {
    name: "mounts another folder over git's hooks",
    line: () =>
      "mkdir h; echo x > h/pre-commit; unshare -Urm sh -c 'mount --bind h .git/hooks'; cp h/pre-commit .git/hooks/",
    escaped: hooks,
  },
  {
    name: "creates it in another case",
    line: () => "mkdir .Vscode x; echo x > .Vscode/tasks.json; echo x > x/.EnvRC",
    escaped: (place, outcome) => has(".Vscode")(place, outcome) || has("x/.EnvRC")(place, outcome),
  },
  {
    name: "makes a folder that is another repository",
    line: () => "mkdir evil new; echo 'gitdir: ../evil' > new/.git",
    escaped: has("new/.git"),
  },
  { name: "changes an editor's tasks", line: () => "echo x > .vscode/tasks.json", escaped: isTasksChanged },
  {
    name: "replaces an editor's tasks",
    line: () => "mv .vscode v; mkdir .vscode; echo x > .vscode/tasks.json",
    escaped: isTasksChanged,
  },
  { name: "deletes an editor's tasks", line: () => "rm -rf .vscode", escaped: isTasksChanged },
  {
    name: "adds a file to an editor's folder",
    line: () => "echo x > .vscode/launch.json",
    escaped: has(".vscode/launch.json"),
  },
  {
    name: "changes a hook deeper in the project",
    line: () => "echo evil > packages/a/.husky/pre-commit",
    escaped: ({ cwd }) => text(join(cwd, "packages/a/.husky/pre-commit")).includes("evil"),
  },
  {
    name: "replaces a folder above a hook",
    line: () => "mv packages p; mkdir -p packages/a/.husky; echo evil > packages/a/.husky/pre-commit",
    escaped: ({ cwd }) => text(join(cwd, "packages/a/.husky/pre-commit")).includes("evil"),
  },
  {
    name: "creates settings of Bough",
    line: () => "mkdir .bough; echo '{}' > .bough/settings.json",
    escaped: has(".bough"),
  },
  { name: "creates a list of MCP servers", line: () => "echo '{}' > .mcp.json", escaped: has(".mcp.json") },
  { name: "creates a file that shells run", line: () => "echo x > .envrc", escaped: has(".envrc") },
  {
    name: "creates it with an old time",
    line: () => "echo x > .envrc; touch -d 2001-01-01 .envrc .",
    escaped: has(".envrc"),
  },
  {
    name: "creates it deep in a new folder",
    line: () => "mkdir -p x/y/z; echo x > x/y/z/.envrc",
    escaped: has("x/y/z/.envrc"),
  },
  {
    name: "creates a link to settings of an agent",
    line: () => "mkdir evil; ln -s evil .claude",
    escaped: has(".claude"),
  },
  {
    name: "creates it after the command has ended",
    line: ({ mark }) => `setsid sh -c 'sleep 0.3; echo x > .envrc' ${mark} >/dev/null 2>&1 &`,
    escaped: has(".envrc"),
  },
];

const READS: readonly Escape[] = [
  { name: "reads a key", line: ({ home }) => `cat ${home}/.ssh/id`, escaped: said },
  { name: "lists keys", line: ({ home }) => `ls ${home}/.ssh | grep -q id && echo escaped`, escaped: said },
  { name: "reads a key through a link", line: ({ home }) => `ln -s ${home}/.ssh k; cat k/id`, escaped: said },
  { name: "reads a file of passwords", line: ({ home }) => `cat ${home}/.netrc`, escaped: said },
  { name: "reads it through /proc/self/root", line: ({ home }) => `cat /proc/self/root${home}/.netrc`, escaped: said },
  { name: "reads it through a hard link", line: ({ home }) => `ln ${home}/.netrc k; cat k`, escaped: said },
  {
    name: "reads it through another process",
    line: ({ home, pid }) => `cat /proc/${pid}/root${home}/.netrc`,
    escaped: said,
  },
  {
    name: "reads it in a copy of the folder",
    line: ({ home }) => `cp -r ${home} copy; cat copy/.netrc copy/.ssh/id`,
    escaped: said,
  },
  { name: "reads Bough's keys", line: ({ bough }) => `cat ${bough}/auth.json`, escaped: said },
  { name: "reads what a rule denies", line: () => "cat secret.env", escaped: said },
  {
    name: "reads it by its inode",
    line: () => "find . -inum $(stat -c %i secret.env) -exec cat {} +; find . -name 'secret*' -exec cat {} +",
    escaped: said,
  },
  { name: "reads it under a new name", line: () => "mv secret.env x; cat x", escaped: said },
  { name: "reads it through a new hard link", line: () => "ln secret.env x; cat x", escaped: said },
  { name: "reads it in an archive", line: () => "tar cf - . | cat", escaped: said },
  { name: "reads it with git", line: () => "git add -f secret.env; git diff --cached", escaped: said },
  { name: "reads it in a renamed folder", line: () => "mkdir d; mv deep d/e; cat d/e/secret.env", escaped: said },
  {
    name: "takes a cover away",
    line: ({ home }) => `umount -l ${home}/.ssh; cat ${home}/.ssh/id`,
    root: true,
    escaped: said,
    without: () => [["--cap-drop", "ALL"]],
  },
  {
    name: "takes a cover away in a namespace of its own",
    line: ({ home }) => `unshare -Urm sh -c 'umount -l ${home}/.ssh; cat ${home}/.ssh/id'; cat ${home}/.ssh/id`,
    escaped: said,
  },
  {
    name: "looks below a cover",
    line: ({ home }) =>
      `mkdir m u w; unshare -Urm sh -c 'mount --bind ${home} m; cat m/.netrc m/.ssh/id; mount -t overlay o -olowerdir=${home},upperdir=u,workdir=w m; cat m/.netrc m/.ssh/id'; cat ${home}/.netrc`,
    escaped: said,
  },
  {
    name: "makes a sandbox in the sandbox that may read",
    needs: ["bwrap"],
    line: ({ home }) => `bwrap --dev-bind / / --bind ${home} /mnt cat ${home}/.netrc /mnt/.netrc`,
    escaped: said,
  },
  {
    name: "reads it with the dynamic linker",
    line: ({ home }) =>
      `for l in /lib64/ld-linux*.so.2 /lib/ld-linux*.so.1; do [ -e $l ] && $l /bin/cat ${home}/.netrc; done`,
    escaped: said,
  },
  {
    name: "mounts the disk elsewhere",
    root: true,
    line: ({ home }) => `mkdir m; mount --bind ${home} m; cat m/.netrc`,
    escaped: said,
    without: () => [["--cap-drop", "ALL"]],
  },
];

const PROCESSES: readonly Escape[] = [
  { name: "kills a program", line: ({ pid }) => `kill -9 ${pid}`, escaped: (_, { isAlive }) => !isAlive },
  {
    name: "kills every program",
    line: ({ pid }) => `for p in /proc/[0-9]*; do [ \${p#/proc/} = ${pid} ] && kill -9 \${p#/proc/}; done`,
    escaped: (_, { isAlive }) => !isAlive,
  },
  { name: "stops a program", line: ({ pid }) => `kill -STOP ${pid} && echo escaped`, escaped: said },
  {
    name: "reads the environment of a program",
    line: ({ pid }) => `tr '\\0' '\\n' < /proc/${pid}/environ | grep SECRET`,
    escaped: said,
  },
  {
    name: "reads the command lines of programs",
    line: ({ machine }) => `cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -q 'host[-]${machine}' && echo esc""aped`,
    escaped: said,
  },
  {
    name: "attaches to a program",
    ...{ needs: ["python3"], root: true },
    line: ({ pid }) =>
      python(
        `import ctypes; l = ctypes.CDLL(None); print("esc" + "aped" if l.ptrace(16, ${pid}, 0, 0) == 0 else "no"); l.ptrace(17, ${pid}, 0, 0)`,
      ),
    escaped: said,
  },
  {
    name: "changes the limits of a program",
    needs: ["prlimit"],
    line: ({ pid }) => `prlimit --pid ${pid} --nofile=100:100 && echo escaped`,
    escaped: said,
  },
  {
    name: "changes the priority of a program",
    line: ({ pid }) => `renice -n 19 -p ${pid} && echo escaped`,
    escaped: said,
  },
  {
    name: "leaves a process",
    line: ({ mark }) => `setsid sh -c 'sleep 30' left-${mark} >/dev/null 2>&1 & `,
    escaped: (_, { isMarked }) => isMarked,
  },
  {
    name: "leaves a daemon",
    line: ({ mark }) => `(setsid nohup sh -c 'trap "" TERM HUP; sleep 30' left-${mark} >/dev/null 2>&1 &)`,
    escaped: (_, { isMarked }) => isMarked,
  },
  {
    name: "sees queues of other programs",
    needs: ["ipcmk", "ipcs"],
    line: () => "ipcs -q | grep -q 0x && echo escaped",
    escaped: said,
  },
];

const connectTo = (path: string) => `printf x | socat -t 20 - UNIX-CONNECT:${path}`;
/** Prints `escaped` if a call whose number depends on the processor succeeds. */
const called = (x64: number, arm64: number, args: string) =>
  python(
    `import ctypes, platform; n = {"x86_64": ${x64}, "aarch64": ${arm64}}.get(platform.machine(), -1); print("esc" + "aped" if ctypes.CDLL(None).syscall(n, ${args}) > 0 else "no")`,
  );
const CALLS: readonly Escape[] = [
  {
    name: "looks up the user's keyring",
    ...{ needs: ["python3"], only: isKnownProcessor, without: withoutFilter },
    line: () => called(250, 219, "0, -4, 1"),
    escaped: said,
  },
  {
    name: "puts a key into the keyring of its session",
    ...{ needs: ["python3"], only: isKnownProcessor, without: withoutFilter },
    line: ({ mark }) => called(248, 217, `b"user", b"left-${mark}", b"x", 1, -1`),
    escaped: said,
  },
  {
    name: "opens a socket to the host of a virtual machine",
    ...{ needs: ["python3"], only: () => isKnownProcessor() && text("/proc/net/protocols").includes("AF_VSOCK") },
    line: () => python('import socket; socket.socket(40, socket.SOCK_STREAM); print("esc" + "aped")'),
    escaped: said,
    without: withoutFilter,
  },
  {
    name: "makes a ring of calls that no filter sees",
    ...{ needs: ["python3"], only: () => isKnownProcessor() && text(RINGS).trim() === "0", without: withoutFilter },
    line: () => called(425, 425, "1, ctypes.create_string_buffer(120)"),
    escaped: said,
  },
];

const SOCKETS: readonly Escape[] = [
  { name: "connects to a socket", line: ({ socket }) => connectTo(socket), escaped: said },
  { name: "connects through a link", line: ({ socket }) => `ln -s ${socket} s; ${connectTo("s")}`, escaped: said },
  { name: "connects through a hard link", line: ({ socket }) => `ln ${socket} s; ${connectTo("s")}`, escaped: said },
  {
    name: "connects through /proc/self/root",
    line: ({ socket }) => connectTo(`/proc/self/root${socket}`),
    escaped: said,
  },
  { name: "connects to a socket in the project", line: ({ projectSocket }) => connectTo(projectSocket), escaped: said },
  {
    name: "renames a socket in the project",
    line: ({ projectSocket }) => `mv ${projectSocket} s; ${connectTo("s")}`,
    escaped: said,
  },
  {
    name: "connects to a socket that was renamed",
    line: ({ renamedSocket }) => connectTo(renamedSocket),
    escaped: said,
  },
  {
    name: "connects to an abstract socket",
    line: ({ abstract }) => `printf x | socat -t 20 - ABSTRACT-CONNECT:${abstract}`,
    escaped: said,
  },
];

const NETWORK: readonly Escape[] = [
  {
    name: "connects to this machine",
    line: ({ port }) => curl(`--noproxy '*' http://127.0.0.1:${port}/`),
    escaped: said,
  },
  {
    name: "connects to this machine by name",
    line: ({ port }) => curl(`--noproxy '*' http://localhost:${port}/`),
    escaped: said,
  },
  {
    name: "connects to the address of this machine",
    line: ({ port, address }) => curl(`--noproxy '*' http://${address}:${port}/`),
    escaped: said,
  },
  {
    name: "connects to every address",
    line: ({ port }) => curl(`--noproxy '*' http://0.0.0.0:${port}/`),
    escaped: said,
  },
  {
    name: "opens a connection with the shell",
    line: ({ port }) => `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3`,
    escaped: said,
  },
  {
    name: "sends a datagram",
    needs: ["python3"],
    line: ({ udp }) =>
      python(`import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", ${udp}))`),
    escaped: (_, { datagrams }) => datagrams > 0,
  },
  { name: "asks the proxy for this machine", line: ({ port }) => proxied(`http://127.0.0.1:${port}/`), escaped: said },
  {
    name: "asks the proxy for a tunnel to this machine",
    line: ({ port }) => proxied(`http://127.0.0.1:${port}/`, "-p"),
    escaped: said,
  },
  {
    name: "asks the proxy for the address of this machine",
    line: ({ port, address }) => proxied(`http://${address}:${port}/`),
    escaped: said,
  },
  ...["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0.0.0.0"].map((host) => ({
    name: `asks the proxy for ${host}`,
    line: ({ port }: EscapePlace) => proxied(`http://${host}:${port}/`),
    allowed: ["example.com"],
    escaped: said,
  })),
  {
    name: "asks the proxy for an IPv4 address in IPv6",
    line: ({ port }) => proxied(`http://[::ffff:127.0.0.1]:${port}/`),
    escaped: said,
  },
  {
    name: "asks for a name that leads to this machine",
    allowed: ["localhost"],
    line: ({ port }) => proxied(`http://localhost:${port}/`, "-p"),
    escaped: said,
  },
  ...["LOCALHOST", "[::1]", "[::]", "[::ffff:7f00:1]"].map((host) => ({
    name: `asks the proxy for a tunnel to ${host}`,
    line: ({ port }: EscapePlace) => proxied(`http://${host}:${port}/`, "-p"),
    allowed: ["localhost"],
    escaped: said,
  })),
  {
    name: "names an allowed host beside the one it asks for",
    allowed: ["example.com"],
    line: ({ port }) =>
      `p=\${HTTP_PROXY##*:}; exec 3<>/dev/tcp/127.0.0.1/\${p:-${port}}; printf 'GET http://127.0.0.1:${port}/ HTTP/1.1\\r\\nHost: example.com\\r\\nConnection: close\\r\\n\\r\\n' >&3; timeout 5 cat <&3`,
    escaped: said,
  },
  {
    name: "hides the host in a login",
    allowed: ["example.com"],
    line: ({ port }) => proxied(`http://example.com@127.0.0.1:${port}/`),
    escaped: said,
  },
  {
    name: "follows a redirect",
    allowed: ["127.0.0.1"],
    line: ({ port }) => proxied(`http://127.0.0.1:${port}/to-localhost`, "-L"),
    escaped: said,
  },
  {
    name: "names another host to an allowed server",
    allowed: ["127.0.0.1"],
    line: ({ port }) => proxied(`http://127.0.0.1:${port}/`, "-H 'Host: evil.example'"),
    escaped: (_, { hosts }) => hosts.includes("evil.example"),
  },
  {
    name: "asks for a second host on the same connection",
    allowed: ["127.0.0.1"],
    line: ({ port }) =>
      `p=\${HTTP_PROXY##*:}; exec 3<>/dev/tcp/127.0.0.1/\${p:-${port}}; printf 'GET http://127.0.0.1:${port}/quiet HTTP/1.1\\r\\nHost: a\\r\\n\\r\\nGET http://localhost:${port}/ HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n' >&3; timeout 5 cat <&3`,
    escaped: said,
  },
  {
    name: "uses SOCKS with an address",
    line: ({ port }) =>
      `${curl(`--noproxy "" \${HTTP_PROXY:+--socks5 \${HTTP_PROXY#http://}} http://127.0.0.1:${port}/`)}`,
    escaped: said,
  },
  {
    name: "uses SOCKS with a name",
    allowed: ["localhost"],
    line: ({ port }) =>
      `${curl(`--noproxy "" \${HTTP_PROXY:+--socks5-hostname \${HTTP_PROXY#http://}} http://localhost:${port}/`)}`,
    escaped: said,
  },
  {
    name: "connects without the bridge, after killing it",
    line: ({ port }) => `pkill socat; kill -9 -1 2>/dev/null; ${curl(`--noproxy '*' http://127.0.0.1:${port}/`)}`,
    escaped: said,
    without: () => [["--unshare-net"]],
  },
];

export const ESCAPES: Readonly<Record<string, readonly Escape[]>> = {
  "writes outside": WRITES,
  "places that decide what runs": PLACES,
  "files that are not read": READS,
  processes: PROCESSES,
  "calls that no mount stops": CALLS,
  sockets: SOCKETS,
  network: NETWORK,
};
