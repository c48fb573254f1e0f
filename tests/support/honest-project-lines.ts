/** What coding agents type to search, build, test and commit. Each must be accepted as it stands. */
export const HONEST_PROJECT_LINES: readonly string[] = String.raw`
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
`
  .trim()
  .split('\n');
