/** What coding agents type in a small project; each succeeds there in a plain shell and must here. In this order none disturbs another. */
export const READING_LINES: readonly string[] = String.raw`
git log --oneline -10 --graph --decorate
git blame -L 1,3 src/math.js
git branch -a -vv
git log --since="2 weeks ago" --pretty=format:"%h %an %s" | head -5
git grep -n "add(" -- '*.js'
git diff --name-only HEAD~1 HEAD | grep '\.js$' || true
git rev-list --count HEAD
git cat-file -p HEAD | head -3
git archive --format=tar HEAD | tar -tf - | head -5
npm pkg get scripts.test
npm run 2>/dev/null | grep -A1 build
npx --no-install some-tool --version || echo "not installed"
node --input-type=module -e "import fs from 'node:fs'; console.log(fs.readdirSync('.').length)"
node --test tests/ 2>&1 | grep -E "^# (tests|pass|fail)"
python3 -m unittest discover -s pytests -v 2>&1 | tail -4
sed -E 's/([a-z]+),([0-9])/\2:\1/' data/table.csv
awk 'NR>1 && /o/ {print NR": "$0}' data/words.txt
awk '{ count[$1]++ } END { for (w in count) print w, count[w] }' data/words.txt | sort
grep -rl "require(" src | xargs sed -n '1p'
grep -Rin "error" logs | cut -d: -f3- | sort | uniq -c | sort -rn
find . -maxdepth 1 -type f -printf '%f %s\n' | sort -k2 -n
find src -name '*.js' -exec sh -c 'basename "$1"' _ {} \;
cat src/*.js | tr -s ' \n' '\n' | sort | uniq -c | sort -nr | head -5
printf '%s\n' one two three | paste -sd, -
echo '{"a":{"b":[1,2,3]}}' | jq '.a.b | add'
jq -s 'add' data/list.json data/list.json
xxd -l 16 package.json
cd src && ls && cd .. && pwd
cd src && node -e "console.log(require('./math.js').add(2,3))"
xargs -n1 echo < data/files.txt
seq 1 5 | shuf --random-source=/dev/zero | sort -n | tail -1
[ -d node_modules ] || echo "no node_modules"
node missing.js 2>&1 | tail -3; echo done
perl -ne 'print if /foo/' data/words.txt
echo -e "a\tb" | cat -A
ls *.ts 2>/dev/null | wc -l
tail -f logs/app.log | head -2
yes | head -3
curl -sS --max-time 2 https://example.com >/dev/null || echo offline
ls
ls -la
ls -la src tests
ls -R src | head -50
ls -1 src | wc -l
ls -d */
ls -t | head -1
ls *.md *.json
ls src/*.js
ls -lh src/*.js | awk '{print $5, $9}'
pwd
pwd && ls -la
cat package.json
cat package.json | jq '.scripts'
cat src/index.js | head -100
cat README.md src/index.js | wc -l
head -n 20 README.md
head -5 src/*.js
tail -n 3 logs/app.log
tail -100 logs/app.log | grep -i error
wc -l src/*.js
wc -l src/*.js | sort -n | tail -5
find . -name "*.js" -not -path "./node_modules/*"
find . -type f -name '*.test.js' | wc -l
find src -maxdepth 2 -type d
find . -name node_modules -prune -o -name '*.js' -print
find . -type f \( -name '*.js' -o -name '*.md' \) | head
find . -name '*.py' -exec grep -l 'import' {} +
find . -newer package.json -type f 2>/dev/null | head -20
find . -size -1M -not -path './.git/*' | xargs ls -ld | head
find src -name '*.js' -print0 | xargs -0 wc -l
grep -rn "TODO" src
grep -rn --include=*.js "function" src
grep -rn --include='*.js' "function" src | head -20
grep -E "foo|bar|hello" data/words.txt
grep -v '^#' config.ini | grep -v '^$'
grep -c "" data/words.txt
grep -n "export" src/index.js | cut -d: -f1
grep -A 2 -B 1 'function add' src/math.js
grep -rnE "(add|sub)\(" src/ | grep -v test | head
grep -rl 'add' src | sort
grep -rn "add" . --exclude-dir=node_modules --exclude-dir=.git
grep -i -w ERROR logs/app.log | wc -l
rg "TODO" -t js
rg -n 'function\s+\w+' src -g '*.js'
rg -l "add" src | wc -l
rg --files | rg test
rg -i 'error' -C 1 logs/
sed -n '1,5p' src/index.js
sed -n '2,3p;4q' README.md
sed 's/^[ \t]*//' src/math.js
sed -e 's/a/b/' -e 's/c/d/' data/words.txt
awk '{print $1}' data/words.txt
awk -F, '{sum += $2} END {print sum}' data/table.csv
awk 'NR>=2 && NR<=3' src/index.js
awk -F: '/error/ {print $2}' logs/app.log
sort data/words.txt | uniq -c | sort -rn | head -10
sort -t, -k2 -n data/table.csv
cut -d',' -f1,2 data/table.csv | sort -u
tr 'a-z' 'A-Z' < data/words.txt
diff -u data/words.txt data/words.txt
comm -12 data/words.txt data/words.txt
du -sh src
du -sh * | sort -h
df -h . | tail -1
stat package.json
stat -c '%s %n' src/*.js
file src/index.js
which node npm git
node --version
node -v && npm -v
node -e "console.log(process.version)"
node -e 'const a = require("./package.json"); console.log(a.version)'
node -p '1 + 1'
node src/index.js
node src/index.js --help | head -3
node --check src/index.js
node --test tests/math.test.js
npm test
npm run build
npm run --silent test
npm run build 2>&1 | tail -20
npm test 2>&1 | tail -50
npm run lint && npm test
npm ls --depth=0
npm pkg get version
npm run
python3 -c "import sys; print(sys.version)"
python3 tools/hello.py
python3 -m json.tool package.json
python3 -m json.tool < package.json
python3 -m unittest discover -s pytests
python3 -m py_compile tools/hello.py
python3 -c 'import json; print(json.load(open("package.json"))["name"])'
make
make -j2 test
make -n all
make -C . help
git status
git status --short
git status --porcelain | wc -l
git diff
git diff --stat
git diff HEAD~1 -- src/index.js
git diff --name-only HEAD~1
git log --oneline -10
git log --oneline --graph --all | head -20
git log -p -1 -- src/math.js
git log --format='%h %s' -n 5
git log --since="2 weeks ago" --author=dev
git show HEAD:src/index.js
git show HEAD --stat
git blame -L 1,2 src/index.js
git branch -a
git branch --show-current
git rev-parse HEAD
git rev-parse --show-toplevel
git ls-files | grep -E '\.js$' | wc -l
git ls-files '*.js' | xargs wc -l | tail -1
git remote -v
git tag -l 'v*'
git config --get user.name
git --no-pager diff --cached
git worktree list
git grep -n "add" -- '*.js'
git shortlog -sn HEAD
git describe --always
git cat-file -p HEAD
git check-ignore -v node_modules
git stash list
jq -r '.scripts | keys[]' package.json
jq '.version' package.json
jq -c '.[]' data/list.json
test -f package.json && echo yes || echo no
[ -d src ] || exit-code-is-not-reached
[ -f .nvmrc ] && cat .nvmrc
true
date
date +%Y-%m-%d
uname -a
uname -s -m
whoami
nproc
sleep 0.1
seq 1 10
seq 1 3 | xargs -n1 echo item
basename src/index.js .js
dirname src/index.js
realpath .
readlink -f src/index.js
md5sum data/words.txt
sha256sum src/*.js
od -c data/words.txt | head -5
nl -ba src/index.js | sed -n '1,4p'
column -t -s, data/table.csv
paste data/words.txt data/words.txt | head -2
env | sort
env NODE_ENV=test npm test
env CI=1 node -p 'process.env.CI'
timeout 20 npm test
timeout 30s node src/index.js
timeout 10 bash -c 'ls && cat README.md'
bash -c "cd src && ls -la"
bash scripts/build.sh
bash -n scripts/build.sh
sh ./scripts/build.sh
./scripts/build.sh
time node src/index.js
xargs -a data/files.txt ls -l
cat data/files.txt | xargs wc -l
cd src && ls
cd src && cat index.js | head -2
(cd src && ls) && (cd tests && ls)
cd src && grep -n add *.js
printf '%s\n' a b c | sort
echo "=== files ===" && ls && echo "=== git ===" && git status
echo done; ls
! grep -q NOTHINGLIKETHIS src/index.js
ls nothere 2>/dev/null || echo missing
cat nothere 2>&1 | head -1
cat /etc/os-release | head -3
perl -ne 'print if /add/' src/math.js
perl -e 'print "ok\n"'
expr 1 + 2
bc --version | head -1
tar --version | head -1
gcc --version | head -1
ps aux | head -3
id -un
printenv PATH
echo "a,b,c" | tr ',' '\n' | sort -r
echo hello | sed 's/h/j/' | tr a-z A-Z
ls -la | awk 'NR>1 {print $NF}' | sort | head -3
cat data/words.txt | sort | uniq | wc -l
find . -name '*.js' | grep -v node_modules | xargs grep -l add | sort
find . -type f -name '*.js' | xargs -I{} basename {}
git log --oneline | wc -l
git ls-files | xargs -n1 dirname | sort | uniq -c
git diff HEAD~1 --numstat | awk '{s+=$1} END {print s}'
node -e "process.stdin.pipe(process.stdout)" < data/words.txt
node -e "for (const i of [1,2,3]) console.log(i)" | tail -1
cat data/table.csv | cut -d, -f2 | sort -n | tail -1
cat data/table.csv | python3 -c "import sys; print(len(sys.stdin.readlines()))"
cmp data/words.txt data/words.txt
ls -la tests/*.test.js | wc -l
ls src/[a-m]*.js
ls src/?ndex.js
echo src/*.js
wc -c < package.json
fold -w 20 README.md | head -3
rev data/words.txt | head -1
tac data/words.txt | head -1
shuf -n 1 data/words.txt
split --version | head -1
factor 42
cat -n src/index.js
cat -A config.ini | head -2
strings src/index.js | head -2
cksum package.json
sum package.json
base64 README.md | base64 -d | head -1
hostname
tty || true
arch
groups
logname || true
getconf _NPROCESSORS_ONLN
locale | head -1
git log -1 --format=%H | cut -c1-7
git diff --no-color HEAD~1 | head -20
git for-each-ref --format='%(refname)' refs/heads
git reflog -1
git count-objects -v
git ls-tree -r HEAD --name-only | head
`
  .trim()
  .split('\n');

