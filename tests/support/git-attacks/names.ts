import { attacks, type GitAttack } from './attack.js';

const REFS = attacks('refs', {
  'a branch of nonsense': 'echo nonsense > .git/refs/heads/bad',
  'an empty branch': ': > .git/refs/heads/empty',
  'a branch of zeros': 'echo 0000000000000000000000000000000000000000 > .git/refs/heads/zero',
  'a branch of an object that is not there':
    'echo 4444444444444444444444444444444444444444 > .git/refs/heads/gone',
  'the branch of the user to an object that is not there':
    'echo 4444444444444444444444444444444444444444 > .git/refs/heads/main',
  'a branch that is an option':
    'mkdir -p .git/refs/heads; echo $H > ".git/refs/heads/--upload-pack=touch @C"; echo $H > .git/refs/heads/-x',
  'a tag that is an option': 'echo $H > .git/refs/tags/--exec=x',
  'a branch with a line break': 'echo $H > ".git/refs/heads/a\nb"',
  'a branch named HEAD': 'echo $H > .git/refs/heads/HEAD; echo $H > .git/refs/HEAD',
  'a branch that ends in .lock': 'echo $H > .git/refs/heads/x.lock; : > .git/refs/heads/main.lock',
  'a branch that is a pipe': 'mkfifo .git/refs/heads/pipe',
  'a branch that is a link': 'ln -s @C .git/refs/heads/link',
  'a branch that is a folder': 'rm -f .git/refs/heads/topic; mkdir -p .git/refs/heads/topic/x/y',
  'the branch of the user taken away': 'rm -rf .git/refs/heads .git/packed-refs',
  'a circle of names':
    'echo "ref: refs/heads/q" > .git/refs/heads/p; echo "ref: refs/heads/p" > .git/refs/heads/q',
  'HEAD in the circle':
    'echo "ref: refs/heads/q" > .git/refs/heads/p; echo "ref: refs/heads/p" > .git/refs/heads/q; echo "ref: refs/heads/p" > .git/HEAD',
  'HEAD out of the folder': 'echo "ref: refs/../../../outside/pwned" > .git/HEAD',
  'HEAD of nonsense': 'echo nonsense > .git/HEAD',
  'HEAD an object that is no commit': 'echo $A > .git/HEAD',
  'HEAD taken away': 'rm .git/HEAD',
  'HEAD a link': 'rm .git/HEAD; ln -s refs/heads/../../../../outside/pwned .git/HEAD',
  'HEAD a pipe': 'rm .git/HEAD; mkfifo .git/HEAD',
  'packed ones of nonsense': 'head -c 500 /dev/urandom > .git/packed-refs',
  'packed ones with an option among them':
    'git pack-refs --all; echo "$H refs/heads/--upload-pack=x" >> .git/packed-refs',
  'packed ones with a way out': 'git pack-refs --all; echo "$H refs/../../x" >> .git/packed-refs',
  'packed ones behind a pipe': 'git pack-refs --all; rm -f .git/packed-refs; mkfifo .git/packed-refs',
  'packed ones behind a link': 'git pack-refs --all; rm -f .git/packed-refs; ln -s @C .git/packed-refs',
  'the folder a link': 'mv .git/refs .git/r; ln -s $PWD/.git/r .git/refs',
  'the folder of branches a link outside': 'mv .git/refs/heads .git/r; ln -s $(dirname @C) .git/refs/heads',
  'two thousand of them':
    'for i in $(seq 2000); do echo "create refs/heads/many/b$i $H"; done | git update-ref --stdin',
  'a very long name':
    'git update-ref refs/heads/$(printf "%0200d" 1)/$(printf "%0200d" 2)/$(printf "%0200d" 3) $H',
  'a replacement of the commit of the user': 'C=$(git commit-tree $TREE -m evil); git replace -f $H $C',
  'a replacement that is not there':
    'mkdir -p .git/refs/replace; echo 5555555555555555555555555555555555555555 > .git/refs/replace/$H',
  grafts: 'mkdir -p .git/info; echo $H > .git/info/grafts',
  'a history that ends here': 'echo $H > .git/shallow',
  'a history that ends in nonsense': 'echo nonsense > .git/shallow',
  'a remote branch that leads elsewhere':
    'mkdir -p .git/refs/remotes/origin; echo "ref: refs/heads/--x" > .git/refs/remotes/origin/HEAD',
});

const LOGS = attacks('logs', {
  'a link outside': 'rm -f .git/logs/HEAD; ln -s @C .git/logs/HEAD',
  'a pipe': 'rm -f .git/logs/HEAD; mkfifo .git/logs/HEAD',
  'a folder': 'rm -f .git/logs/HEAD; mkdir .git/logs/HEAD',
  nonsense: 'head -c 1000 /dev/urandom > .git/logs/HEAD',
  'taken away': 'rm -rf .git/logs',
  'the folder a link outside': 'rm -rf .git/logs/refs; ln -s $(dirname @C) .git/logs/refs',
  'objects that are not there':
    'echo "$H 6666666666666666666666666666666666666666 a <a> 1 +0000\tx" >> .git/logs/HEAD',
  'a stash of nonsense':
    'mkdir -p .git/logs/refs; echo "$H $H a <a> 1 +0000\tx" > .git/logs/refs/stash; echo $H > .git/refs/stash',
  'ten megabytes':
    'for i in $(seq 70000); do echo "$H $H a <a> 1 +0000 $(printf "%070d" $i)"; done >> .git/logs/HEAD',
});

export const NAME_ATTACKS: readonly GitAttack[] = [...REFS, ...LOGS];
