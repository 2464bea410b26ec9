/**
 * Command lines of everyday work, for a small project that a test makes. Their shapes are those of real transcripts. The
 * list is fixed: every line has to end with the same code and output inside the sandbox and outside.
 */
export const EVERYDAY_LINES: readonly string[] = String.raw`
ls
ls -la src
ls src
ls src/*.js | head -30
ls non-existent-directory
ls -1 packages
ls -d */
pwd
cat README.md
cat 'README.md'
cat missing.txt
cat notes.txt
cat src/kettle.js
cat package.json | head -5
cat .python-version || true && echo '---' && grep -n "kettle" README.md || true
cat summary.md && exit 3
head -n 2 notes.txt
head -c 10 README.md
tail -20 src/kettle.js
tail -n +2 notes.txt
tail -c 5 notes.txt
wc -l notes.txt
wc -l src/kettle.js src/cup.js
wc -l src/kettle.js && grep -n "boil" src/kettle.js | head
sed -n '1,160p' README.md
sed -n '2p' notes.txt
sed -n '1,200p' package.json
sed 's/one/1/' notes.txt
sed -i 's|kettle|Kettle|g' README.md
sed -i -e 's/Kettle/kettle/' README.md && cat README.md
sed -i 's|from "./cup.js"|from "./cup.js"|g' src/kettle.js
grep -n "boil" src/kettle.js
grep -n "boil\|pour" src/kettle.js src/cup.js
grep -rn TODO src || true
grep -r "export" src/ --include="*.js" | sort | head -20
grep -l 'from "\./' src/*.js
grep -c e notes.txt
grep -A2 "boil" src/kettle.js | head -10
grep -B1 "return" src/cup.js | grep -A1 "function" | head -40
grep -n "^export function\|^}" src/kettle.js | head -30
grep nothing-here notes.txt
grep -q two notes.txt && echo found
grep -E "^(one|two)$" notes.txt
find . -maxdepth 1 -type f | sort
find src -name "*.js" | sort
find . -type f -name "*.md" -o -name "*.json" | grep -v node_modules | sort | head -20
find src -type f -name '*.js' -exec wc -c {} + | tail -1
find . -name .git -prune -o -type d -print | sort | head -20
find src -name '*.js' | xargs grep -l boil
find src -name '*.js' -print0 | xargs -0 -n1 basename | sort
echo one
echo "=== Files ===" && find src packages -name "*.js" | sort && echo ""
echo "exit: $?"
echo $((6 * 7))
echo {a,b}.txt
echo "$HOME" | wc -l
printf 'line1\nline2\nline3\n'
printf cobalt | wc -c
printf %s '# Summary' > summary.md
printf '%s\n' a b c | sort -r
true
false
false || echo no
true && echo yes
test -f package.json && echo there
[ -d src ] && echo folder
[[ -f missing ]] || echo missing
set -e; echo before; true; echo after
set -o pipefail; false | true; echo $?
exit 3
(exit 4); echo $?
mkdir -p docs
mkdir -p packages/app/src/core && ls packages/app/src
mkdir -p a/b/c && touch a/b/c/d && find a | sort && rm -r a
cp README.md docs/readme-copy.md
cp -r src src-copy && ls src-copy && rm -rf src-copy
mv docs/readme-copy.md docs/copy.md && ls docs
mv docs/copy.md packages/app/copy.md && ls packages/app
rm packages/app/copy.md
rm -f TODO.md && echo removed
rm missing-file
rm -rf packages/app
rmdir docs && ls
touch new-file && ls new-file && rm new-file
ln -s README.md link.md && readlink link.md && cat link.md && rm link.md
ln README.md hard.md && ls hard.md && rm hard.md
chmod +x scripts/hello.sh && ./scripts/hello.sh
chmod 600 notes.txt && stat -c %a notes.txt && chmod 644 notes.txt
bash scripts/hello.sh you
sh -c 'echo from sh'
bash -c 'for i in 1 2 3; do echo $i; done'
for f in src/*.js; do echo "$f"; done
for f in src/*.js; do [ "$f" != "src/cup.js" ] && basename "$f"; done; ls src
i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo $i; done
case abc in a*) echo starts;; esac
f() { echo "in f: $1"; }; f x
x=$(cat notes.txt | wc -l); echo "lines: $x"
diff <(sort notes.txt) <(sort -r notes.txt)
diff notes.txt notes.txt && echo same
diff -u notes.txt src/cup.js | head -3 | tail -1
comm -12 <(sort notes.txt) <(printf 'one\n')
sort notes.txt | uniq -c | sort -rn | head -3
cut -d: -f1 notes.txt
tr a-z A-Z < notes.txt
awk '{ print NR ": " $0 }' notes.txt
awk 'END { print NR }' notes.txt
tee copy.txt < notes.txt && rm copy.txt
cat <<'EOF' > here.txt && cat here.txt && rm here.txt\nfirst $line\nsecond\nEOF
cat > here.txt <<EOF && wc -l here.txt && rm here.txt\n$((1+1))\nthree\nEOF
cat >> notes.txt <<'EOF'\nfour\nEOF
tail -1 notes.txt
cat <<< "a here string"
echo out; echo err >&2
ls missing 2>/dev/null || echo hidden
ls missing > /dev/null 2>&1; echo $?
exec 3>&1; echo to three >&3
f="$TMPDIR/everyday-$$.txt" && echo text > "$f" && cat "$f" && rm "$f"
t=$(mktemp) && echo kept > "$t" && cat "$t" && rm "$t"
t=$(mktemp -d) && touch "$t/a" && ls "$t" && rm -r "$t"
sleep 0.05; echo awake
sleep 0.05 & wait; echo waited
(sleep 0.02; echo later) & echo now; wait
timeout 5 echo in time
timeout 0.1 sleep 5; echo $?
kill -0 $$ && echo alive
sleep 5 & kill $! && wait $! 2>/dev/null; echo stopped
trap 'echo bye' EXIT; echo hi
seq 1 100000 | tail -1
yes | head -3
seq 1 5 | paste -sd, -
date +%Y | wc -c
env FOO=bar sh -c 'echo $FOO'
FOO=bar BAZ=1 bash -c 'echo "$FOO $BAZ"'
NODE_ENV=test node -e 'console.log(process.env.NODE_ENV)'
basename src/kettle.js .js
dirname src/kettle.js
realpath --relative-to=. src/../src/cup.js
which node > /dev/null && echo node
command -v git > /dev/null && echo git
type cd
uname -s
id -un
tar cf all.tar src && tar tf all.tar | sort && rm all.tar
tar czf all.tgz src && rm -rf out && mkdir out && tar xzf all.tgz -C out && ls out/src && rm -r out all.tgz
gzip -k notes.txt && gunzip -c notes.txt.gz | head -1 && rm notes.txt.gz
md5sum README.md
sha256sum notes.txt | cut -c1-64
base64 notes.txt
xxd -l 4 README.md || od -c README.md | head -1
git status
git status --short
git status --porcelain=v1 -b
git add -A && git commit -q -m "First" && git log --oneline | wc -l
git diff
git diff --name-only
git diff HEAD~1 --stat | tail -1
echo "x" >> notes.txt && git diff -- notes.txt | grep '^+x'
git add notes.txt && git commit -q -m "Add a line" && git status --short
git commit -q --allow-empty -m "$(cat <<'EOF'\nSubject\n\nBody\nEOF\n)" && git log -1 --format=%B
git log --oneline | wc -l
git log -1 --format=%s
git show --stat HEAD~1 | tail -2
git show HEAD:README.md | head -1
git checkout -q -b side && git branch --show-current
echo side > side.txt && git add -A && git commit -q -m "Side" && git checkout -q main && ls side.txt
git merge -q --no-ff side -m "Merge side" && git log --oneline | wc -l
git branch --merged | wc -l
echo junk > notes.txt && git checkout -- . && head -1 notes.txt
echo junk >> README.md && git stash -q && git stash list | wc -l && git stash pop -q && git checkout -q README.md
git mv side.txt moved.txt && git commit -q -m "Move" && ls moved.txt
git rm -q moved.txt && git commit -q -m "Remove" && git status --short
git tag v1 && git tag -l
git reset -q --hard HEAD~1 && git log -1 --format=%s
git rebase -q HEAD~1 && git status --short
git blame -s README.md | wc -l
git ls-files | sort
git grep -n boil
git rev-parse --show-toplevel | xargs basename
git rev-parse --abbrev-ref HEAD
git config --get user.name
git clean -nd
git worktree list | wc -l
git fsck 2>&1 | wc -l
node -e 'console.log(6 * 7)'
node src/main.js
node --check src/main.js && echo fine
node scripts/listen.mjs
node scripts/unix-socket.mjs
node --input-type=module -e 'import { boil } from "./src/kettle.js"; console.log(boil(2))'
node --test test/kettle.test.js > /dev/null && echo passed
npm run check
npm run check 2>&1 | tail -5
npm run check 2>&1 | grep -E "(error|warning|checked)" | head -20
npm test --silent
npm run missing > /dev/null 2>&1; echo $?
npm ci --offline --no-audit --no-fund > /dev/null 2>&1 && ls node_modules
npx --no-install tiny
npx --no-install tsx scripts/typed.ts
make
make -j4 all 2>&1 | sort
make test
make missing 2>/dev/null; echo $?
python3 -c 'print(6 * 7)'
python3 scripts/hello.py
python3 -m http.server --help | head -1
python3 scripts/listen.py
python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs, [-1, -2]))'
pytest -q test_kettle.py 2>&1 | grep -c passed
`
  .trim()
  .split("\n")
  .map((line) => line.replaceAll("\\n", line.includes("<<") && line.includes("EOF") ? "\n" : "\\n"));
