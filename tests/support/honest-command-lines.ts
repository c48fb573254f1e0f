/** What coding agents type. Each must be accepted as it stands. */
export const HONEST_COMMAND_LINES: readonly string[] = String.raw`
ls
ls -la
ls -la src tests
ls -R src | head -50
pwd
pwd && ls -la
cat package.json
cat package.json | jq '.scripts'
cat src/index.ts | head -100
head -n 20 README.md
head -20 README.md
tail -n 50 build.log
tail -100 logs/app.log | grep -i error
wc -l src/*.ts
wc -l src/**/*.ts | sort -n | tail -5
find . -name "*.ts" -not -path "./node_modules/*"
find . -type f -name '*.test.ts' | wc -l
find src -type d -maxdepth 2
find . -name node_modules -prune -o -name '*.js' -print
find . -type f \( -name '*.js' -o -name '*.ts' \) | head
find . -name '*.py' -exec grep -l 'import os' {} +
find . -name '*.bak' -exec rm {} \;
find . -newer package.json -type f 2>/dev/null | head -20
find . -size +1M -not -path './.git/*' | xargs ls -lh
grep -rn "TODO" src
grep -rn --include=*.ts "useState" src
grep -rn --include='*.ts' "useState" src | head -20
grep -E "foo|bar" file.txt
grep -v '^#' config.ini | grep -v '^$'
grep -c "" file.txt
grep -rl 'oldName' src | xargs sed -i 's/oldName/newName/g'
grep -n "export function" src/index.ts | cut -d: -f1
grep -A 5 -B 2 'class Foo' src/foo.ts
grep "import.*from 'react'" -r src --include="*.tsx"
rg "TODO" --type ts
rg -n 'function\s+\w+' src -g '*.ts'
rg -l "useEffect" src | wc -l
rg --files | rg test
rg -i 'error' -C 3 logs/
sed -n '1,50p' src/index.ts
sed -n '10,20p;30q' file
sed -i 's/foo/bar/g' src/a.ts
sed -e 's/a/b/' -e 's/c/d/' file > out
sed 's/^[ \t]*//' file
awk '{print $1}' file.txt
awk -F, '{sum += $3} END {print sum}' data.csv
awk 'NR>=10 && NR<=20' src/index.ts
sort file.txt | uniq -c | sort -rn | head -10
cut -d',' -f1,3 data.csv | sort -u
tr 'a-z' 'A-Z' < in.txt > out.txt
diff -u a.txt b.txt
diff <file1 - < file2
comm -12 a.txt b.txt
tree -L 2 -I node_modules
du -sh node_modules
du -sh * | sort -h
df -h
stat package.json
file dist/index.js
which node npm python3
node --version
node -v && npm -v
node -e "console.log(process.version)"
node -e 'const a = require("./package.json"); console.log(a.version)'
node --test
node dist/index.js --help
npm test
npm run build
npm run test -- --watch=false
npm run lint -- --fix
npm ci
npm install --save-dev typescript
npm ls --depth=0
npm run build 2>&1 | tail -20
npm test 2>&1 | tail -50
npm test -- --grep "parser" 2>&1 | head -100
npm run typecheck && npm run lint && npm test
npx tsc --noEmit
npx tsc -p . 2>&1 | head -30
npx eslint src --ext .ts,.tsx
npx prettier --check "src/**/*.ts"
npx jest src/foo.test.ts -t "does the thing"
npx vitest run --reporter=verbose
npx mocha tests/**/*.test.ts
pnpm install --frozen-lockfile
pnpm -r build
yarn workspace web build
bun test
python3 -c "import sys; print(sys.version)"
python3 -m pytest -x -q
python -m pytest tests/test_foo.py::test_bar -v
python3 -m venv .venv
python3 script.py --input data.json > result.json
pytest -k "not slow" --maxfail=1
pip install -r requirements.txt
pip list | grep -i django
python3 -m json.tool < data.json
ruff check . --fix
mypy src --strict
black --check .
cargo build --release
cargo test -- --nocapture
cargo clippy --all-targets -- -D warnings
cargo fmt --check
go build ./...
go test ./... -run TestFoo -v
go vet ./...
go mod tidy
gofmt -l .
make
make -j4 test
make clean && make
cmake -S . -B build && cmake --build build
mvn -q test
./gradlew test --tests 'com.example.FooTest'
dotnet test --no-build
git status
git status --short
git diff
git diff HEAD~1 -- src/index.ts
git diff --stat main...HEAD
git log --oneline -10
git log --oneline --graph --all | head -20
git log -p -1 -- src/foo.ts
git log --format='%h %s' -n 5
git log --since="2 weeks ago" --author=jane
git show HEAD:src/index.ts
git show HEAD --stat
git blame -L 10,20 src/index.ts
git branch -a
git branch --show-current
git checkout -b feature/x
git switch main
git add -A
git add src/index.ts tests/index.test.ts
git commit -m "Fix the parser"
git commit -m 'feat: add "quotes" and $dollars'
git add -A && git commit -m "wip" && git status
git stash && git pull --rebase && git stash pop
git stash show -p stash@{0}
git rev-parse HEAD
git rev-parse --show-toplevel
git ls-files | grep -E '\.ts$' | wc -l
git ls-files '*.ts' | xargs wc -l | tail -1
git remote -v
git reset --hard HEAD
git reset HEAD~1
git merge --no-ff feature/x
git cherry-pick abc123
git tag -l 'v*'
git config --get user.name
git --no-pager diff --cached
git diff --name-only HEAD | grep -v lock
git worktree list
git apply --check fix.patch
git grep -n "foo" -- '*.ts'
mkdir -p src/components tests/unit
mkdir -p build && cd build && cmake ..
touch src/new-file.ts
cp src/a.ts src/b.ts
cp -r template/* out/
mv old.ts new.ts
rm -rf dist
rm -f *.log
rm -rf dist && npm run build && ls dist
chmod +x scripts/run.sh
ln -s ../shared shared
cd src && ls
cd packages/core && npm test
cd packages/core && npm run build && cd ../web && npm run build
(cd frontend && npm run build) && (cd backend && npm test)
echo "hello" > hello.txt
echo 'export const a = 1;' >> src/a.ts
printf '%s\n' a b c | sort
printf "line1\nline2\n" > file.txt
tee output.log < input.txt
npm test 2>&1 | tee test.log
tar -czf out.tar.gz dist
tar -xzf archive.tar.gz -C /tmp/x
tar tf archive.tar
unzip -l file.zip
zip -r out.zip dist
gzip -k file.txt
curl -s https://example.com/api | jq .
curl -sS -o out.json -w '%{http_code}' http://localhost:3000/health
jq -r '.dependencies | keys[]' package.json
jq '.version = "1.2.3"' package.json > tmp.json && mv tmp.json package.json
ps aux | grep node | head
env | sort
env NODE_ENV=test npm test
env CI=1 npx playwright test
timeout 60 npm test
timeout 30s node server.js
timeout 10 bash -c 'npm run build && npm test'
bash -lc 'npm test'
bash scripts/build.sh
bash -n scripts/build.sh
sh ./install.sh
bash -c "cd src && ls -la"
time npm run build
xargs -a files.txt ls -l
cat files.txt | xargs -I{} cp {} backup/
ls *.ts | xargs -n 1 basename
test -f package.json && echo yes || echo no
[ -d node_modules ] || npm ci
[ -f .nvmrc ] && cat .nvmrc
true
date
date +%Y-%m-%d
uname -a
whoami
hostname
nproc
sleep 2
seq 1 10
basename src/index.ts .ts
dirname src/index.ts
realpath .
readlink -f node_modules/.bin/tsc
md5sum file.txt
sha256sum dist/*.js
xxd file.bin | head
od -c file.txt | head -5
nl -ba src/index.ts | sed -n '20,40p'
column -t -s, data.csv
paste a.txt b.txt
docker compose up -d
docker ps --format '{{.Names}}'
docker build -t app .
kubectl get pods -n default
terraform plan
psql -c 'select 1'
sqlite3 db.sqlite '.tables'
redis-cli ping
openssl rand -hex 16
ruby -v
ruby -e 'puts 1'
perl -pe 's/a/b/' file
perl -ne 'print if /foo/' file
php -v
java -version 2>&1 | head -1
gcc -Wall -o main main.c && ./main
g++ -std=c++17 -O2 main.cpp -o main
clang-format -i src/*.c
nohup node server.js > server.log 2>&1
lsof -i :3000
kill 12345
ls node_modules | grep -E '^(react|vue)$'
ls -d */
ls -t | head -1
ls src/{}.ts
! grep -q TODO src/index.ts
npm outdated || true
npm audit --json > audit.json || true
cat a.txt b.txt > c.txt 2>/dev/null
cat /etc/os-release | head -3
cat nonexistent 2>&1 | head -1
node build.js >build.log 2>&1 && tail -5 build.log
echo done; ls
echo "=== files ===" && ls && echo "=== git ===" && git status
grep -rn "foo" . --exclude-dir=node_modules --exclude-dir=.git
grep -rnE "(foo|bar)\(" src/ | grep -v test | head
`
  .trim()
  .split('\n')
  .concat([
    "cat > src/a.ts <<'EOF'\nexport const a = `${1}`;\nEOF",
    'cat <<\'EOF\' > config.json\n{ "a": 1 }\nEOF\ncat config.json',
    "python3 - <<'PY'\nimport os\nprint(os.getcwd())\nPY",
    "node <<'EOF'\nconsole.log(`${1 + 1}`)\nEOF",
    'git commit -m "Subject\n\nBody with details."',
    "git commit -F - <<'EOF'\nSubject\n\nBody\nEOF",
    "git apply <<'PATCH'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nPATCH",
    '# run the tests\nnpm test',
    'npm ci\nnpm run build\nnpm test',
    "python3 -c 'import json\nprint(json.dumps({}))'",
    "wc -l <<< 'a b c'",
    'cat <<EOF > .gitignore\nnode_modules\ndist\nEOF',
  ]);
