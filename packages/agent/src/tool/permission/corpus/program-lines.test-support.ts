/** Options by program: what a prefix rule for the program covers, and what it never covers. */
import type { CorpusTable } from "./corpus-table.test-support.js";

/** A table for one program: each line holds its arguments, or `.` for none. */
function program(name: string, lines: { readonly allow?: string; readonly ask?: string; readonly free?: string }) {
  const spelled = (text = ""): readonly string[] =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map((line) => (line === "." ? name : `${name} ${line}`));
  return {
    about: name,
    rules: { allow: [`bash(${name}:*)`] },
    allow: spelled(lines.allow),
    ask: spelled(lines.ask),
    free: spelled(lines.free),
  } satisfies CorpusTable;
}

/** Programs that print the files they read. */
export const READERS: readonly CorpusTable[] = [
  program("ls", {
    allow: `.
      -la
      -lah src
      -1 -R src
      --color=never
      -t -r
      -d src/*
      -l -- -a`,
  }),
  program("cat", { allow: "a\n-n a\n-A a\n-- -a\na b c" }),
  program("head", { allow: "a\n-5 a\n-n 5 a\n-n5 a\n-c 100 a\n--lines=3 a" }),
  program("tail", { allow: "a\n-5 a\n-n +5 a\n-c 100 a\n--lines=3 a" }),
  program("wc", { allow: "-l a\n-lwc a b\n--lines a", free: "--files0-from=a" }),
  program("grep", {
    allow: `-rn foo src
      -i -n foo a
      -E 'a|b' a
      -A3 -B3 foo a
      -A 3 foo a
      --include='*.ts' -r foo src
      -c foo a
      -l foo -r .
      -oE 'a+' a
      -v foo a
      -e foo -e bar a
      -- -x a
      -w foo a
      --exclude-dir=node_modules -r foo .
      -rnw src -e foo
      -F 'a.b' a
      -q foo a
      -P 'a(?=b)' a
      -m 1 foo a
      --color=never foo a
      -H foo a`,
  }),
  program("rg", {
    allow: `foo
      -n foo src
      -i foo
      -l foo src
      -A3 foo
      -C 2 foo
      -t ts foo
      -g '*.ts' foo
      --glob '!node_modules' foo
      -S foo
      --hidden foo
      -uu foo
      --files
      --files src
      -c foo
      -o 'a+' src
      -w foo
      -F 'a.b'
      -e foo -e bar
      --no-ignore foo
      -- -x src
      --json foo
      --type-list
      -N foo`,
    ask: `--pre make foo
      --pre=make foo
      --pre 'make' foo
      --pre=make --pre-glob '*' foo
      foo --pre make
      foo src --pre=make
      "--pre=make" foo
      '--pre'=make foo
      --p\\re=make foo
      --hostname-bin make foo
      --hostname-bin=make foo
      foo --hyperlink-format=default --hostname-bin=make
      -e -- --pre=make .
      -f -- --pre=make .
      -A 3 --pre make foo
      -tts --pre make foo
      --regexp -- --pre=make
      -g -- --pre=make foo
      --generate=man --pre=make foo`,
  }),
  program("sort", {
    allow: "a\n-n a\n-rn a\n-k 2 a\n-k2,2n a\n-t: -k1 a\n-u a\n-nr -k 2 -t , a\n--reverse a\n-V a\n-h a\n-c a",
    ask: `-o evil a
      -oevil a
      -ro evil a
      -nroevil a
      a -o evil
      a -oevil
      -- a -o evil -x; sort -o evil a
      --output evil a
      --output=evil a
      --outpu=evil a
      --out evil a
      --o=evil a
      -t o -o evil a
      -k 1 -o evil a
      -k1 -roevil a
      -t -- -o evil a
      -k -- --output=evil a
      -S 1 -o evil a
      --compress-program=make a
      --compress-program make a
      --compress=make a
      --comp make a
      --files0-from=- -o evil
      '-o' evil a
      "-oevil" a
      -\\o evil a
      -'o' evil a
      +1 -o evil a
      a +1 -oevil`,
  }),
  program("uniq", {
    allow: "a\n-c a\n-d a\n-c",
    ask: "a b\n-c a evil\na evil\n- evil\n-f 1 a evil\n-- a evil\n-s1 a evil",
  }),
  program("diff", {
    allow: "a b\n-u a b\n-r src test\n-q a b\n-w a b\n--brief a b\n-U 5 a b",
    free: "-y a b\n--color=always a b",
  }),
  program("find", {
    allow: `.
      . -name '*.ts'
      src -type f
      . -maxdepth 2 -type d
      . -name a -o -name b
      . -path ./node_modules -prune -o -print
      . -mtime -1
      . -size +1M
      . -iname '*a*'
      . -newer a
      . -not -name a
      . ! -name a
      . -empty
      . -print0
      . -printf '%p\\n'
      . -ls`,
    ask: `. -delete
      . -name a -delete
      -delete
      . -exec make {} ;
      . -exec make {} \\;
      . -exec make {} +
      . -execdir make {} \\;
      . -ok make {} \\;
      . -okdir make {} \\;
      . -fprint evil
      . -fprint0 evil
      . -fprintf evil %p
      . -fls evil
      . -name -exec -delete
      . -name -fprint -fprint evil
      -- . -delete
      . '-delete'
      . -del\\ete
      . "-fprint" evil
      . ! -delete
      . \\( -delete \\)
      . -printf a -fprintf evil a
      -D help . -delete
      -O3 . -delete
      -L . -delete
      -files0-from a
      . -regextype -exec -delete`,
    free: ". -exec cat {} +",
  }),
  program("sed", {
    allow:
      "-n 1,20p a\n-n '5p' a\n's/a/b/' a\n's/a/b/g' a\n-E 's/(a)/\\1/' a\n-e 's/a/b/' a\n'1d' a\n-n '/a/,/b/p' a\n's|a|b|' a\n-n '$p' a\n'/^$/d' a",
    ask: `-i s/a/b/ a
      -ibak s/a/b/ a
      -i.bak s/a/b/ a
      -ni s/a/b/ a
      -Ei s/a/b/ a
      --in-place s/a/b/ a
      --in-place=.b s/a/b/ a
      --in s/a/b/ a
      s/a/b/ a -i
      s/a/b/ -i a
      -s -i s/a/b/ a
      -n '1e make' a
      'e make' a
      1emake a
      '1!emake' a
      '/a/e make' a
      's/a/make/e' a
      's/.*/make/e' a
      's/a/b/ge' a
      's/a/b/eg' a
      's/a/b/1e' a
      's/a/b/Ie' a
      's,a,make,e' a
      'saamakeae' a
      's|a|b|w evil' a
      's/a/b/w evil' a
      's/a/b/gw evil' a
      's/a/b/pw evil' a
      'w evil' a
      'wevil' a
      '1w evil' a
      '1,2w evil' a
      '$w evil' a
      '/a/w evil' a
      'W evil' a
      'p;w evil' a
      -e p -e 'w evil' a
      -e p -e 'e make' a
      -n -e '1p' -e'1e make' a
      --expression='e make' a
      --expression 'w evil' a
      --expr='e make' a
      -f a b
      -fa b
      --file=a b
      --fil a b
      -nf a b
      -nfa b
      p a -f b
      'y/a/b/;e make' a
      's/[/]/x/e' a
      's/a\\/b/c/e' a
      ':a;e make' a
      'b;e make' a
      -- 'e make' a
      -E -- 'w evil' a
      -z 'e make' a
      -l 5 'e make' a
      -l5 'e make' a
      --line-length=5 'e make' a`,
  }),
  program("awk", {
    ask: `'BEGIN{system("make")}'
      'BEGIN { system ("make") }'
      'BEGIN{print "x" > "evil"}'
      'BEGIN{print "x" >> "evil"}'
      'BEGIN{print "x" | "make"}'
      'BEGIN{"make" | getline}'
      'BEGIN{"make" | getline x}'
      'BEGIN{printf "x" > "evil"}'
      'BEGIN{print "x" |& "make"}'
      -f a
      -fa
      --file=a
      -v x=1 -f a
      -F: -f a
      -F : 'BEGIN{system("make")}'
      -v x=1 'BEGIN{system("make")}'
      -e 'BEGIN{system("make")}'
      --source='BEGIN{system("make")}'
      -i inplace '{print}' a
      -l a '{print}'
      --load=a '{print}'
      -E a
      --exec=a
      -o evil '{print}' a
      -p evil '{print}' a
      -d evil '{print}' a
      -W exec=a
      '{print}' a -f b
      -- 'BEGIN{system("make")}'
      'BEGIN{close("make")}{print | "make"}'
      'BEGIN{f="system";@f("make")}'`,
    free: "'{print $1}' a\n-F, '{print $2}' a\n'NR==1' a\n'/a/{n++} END{print n}' a\n'length > 5' a\n'$1 > 5' a",
  }),
  program("tree", {
    allow: "-L 2\n-L 2 src\n-a -I node_modules\n.",
    ask: "-o evil\n-oevil\n-L 2 -o evil\n-P -- -o evil\n-ao evil\n-R -H . -o evil\n--fromfile -o evil",
  }),
  program("date", {
    allow: ".\n+%Y\n-u\n-u +%s",
    ask: "-s 2020-01-01\n--set=2020-01-01\n--set 2020-01-01\n--se=2020\n-us 2020",
    free: "-f a\n-r a",
  }),
  program("file", { allow: "a\n-b a\n-i a", ask: "-C -m a\n--compile -m a\n-bC -m a" }),
  program("stat", { allow: "a\n-c %s a" }),
  program("du", { allow: "-sh .\n-h -d 1 .\n-a src" }),
  program("jq", {
    allow: ". a\n-r .a a\n-c '.[]' a\n'.a | length' a\n-s . a",
    free: "-f a b\n--from-file a b\n-L . 'import \"a\" as a; .' b",
  }),
  program("less", {
    ask: "-o evil a\n-oevil a\n-O evil a\n+!make a\n'+!make' a\n-k a b\n--log-file=evil a\n--LOG-FILE=evil a\n--lesskey-src=a b\n++!make a\n-Nk a b",
  }),
  program("man", {
    ask: "-P make ls\n-Pmake ls\n--pager=make ls\n--pag make ls\n-H make ls\n-Hmake ls\n-C a ls\n--html=make ls\n-l -P make a",
  }),
  program("tar", {
    allow: "tf a.tar\n-tf a.tar\n-tvf a.tar\ntzf a.tgz",
    ask: `tf a.tar --to-command=make
      xf a.tar --to-command make
      xf a.tar --to-comm=make
      -tf a.tar -I make
      -tf a.tar -Imake
      -tf a.tar --use-compress-program=make
      -tf a.tar --use-compress=make
      tIf make a.tar
      tf host:a.tar
      -tf host:a.tar
      --list --file=host:a.tar
      t* x
      src/* x
      tf a.tar --checkpoint=1 --checkpoint-action=exec=make
      tf a.tar --checkpoint-action exec=make
      tf a.tar -F make
      tf a.tar --info-script=make
      tf a.tar --new-volume-script=make
      tf h:a.tar --rsh-command=make
      tf a.tar --rmt-command=make
      -tf a.tar --index-file=evil
      -tvf a.tar --index evil
      -tf a.tar -g evil`,
  }),
  program("git log", {
    allow: `.
      --oneline
      --oneline -5
      -5 --oneline
      -n 5
      -p src
      --stat
      --graph --all --oneline
      --format=%h
      --pretty=format:'%h %s'
      --pretty=oneline
      main..HEAD
      --author=a
      --since=yesterday
      --since='2 weeks ago'
      --grep=fix
      -S foo
      -Sfoo
      -G foo
      --follow -- a
      -- src
      -1
      --name-only
      --name-status
      --merges
      --no-merges
      --first-parent
      --decorate
      -i --grep=a
      --reverse
      -L 1,5:a
      -L1,5:a
      --abbrev-commit`,
    ask: `--output=evil
      --output evil
      --outpu=evil
      --outp evil
      --ext-diff
      --ext-diff -p
      --ext
      -p --ext-d
      --textconv
      --textc -p
      -L -- --output=evil
      -L 1,5:a --output=evil
      -L1,1:a --output=evil
      -n 5 --output=evil
      -n -- --output=evil
      -S -- --output=evil
      -G -- --output=evil
      --grep -- --output=evil
      --author -- --output=evil
      --format -- --output=evil
      --since -- --output=evil
      -S x --output=evil
      --format %h --output evil
      -5 --output=evil
      a --output=evil
      main..HEAD --output=evil
      '--output=evil'
      "--output=evil"
      --out'put=evil'
      --outp\\ut=evil
      -p --output=evil -- src
      --no-index --output=evil
      -c --output=evil
      --show-signature
      --ignore-revs-file=a --output=evil`,
    free: "--exec-path",
  }),
  program("git diff", {
    allow:
      ".\n--stat\nHEAD~1\n--cached\n--staged -- src\n-U5\n-w\n--name-only\nmain...HEAD\n--no-color\n--word-diff\n--check",
    ask: `--output=evil
      --output evil
      --ext-diff
      --textconv
      HEAD --output=evil
      --no-index a b --output=evil
      -U -- --output=evil
      --outp=evil
      -G -- --output=evil
      -S -- --output=evil
      --src-prefix -- --output=evil
      --src-prefix=a --output=evil`,
    free: "--no-index a b",
  }),
  program("git show", {
    allow: ".\nHEAD\nHEAD:src/a.ts\n--stat HEAD\nHEAD~2 -- src\n--name-only HEAD\n-s HEAD\n--format=%B HEAD",
    ask: "--output=evil HEAD\nHEAD --output evil\n--ext-diff HEAD\n--textconv HEAD:a\n--textconv\n--outp=evil\n--show-signature",
  }),
  program("git status", {
    allow: ".\n-s\n--short\n--porcelain\n-sb\n-uno\n--branch\n-- src",
    free: "-v\n--ignored",
  }),
  program("git grep", {
    ask: `-O foo
      -Omake foo
      --open-files-in-pager=make foo
      --open-files=make foo
      --open foo
      -nOmake foo
      -e -- -Omake
      -f -- --open-files-in-pager=make
      --textconv foo
      --no-index --open-files-in-pager=make foo
      foo -Omake`,
    allow: "foo\n-n foo\n-i foo src\n-l foo\n-e foo --and -e bar\nfoo -- src\n-w foo HEAD",
  }),
  program("git branch", {
    allow: ".\n-a\n-v\n-vv\n--list\n-r\n--show-current\n--contains HEAD\n--merged",
    free: "-D main\n-d main\n-m a b\n-M a b\nnew\n-f main HEAD~5\n--edit-description\n--delete main\n--del main\n-u origin/a\n--set-upstream-to=a\n-c a b\n-C a b\n--unset-upstream\n-t a b",
  }),
  program("git blame", {
    allow: "a\n-L 1,5 a\n-w a\nHEAD~1 -- a",
    free: "--contents evil a\n--ignore-revs-file evil a",
  }),
  program("git ls-files", { allow: ".\n-m\n-o --exclude-standard\nsrc\n-s", ask: "", free: "--exclude-from=a" }),
  program("git rev-parse", { allow: "HEAD\n--short HEAD\n--show-toplevel\n--abbrev-ref HEAD", free: "--git-dir" }),
  program("git remote", {
    free: "add x ext::make\nset-url origin ext::make\nremove origin\nupdate\nset-head origin -a\nprune origin\nrename a b\nrm origin",
    allow: ".\n-v",
  }),
  program("git stash", { free: "list\nshow" }),
  program("printf", {
    allow: "a\n'%s\\n' a\n'%s %s\\n' a b\n'a\\tb\\n'\n'%%\\n'\n'%5s|%-5s\\n' a b\n-- '%s' a",
    ask: "-v x a\n-vx a\n-v PATH .\n%n PATH\n'%n' x\n'a%n' x\n'%5n' x\n'%-5n' x\n'%ln' x\n'%hhn' x\n'%.3n' x\n'%*n' 5 x\n'%s%n' a x\n'%%%n' x\n'%n' 'a[$(make)]'\n-v'x' a",
    free: "'%d' 'a[$(make)]'\n'%i' 'a[$(make)]'\n'%x' 'a[$(make)]'\n'%c%d' x 'a[$(make)]'\n'%(%F)T' 'a[$(make)]'\n'%*d' 'a[$(make)]' 1\n'%.*d' 'a[$(make)]' 1",
  }),
  program("shuf", {
    ask: "-o evil a\n-oevil a\n--output=evil a\n--outp evil a\n-n 1 -o evil a\n--random-source=a -oevil b",
  }),
  program("split", { ask: "--filter=make a\n--filt make a\n--fil=make a" }),
  program("iconv", { ask: "-o evil a\n--output=evil a\n-f utf8 -oevil a\n--outp evil a" }),
  program("fd", {
    ask: "-x make\n-X make\n--exec make\n--exec-batch make\na -x make\n-HIx make\n-tfx make\n--exec=make",
    free: "a\n-t f a",
  }),
  program("bat", { ask: "--pager=make a\n--pager make a\n--pager 'make' a\na --pager=make", free: "a" }),
  program("curl", {
    ask: "-o evil a\n-O a\n--output evil a\n--output=evil a\n-K a\n--config a\n-sSLo evil a\n-LO a\n-T a b\n--upload-file a b\n--remote-name a\n-D evil a\n-c evil a\n--trace evil a\n--dump-header evil a\n-w @a b\n--stderr evil a\n--libcurl evil a\n--etag-save evil a\n-JO a\n--hsts evil a\n--outpu evil a",
  }),
  program("rsync", {
    ask: "-e make a h:b\n--rsh=make a h:b\n-avze make a h:b\n--rsync-path=make a h:b\n-M--rsync-path=make a h:b\n--log-file=evil a b\n--write-batch=evil a b\n--rsh make a h:b\n--rs=make a h:b",
  }),
];

