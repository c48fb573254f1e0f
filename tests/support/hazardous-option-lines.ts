/** One command a line; `␣` stands for a blank inside a word and `glob:` for a pattern. */
export const HAZARDOUS_OPTION_LINES = `
find . -exec id ;
find . -execdir id ;
find . -ok id ;
find . -okdir id ;
find . -delete
find . -fprint f
find . -fprint0 f
find . -fprintf f x
find . -fls f
find . -name a -o -delete
find . -unknown
find . -name glob:*.ts
find -files0-from f
tar -xf a
tar xf a
tar -cf a b
tar -tf a --to-command=id
tar -tf a --to-comm=id
tar --checkpoint-action=exec=id -tf a
tar -tf a --checkpoint-act=exec=id
tar -I id -tf a
tar -tIid -f a
tar --use-compress-program=id -tf a
tar --use-comp=id -tf a
tar -tf host:a
tar tfx a b
tar -tf a -C /
git -c core.pager=id log
git -ccore.pager=id log
git --config-env=a=b log
git --exec-path=/x status
git --exec-path /x status
git --git-dir=/x status
git --git-dir /x status
git --work-tree=/x status
git -C .. status
git -C /etc status
git -p log
git diff --output=f
git diff --outp=f
git diff --output f
git log --output=f
git diff --no-index a b
git diff --no-ind a b
git diff /etc/passwd /etc/hosts
git diff ../a ../b
git diff --ext-diff
git diff --ext
git show --textconv
git log --textc
git grep -Oid foo
git grep -O foo
git grep --open-files-in-pager=id foo
git grep -f f
git rebase -x id
git bisect run id
git foo
git submodule foreach id
git config core.pager id
git commit -F f
git commit --template=f
git push --receive-pack=id
git push --exec=id
git fetch --upload-pack=id
git fetch ext::id
git remote add x y
git worktree add x
git archive --output=f HEAD
git glob:*
git blame --contents f a
git tag -s v1
git status --unknown
grep -f f x
grep -rnf f x
grep --file=f x
grep --fil=f x
grep --exclude-from=f x
grep --unknown x
sed -i s/a/b/ f
sed -ni s/a/b/ f
sed -i.bak s/a/b/ f
sed --in-place s/a/b/ f
sed --in-pl s/a/b/ f
sed -f script f
sed w␣f a
sed s/a/b/w␣f a
sed s/a/b/e a
sed s/a/b/gw␣f a
sed 1e␣id a
sed e a
sed r␣f a
sed R␣f a
sed $W␣f a
sed /a/w␣f a
sed 1,5{w␣f a
sed p;w␣f a
sed s/[/]/x/w␣f a
sed -e p -e w␣f a
sed s/\\\\\\\\[/]/p;s/w␣f/x/ a
sed s_a_b_w a
sed glob:* a
sed --expression=w␣f a
sort -o f a
sort -uof a
sort -uoFILE a
sort --output=f a
sort --outp f a
sort --compress-program=id a
sort --compress-prog=id a
sort --co=id a
sort -T /x a
sort --files0-from=f
sort --rev a
uniq glob:*
wc --files0-from=f
rg --pre id foo
rg --pre=id foo
rg --hostname-bin=id foo
rg --hostname-bin id foo
rg -z foo
rg -f f
rg --ignore-file f x
rg --unknown x
fd -x id
fd --exec id
fd -X id
fd --exec-batch id
fd -Hx id
fd --base-directory / x
less a
more a
man -P id ls
man --pager=id ls
man -H ls
rsync -e id a b
rsync -ae id a b
rsync --rsh=id a b
rsync --rs=id a b
rsync --rsync-path=id a b
file -C -m x
file -f x
date -s now
date --set=now
date -f x
diff --from-file=x a
jq -f x
jq -L x .
jq --slurpfile a b .
tree -o f
tree --fromfile f
cp -t d a
cp --target-directory=d a
cp --target-dir=d a
mv -t d a
cp --backup a b
hexdump -f x
xxd -r a b
env LD_PRELOAD=x ls
env -u HOME PATH=x ls
env -i GIT_PAGER=x git log
env NODE_OPTIONS=--require=x ls
env -S ls
xargs -a f ls
xargs --arg-file=f ls
head --unknown a
ls --unknown
cat -Z a
rm --no-preserve-root -rf /
`;
