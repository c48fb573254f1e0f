import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { checkCall, checkProgramOptions } from '../../../src/domain/permission/program-options.js';
import { call, words } from '../../support/words.js';

/** Divided by blanks; `␣` stands for a blank inside a word. */
const HARMLESS = `
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

const HAZARDOUS = `
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

function lines(table: string): readonly (readonly [string, readonly string[]])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [program = '', ...args] = line.split(' ').map((word) => word.replaceAll('␣', ' '));
      return [program, args];
    });
}

describe('checkProgramOptions', () => {
  for (const [program, args] of lines(HARMLESS)) {
    it(`lets ${program} ${args.join(' ')} pass`, () => {
      const result = checkProgramOptions(program, words(...args));
      expect(result.success ? result.value.known : result.error.message).to.equal(true);
    });
  }

  for (const [program, args] of lines(HAZARDOUS)) {
    it(`refuses ${program} ${args.join(' ')}, with its reason`, () => {
      const result = checkProgramOptions(program, words(...args));
      expect(result.success ? 'accepted' : result.error.reason).to.equal('HAZARDOUS_ARGUMENT');
      expect(result.success ? '' : result.error.hint).to.not.equal('');
    });
  }

  it('says what a short form of a harmful option stands for', () => {
    const result = checkProgramOptions('sort', words('--compress-prog=x'));
    expect(result.success ? '' : result.error.message).to.include(
      '--compress-program, which runs another program',
    );
  });

  it('asks for the whole name of an option it knows', () => {
    const result = checkProgramOptions('sort', words('--rev'));
    expect(result.success ? '' : result.error.hint).to.equal('write it in full: --reverse');
  });

  it('does not understand a sed text that ends before it seems to', () => {
    for (const script of ['a foo\\\\\nw x', 'i\\\nfoo\nw x', 'c x\nr f', '1!{p\nw x\n}', 's/a/\\/\nw f/']) {
      expect(checkProgramOptions('sed', words(script, 'a')).success, JSON.stringify(script)).to.equal(
        script === 's/a/\\/\nw f/',
      );
    }
  });

  it('knows nothing about a program that is not in its tables', () => {
    for (const name of ['frobnicate', 'constructor', '__proto__', 'toString', '']) {
      const result = checkProgramOptions(name, words('--anything'));
      expect(result.success && result.value.known, name).to.equal(false);
    }
  });

  it('never throws, whatever the words', () => {
    const names = fc.constantFrom(
      'ls',
      'sort',
      'find',
      'git',
      'tar',
      'sed',
      'grep',
      'rg',
      'env',
      'xargs',
      'jq',
      'uniq',
    );
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '-',
        '--',
        '---',
        '-o',
        '--o',
        '-C',
        'log',
        'diff',
        's/a/b/',
        '{',
        '-e',
        '-exec',
        'constructor',
        '--constructor',
        '-__proto__',
        '=',
      ),
    );
    fc.assert(
      fc.property(names, fc.array(word, { maxLength: 6 }), (name, args) => {
        checkProgramOptions(name, words(...args));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('checkCall', () => {
  it('refuses arguments nobody sees for a program whose options are harmful', () => {
    const unseen = { unseenArguments: true, via: 'xargs' } as const;
    for (const line of [
      'sort',
      'find',
      'find --',
      'git log',
      'git log --',
      'rm',
      'rm --',
      'uniq --',
      'sed --',
      'tee',
    ]) {
      expect(checkCall(call(line, unseen)).success, line).to.equal(false);
    }
    for (const line of ['wc -l', 'grep -l foo', 'cat', 'sort -r --', 'du --', 'jq .a', 'ls -l']) {
      expect(checkCall(call(line, unseen)).success, line).to.equal(true);
    }
  });

  it('knows a program by the last part of its path', () => {
    expect(checkCall(call('/usr/bin/find . -delete')).success).to.equal(false);
  });
});
