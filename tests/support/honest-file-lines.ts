/** What coding agents type about files, text and programs of all kinds; each must be accepted as it stands. */
export const HONEST_FILE_LINES: readonly string[] = String.raw`
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
  .split('\n');

/** The same with several lines. */
export const HONEST_SCRIPTS: readonly string[] = [
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
];