/** Readers with git's own options before the subcommand. */
export const GIT_OPTIONS: CorpusTable = {
  about: "git's own options",
  rules: { allow: ["bash(git log:*)", "bash(git status:*)", "bash(git diff:*)", "bash(git fetch:*)"] },
  ask: [
    "git -c core.pager=make log",
    "git -ccore.pager=make log",
    "git -c core.fsmonitor=make status",
    "git -c diff.external=make diff",
    "git -c core.sshCommand=make fetch",
    "git -c alias.log='!make' log",
    "git -c alias.x='!make' x",
    "git -c include.path=a log",
    "git --config-env=core.pager=X log",
    "git --config-env core.pager=X log",
    "git --exec-path=. log",
    "git --exec-path=. status",
    "git --git-dir=a log",
    "git --git-dir a status",
    "git --work-tree=a status",
    "git --work-tree a status",
    "git --namespace=a log",
    "git --super-prefix=a status",
    "git -C nested status",
    "git -C nested log",
    "git -Cnested status",
    "git -C nested/../other status",
    "git -C /tmp status",
    "git -C .. status",
    "git -C ~ status",
    "git -C '' -C nested status",
    "git -p log",
    "git --paginate log",
    "git -P -c core.pager=make log",
    "git --no-pager -c core.fsmonitor=make status",
    "git --bare log",
    "git --literal-pathspecs -c a.b=c log",
    "git --attr-source=a log",
    "git --list-cmds=a -c a.b=c log",
  ],
};

