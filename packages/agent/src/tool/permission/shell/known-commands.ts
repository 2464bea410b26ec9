/** Commands that a shell treats specially, and programs that run their arguments or input. */

/** Words that are not commands, but start or end a compound command. */
export const KEYWORDS = setOf(
  "! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while",
);

/** They only print, or return a status. */
export const FREE = setOf("echo false pwd true :");

/** All built-ins of bash and dash. Unless known to be harmless, they may change what later commands do. */
export const BUILT_INS = setOf(
  ". : [ alias bg bind break builtin caller cd chdir command compgen complete compopt continue declare dirs disown echo " +
    "enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf " +
    "pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit " +
    "umask unalias unset wait",
);

/** Built-ins that change nothing in the shell, with the arguments a rule may allow. */
export const HARMLESS_BUILT_INS = setOf("command kill printf set type wait");

export const SHELLS = setOf(
  "sh bash dash zsh ksh ash rbash rksh mksh pdksh yash fish csh tcsh pwsh nu xonsh elvish osh",
);

/** They run their input, so a here-document for one of them is a program. */
export const INTERPRETERS = new Set([
  ...SHELLS,
  ...setOf(
    "python python2 python3 pypy pypy3 node nodejs deno bun tsx ts-node perl ruby irb php lua luajit tclsh wish expect awk gawk mawk nawk " +
      "sed ed ex vi vim nvim emacs m4 bc dc gdb lldb psql mysql mariadb sqlite3 mongosh redis-cli osascript Rscript R julia " +
      "octave ghci runghc scala groovy jshell kotlin elixir iex erl swift make gmake ssh at batch crontab sftp ftp " +
      "busybox toybox xargs parallel sudo su doas env docker podman kubectl npx uv poetry pnpm npm yarn",
  ),
]);

/** They only run another command: an allow rule has to name that one. */
export const WRAPPERS = setOf("env nice timeout nohup setsid time stdbuf builtin exec eval xargs");

/** They run one of their arguments as a command or script. Deny and ask rules apply to what they run. */
export const RUN_WORDS = new Set([
  ...WRAPPERS,
  ...setOf(
    "command find fd fdfind sudo doas su pkexec sg watch parallel script strace ltrace gdb valgrind perf hyperfine unshare nsenter " +
      "chroot setpriv flock entr busybox toybox runuser systemd-run screen tmux expect rlwrap docker podman nerdctl kubectl npx bunx pnpx " +
      "npm pnpm yarn bun ssh at batch crontab direnv poetry pipenv conda mamba uv uvx pipx rye hatch pdm nox tox bundle rbenv pyenv nvm fnm mise asdf " +
      "nix nix-shell concurrently nodemon cross-env dotenv dotenvx doppler op aws-vault xvfb-run fakeroot faketime proxychains " +
      "proxychains4 torsocks ionice taskset numactl prlimit chrt unbuffer setarch linux32 linux64 start-stop-daemon " +
      "dbus-run-session ssh-agent caffeinate arch gtimeout chronic ts sem lsof trap source .",
  ),
]);

function setOf(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
