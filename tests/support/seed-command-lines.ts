/** ls, cat, grep and find as one types them; under the seed's policy each does what a plain shell does. */
export const SEED_LINES: readonly string[] = String.raw`
ls
ls -a
ls -1 src
ls src tests
ls -R src
ls -d */
ls *.md
ls *.md *.ini
ls src/*.js
ls src/?ath.js
ls src/[a-i]*.js
ls src/[!a-i]*.js
ls nothing*
ls nothere
ls -1 | cat
ls | grep README
ls | grep -c .
ls | grep -v src
ls -1 src | grep -n js
ls src | grep x || ls tests
ls src && ls tests
ls src; ls *.md
ls "README.md"
ls 'src'
ls src 2>&1
ls nothere 2>&1 | grep -c such
ls nothere 2>/dev/null || ls src
(ls src; ls tests) | grep test
cat README.md
cat README.md config.ini
cat src/*.js
cat -n src/math.js
cat package.json | grep name
cat < README.md
cat README.md | cat | cat
cat data/words.txt | grep -E 'foo|bar'
cat logs/app.log | grep -i error | grep -v worse
cat nothere
cat nothere; cat README.md
cat <<'EOF' | grep two
cat - < data/words.txt
cat data/table.csv | grep ,3
grep hello README.md
grep -n add src/math.js
grep -rn add src
grep -rl add src tests | grep src
grep -c "" data/words.txt
grep -i ERROR logs/app.log
grep -v '^#' config.ini
grep -E "(add|main)\(" src/index.js
grep -A1 -B1 return src/math.js
grep -o 'a[dr]*' data/words.txt
grep -h add src/*.js
grep -w foo data/words.txt data/table.csv
grep nothinglikethis README.md
grep -q hello README.md && cat config.ini
grep -F 'a + b' src/math.js
grep -rn --include=*.js add .
find src -name '*.js'
find . -maxdepth 1 -type f -name '*.md'
find src -type f | grep math
find . -name '*.py' -not -path './node_modules/*'
find . -type d -name src
find data -name '*.csv' -o -name '*.json'
find src tests -name '*.js' | grep -c js
find . -name node_modules -prune -o -name '*.c' -print
find src -newer nothere
find data -size -2k -name 'w*'
cd src && ls
cd src && cat math.js | grep return
cd data && grep -n o *.txt
! grep -q nothinglikethis README.md
`
  .trim()
  .split('\n')
  .filter((line) => !line.includes('<<'));