/** With a rule for a whole program, exactly as the user wrote it. */
export const OTHER_FOLDERS: CorpusTable = {
  about: "folders that bring their own settings",
  rules: { allow: ["bash(git status:*)", "bash(npm test:*)", "bash(ls:*)"] },
  ask: [
    "git -C bare status",
    "cd bare && git status",
    "cd bare; git status",
    "cd src && cd ../bare && git status",
    "cd /tmp && npm test",
    "cd .. && npm test",
    "cd ~ && npm test",
    "cd && npm test",
    "cd - && npm test",
    "cd ~- && npm test",
    "cd -P bare && git status",
    "cd -- bare && git status",
    "cd 'bare' && git status",
  ],
};

/** Multi-line scripts. */
export const SCRIPTS: CorpusTable = {
  about: "scripts in an argument",
  rules: { allow: ["bash(sed:*)", "bash(awk:*)"] },
  ask: [
    "sed '{p;w evil\n}' a",
    "sed '1i\\\nx\ne make' a",
    "sed 's/a/\\\ne make/;e make' a",
    "sed 'r a\ne make' a",
    "sed '#n\ne make' a",
    "sed 'a x\ne make' a",
    "sed 's/a/b/\ne make' a",
    "sed 's/a/b/w evil\np' a",
    "sed -n '\n\ne make' a",
    "sed -e 'i\\' -e x -e 'e make' a",
    "sed 's\na\nb\ne' a",
    "sed 'y/abc/\\n\\/\\\\/;e make' a",
    "sed '}e make' a",
    "sed '0~2e make' a",
    "sed '1,+2e make' a",
    "sed '\\,a,e make' a",
    "sed '/a/Ie make' a",
    "sed '/[/]/e make' a",
    "sed '/a\\/b/w evil' a",
    "sed 's/a/b/m;1e make' a",
    "sed 'R a\nw evil' a",
    "sed 'F;e' a",
    "sed e a",
    "sed 'z;e make' a",
    "sed --posix 'w evil' a",
    "sed --sandbox --debug -i s/a/b/ a",
    "awk '@load \"a\"\nBEGIN{}'",
    "awk '# x\nBEGIN{system(\"make\")}'",
    "awk 'BEGIN{system( \\\n\"make\")}'",
    "awk '{print > $1}' a",
    "awk '{print $1 | \"sort\"}' a",
    "awk 'BEGIN{while ((\"make\" | getline l) > 0) print l}'",
    "awk 'BEGIN{print > ENVIRON[\"x\"]}'",
    'awk \'/a/{print > "/dev/stderr"; system("make")}\' a',
  ],
};
