/** Divided by blanks; `␣` stands for a blank inside a word. */
export const HARMLESS_OPTION_LINES = `
ls
ls -la
ls -lahtr --color=auto src
ls -I node_modules --sort=size
ls glob:*.ts
cat -n a b
head -20 a
head -n20 a
head -n 20 a
tail -fn 5 a
tail --lines=3 a
wc -l glob:*.ts
grep -rn foo src
grep -rnE --include=glob:*.ts foo .
grep --include=*.ts -A3 -B 2 foo .
grep -e foo -e bar a
grep -5 foo a
grep -- -f a
rg -n --type ts foo src
rg -g *.ts -C3 foo
rg --files
find . -name *.ts -type f -print0
find . ( -name a -o -name b ) -prune
find -L src -maxdepth 2 -newermt 2024-01-01
fd -e ts foo src
sort -rnk2 -t, a
sort -u --key=2 a
uniq -c a
cut -d, -f1,2 a
tr -d a
sed -n 1,5p a
sed s/a/b/g a
sed -E -e s/(a)/\\1/ -e 3d a
sed /foo/,/bar/d a
sed $!N;P;D a
sed 1~2p;5q a
sed s|a|b|gi;y/ab/cd/ a
sed /x/!{s/a/b/;p} a
sed :a;N;ba a
sed 3a␣some␣text a
diff -u a b
diff -ruN a b
tar tf a.tar
tar -tvzf a.tgz
tar --list --file=a.tar
git status
git status -sb
git diff
git diff HEAD~1 -- src/a.ts
git diff --stat main...HEAD
git --no-pager log --oneline -10
git log -p -S foo --since=yesterday
git log --format=%h -n5
git show HEAD:src/a.ts
git -C packages/a status
git branch -a
git commit -m message
git add -A
git restore -S a
git stash list
git remote -v
git grep -n foo
git ls-files
git blame -L 1,5 a
git rev-parse --show-toplevel
jq -r .a a.json
date +%s
date -d yesterday -u
stat -c %s a
du -sh a
df -h
tree -L 2
basename -s .ts a.ts
readlink -f a
which -a node
echo -e anything --goes -o x
printf -v x
test -f a
mkdir -p a/b
touch a
cp -r a b
mv a b
rm -rf a
tee -a out
comm -12 a b
column -t -s, a
nl -ba a
od -c a
xxd a
sha256sum glob:*.js
env LC_ALL=C NODE_ENV=test ls
env -u HOME ls
xargs -0 -n1 wc
man -k foo
seq -w 1 10
`;