/** The same with lines that change the project, one after another. */
export const CHANGING_LINES: readonly string[] = [
  ...String.raw`
mkdir -p work/components work/unit
touch work/new-file.ts
cp src/math.js work/copy.js
cp -r src work/src-copy
mv work/copy.js work/moved.js
rm -rf work/src-copy
chmod +x work/moved.js
ln -s ../src work/link
echo "hello" > work/hello.txt
echo 'export const a = 1;' >> work/a.ts
printf "line1\nline2\n" > work/file.txt
tee work/output.log < data/words.txt
npm test 2>&1 | tee work/test.log
sed -i 's/line1/first/g' work/file.txt && cat work/file.txt
sed -i.bak 's/first/1st/' work/file.txt && ls work/*.bak
grep -rl 'hello' work | xargs sed -i 's/hello/goodbye/g'
find work -name '*.bak' -delete
find work -name '*.log' -exec rm {} \;
tar -czf work/out.tar.gz src
tar tzf work/out.tar.gz | head -3
mkdir -p work/x && tar -xzf work/out.tar.gz -C work/x && ls work/x/src
gzip -k work/file.txt && ls -la work/file.txt.gz
gunzip -c work/file.txt.gz
jq '.version = "1.2.3"' package.json > work/tmp.json && mv work/tmp.json work/package.json
rm -rf dist && npm run build && ls dist
node src/index.js > work/run.log 2>&1 && tail -5 work/run.log
gcc -Wall -o work/main native/main.c && ./work/main
python3 -m venv --without-pip work/venv && ls work/venv
python3 tools/hello.py > work/result.txt && cat work/result.txt
tr 'a-z' 'A-Z' < data/words.txt > work/upper.txt && head -1 work/upper.txt
sort -u data/words.txt -o work/sorted.txt && cat work/sorted.txt
diff data/words.txt work/upper.txt > work/words.diff || true
patch --dry-run -p1 < data/change.patch
git apply --check data/change.patch
git apply data/change.patch && git diff --stat
git checkout -- README.md
git add -A
git add README.md src/index.js
git commit -m "Add work"
git commit --allow-empty -m 'feat: add "quotes" and $dollars'
git checkout -b feature/x
git switch master
git switch -
echo "// note" >> src/math.js && git add -A && git commit -m "wip" && git status
git stash list && echo "x" >> README.md && git stash && git stash pop
git reset --hard HEAD
git reset HEAD~1
git add -A && git commit -m "again"
git checkout master && git merge --no-ff feature/x -m "Merge x"
git tag v0.1.0
git revert --no-edit HEAD -m 1
git cherry-pick --abort || true
git mv README.md README2.md && git mv README2.md README.md
git rm -q --cached work/file.txt && git add work/file.txt
git clean -nd
git log --oneline -5 && git show --stat HEAD
git gc --quiet
git bundle create work/repo.bundle HEAD
npm install --offline --no-audit --no-fund ./packages/leftish
npm ls leftish
npm uninstall --offline --no-audit --no-fund leftish
npm pack --dry-run
npm version patch --no-git-tag-version
npm pkg set description=changed
npm init -y --init-author-name x && git checkout -- package.json
npx --no-install --offline semver --version || true
make clean && make
make -B all
cat a.txt b.txt > work/c.txt 2>/dev/null || true
nohup node src/index.js > work/nohup.log 2>&1
split -l 1 data/words.txt work/part- && ls work/part-*
truncate -s 1K work/blob && stat -c %s work/blob
dd if=/dev/zero of=work/zeros bs=1k count=4 2>/dev/null && wc -c work/zeros
cd work && touch one.txt && ls *.txt && cd ..
cd work && rm -f *.txt && ls
rmdir work/unit
install -m 755 scripts/build.sh work/built.sh
mktemp -d
mkdir -p /tmp/scratch && echo hi > /tmp/scratch/f && cat /tmp/scratch/f
cp package.json /tmp/p.json && jq .name /tmp/p.json
echo cached > work/cache && cat work/cache
rm -rf work
`
    .trim()
    .split('\n'),
  "cat > src/a.js <<'EOF'\nexport const a = `${1}`;\nEOF",
  'cat <<\'EOF\' > config.json\n{ "a": 1 }\nEOF\ncat config.json',
  "python3 - <<'PY'\nimport os\nprint(os.getcwd())\nPY",
  "node <<'EOF'\nconsole.log(`${1 + 1}`)\nEOF",
  'git commit --allow-empty -m "Subject\n\nBody with details."',
  "git commit --allow-empty -F - <<'EOF'\nSubject\n\nBody\nEOF",
  '# run the tests\nnpm test',
  'npm run lint\nnpm run build\nnpm test',
  "python3 -c 'import json\nprint(json.dumps({}))'",
  "wc -l <<< 'a b c'",
  'cat <<EOF > .gitignore\nnode_modules\ndist\nEOF',
];

/** Honest lines that a static reading cannot accept, each with the form that its refusal leads to. */
export const REPHRASED_LINES: readonly (readonly [string, string])[] = [
  ['for f in src/*.js; do wc -l "$f"; done', 'wc -l src/*.js'],
  ['echo $HOME', 'printenv HOME'],
  ['NODE_ENV=test npm test', 'env NODE_ENV=test npm test'],
  ['export CI=1 && npm test', 'env CI=1 npm test'],
  ['if [ -f package.json ]; then npm test; fi', '[ -f package.json ] && npm test'],
  ['ls src/{index,math}.js', 'ls src/index.js src/math.js'],
  ['diff <(ls src) <(ls tests)', 'ls src'],
  ['echo "built at $(date)"', 'date'],
  ['wc -l $(git ls-files)', 'git ls-files src | xargs wc -l'],
  ['node src/index.js &', 'node src/index.js'],
  ['set -e; npm test', 'npm test'],
  ['[[ -f package.json ]] && echo yes', '[ -f package.json ] && echo yes'],
  ['ls \\\n  src', 'ls src'],
  ['type node', 'which node'],
];
