import { attacks, type GitAttack } from './attack.js';

const OBJECTS = attacks('objects', {
  'one of the user with another content': 'chmod u+w $F; object blob evil $A',
  'one of the user taken away': 'rm -f $F',
  'all of them taken away': 'rm -rf .git/objects',
  'a commit that another one hides behind':
    'C=$(object commit "tree $TREE\\nauthor a <a> 1 +0000\\ncommitter a <a> 1 +0000\\n\\nx\\n" ' +
    'abababababababababababababababababababab); git update-ref --no-deref refs/heads/bad abababababababababababababababababababab || echo abababababababababababababababababababab > .git/refs/heads/bad',
  'a loose one cut short':
    'I=$(echo cut | git hash-object -w --stdin); P=.git/objects/${I:0:2}/${I:2}; chmod u+w $P; head -c 5 $P > $T/x; cp $T/x $P; git update-index --add --cacheinfo 100644,$I,cut.txt',
  'a loose one that grows':
    "python3 -c \"import zlib,hashlib,os\nd=b'blob 67108864\\0'+bytes(1<<26)\nn=hashlib.sha1(d).hexdigest()\nos.makedirs('.git/objects/'+n[:2],exist_ok=True)\nopen('.git/objects/'+n[:2]+'/'+n[2:],'wb').write(zlib.compress(d,9))\nprint(n)\" > $T/n; git tag bomb $(cat $T/n)",
  'a header that claims more than there is':
    'I=$(object blob small "" "blob 99999999999\\0"); echo $I > .git/refs/tags/claim',
  'a negative length': 'I=$(object blob x "" "blob -1\\0"); echo $I > .git/refs/tags/negative',
  'a type of its own': 'I=$(object evil x); echo $I > .git/refs/tags/type',
  'a pipe':
    'mkdir -p .git/objects/ee; mkfifo .git/objects/ee/eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee; echo eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee > .git/refs/tags/pipe',
  'a link to another file':
    'mkdir -p .git/objects/ee; ln -s /etc/passwd .git/objects/ee/eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee; echo eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee > .git/refs/tags/link',
  'a folder': 'mkdir -p .git/objects/ee/eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  'a link in the place of a folder of them':
    'mkdir -p $PWD/elsewhere; rm -rf .git/objects/fe; ln -s $PWD/elsewhere .git/objects/fe',
  'a tree with a hook of git in it':
    'hook h; B=$(git hash-object -w h); S=$(printf "100755 blob $B\\tpost-checkout\\n" | git mktree); S=$(printf "040000 tree $S\\thooks\\n" | git mktree); C=$(printf "040000 tree $S\\t.git\\n" | commit_with); git update-ref refs/heads/evil $C',
  'a tree with a way out of it':
    'B=$(echo out | git hash-object -w --stdin); S=$(printf "100644 blob $B\\tx\\n" | git mktree); C=$(printf "040000 tree $S\\t..\\n" | commit_with); git update-ref refs/heads/evil $C',
  'a tree with .GIT in it':
    'hook h; B=$(git hash-object -w h); S=$(printf "100755 blob $B\\tconfig\\n" | git mktree); C=$(printf "040000 tree $S\\t.GIT\\n" | commit_with); git update-ref refs/heads/evil $C',
  'a tree with git~1 in it':
    'B=$(echo x | git hash-object -w --stdin); C=$(printf "100644 blob $B\\tgit~1\\n" | commit_with); git update-ref refs/heads/evil $C',
  'a tree with one name twice':
    'C=$(printf "100644 blob $A\\tx\\n120000 blob $A\\tx\\n" | commit_with); git update-ref refs/heads/evil $C',
  'a link and a file behind it':
    'L=$(printf .git/hooks | git hash-object -w --stdin); hook h; B=$(git hash-object -w h); S=$(printf "100755 blob $B\\tpost-checkout\\n" | git mktree); C=$(printf "120000 blob $L\\td\\n040000 tree $S\\td\\n" | commit_with); git update-ref refs/heads/evil $C',
  'a commit without its tree':
    'C=$(git commit-tree -p $H -m x $TREE); C=$(object commit "tree 1111111111111111111111111111111111111111\\nparent $H\\nauthor a <a> 1 +0000\\ncommitter a <a> 1 +0000\\n\\nx\\n"); echo $C > .git/refs/heads/treeless',
  'a commit without its parent':
    'C=$(object commit "tree $TREE\\nparent 2222222222222222222222222222222222222222\\nauthor a <a> 1 +0000\\ncommitter a <a> 1 +0000\\n\\nx\\n"); echo $C > .git/refs/heads/orphaned',
  'a branch that is a blob': 'echo $A > .git/refs/heads/blob',
  'a tag of a tag of a tag':
    'I=$H; K=commit; for n in $(seq 50); do I=$(git mktag <<< "$(printf "object $I\\ntype $K\\ntag t\\ntagger a <a> 1 +0000\\n\\nx")"); K=tag; done; echo $I > .git/refs/tags/deep',
  'a submodule with an option as its address':
    'printf "[submodule \\"x\\"]\\n\\tpath = x\\n\\turl = --upload-pack=touch @C\\n\\tupdate = !touch @C\\n" > .gitmodules; mkdir -p x; git update-index --add --cacheinfo 160000,$H,x; git add .gitmodules; git commit -qm sub',
  'a submodule with a way out as its name':
    'printf "[submodule \\"../../hooks\\"]\\n\\tpath = x\\n\\turl = https://example.com/x\\n" > .gitmodules; git update-index --add --cacheinfo 160000,$H,x; git add .gitmodules; git commit -qm sub',
});

const PACKS = attacks('packs', {
  'one that is none':
    'mkdir -p .git/objects/pack; for e in pack idx rev; do echo x > .git/objects/pack/pack-1234567890123456789012345678901234567890.$e; done',
  'the index of one is another':
    'git repack -adq; for i in .git/objects/pack/*.idx; do chmod u+w $i; head -c 200 /dev/zero > $i; done',
  'one of the user cut short':
    'git repack -adq; for i in .git/objects/pack/*.pack; do chmod u+w $i; head -c 40 $i > $T/p; cp $T/p $i; done',
  'all taken away': 'git repack -adq; rm -rf .git/objects/pack',
  'a bitmap of nonsense':
    'git repack -adbq; for i in .git/objects/pack/*.pack; do head -c 500 /dev/urandom > ${i%.pack}.bitmap; done',
  'a list of packs of nonsense':
    'git repack -adq; head -c 300 /dev/urandom > .git/objects/pack/multi-pack-index',
  'a graph of commits of nonsense':
    'mkdir -p .git/objects/info; head -c 300 /dev/urandom > .git/objects/info/commit-graph',
  'a graph that hides the parents':
    "git commit-graph write --reachable; chmod u+w .git/objects/info/commit-graph; python3 -c \"import hashlib\np='.git/objects/info/commit-graph'\nd=bytearray(open(p,'rb').read()[:-20])\nfor i in range(len(d)-60,len(d)): d[i]=0x70\nopen(p,'wb').write(bytes(d)+hashlib.sha1(bytes(d)).digest())\"",
  'a pipe':
    'mkfifo .git/objects/pack/pack-1234567890123456789012345678901234567890.pack .git/objects/pack/pack-1234567890123456789012345678901234567890.idx',
  'a link':
    'ln -s /etc/passwd .git/objects/pack/pack-1234567890123456789012345678901234567890.pack; ln -s /etc/passwd .git/objects/pack/pack-1234567890123456789012345678901234567890.idx',
  'a promise of objects that a program fetches':
    'git repack -adq; for i in .git/objects/pack/*.pack; do touch ${i%.pack}.promisor; done; git config remote.origin.promisor true; git config remote.origin.partialclonefilter blob:none; git config remote.origin.url "ext::sh -c touch% @C"; git config protocol.ext.allow always',
  'other folders of objects':
    'git clone -q --bare . $PWD/o.git; echo $PWD/o.git/objects > .git/objects/info/alternates; rm -rf .git/objects/??',
  'other folders of objects, behind a pipe':
    'mkdir -p .git/objects/info; rm -f .git/objects/info/alternates; mkfifo .git/objects/info/alternates',
  'other folders of objects, by http': 'echo http://127.0.0.1:9/x > .git/objects/info/http-alternates',
  'a mark that a pack must stay':
    'git repack -adq; for i in .git/objects/pack/*.pack; do touch ${i%.pack}.keep; done; rm -f .git/objects/pack/*.idx',
});

const INDEX = attacks('index', {
  'a hook of git':
    'hook h; B=$(git hash-object -w h); index "" 100755:$B:.git/hooks/post-checkout 100644:$A:a.txt',
  'a hook of git in capitals':
    'hook h; B=$(git hash-object -w h); index "" 100755:$B:.GIT/hooks/post-checkout 100644:$A:a.txt',
  'a hook of git by its short name':
    'hook h; B=$(git hash-object -w h); index "" 100755:$B:git~1/hooks/post-checkout 100644:$A:a.txt',
  'the configuration of git':
    'B=$(printf "[core]\\n\\tfsmonitor = touch @C\\n" | git hash-object -w --stdin); index "" 100644:$B:.git/config 100644:$A:a.txt',
  'a file outside':
    'B=$(echo x | git hash-object -w --stdin); index "" 100644:$B:../outside/pwned 100644:$A:a.txt',
  'an absolute path': 'B=$(echo x | git hash-object -w --stdin); index "" 100644:$B:@C 100644:$A:a.txt',
  'a link and a file behind it':
    'L=$(printf .git/hooks | git hash-object -w --stdin); hook h; B=$(git hash-object -w h); index "" 120000:$L:d 100755:$B:d/post-checkout 100644:$A:a.txt',
  'a mode of its own': 'index "" 060000:$A:dev 100644:$A:a.txt',
  'an object that is not there':
    'index "" 100644:3333333333333333333333333333333333333333:gone.txt 100644:$A:a.txt',
  'an extension that must be known': 'index "EVIL\\x00\\x00\\x00\\x04abcd" 100644:$A:a.txt',
  'a shared part that is a link':
    'git update-index --split-index; for i in .git/sharedindex.*; do rm $i; ln -s /etc/passwd $i; done',
  'a shared part with a hook of git':
    'git update-index --split-index; hook h; B=$(git hash-object -w h); cp .git/index $T/i; index "" 100755:$B:.git/hooks/post-checkout; for i in .git/sharedindex.*; do cp .git/index $i; done; cp $T/i .git/index',
  'a pipe': 'rm .git/index; mkfifo .git/index',
  'a link': 'rm .git/index; ln -s @C .git/index',
  'a folder': 'rm .git/index; mkdir .git/index',
  nonsense: 'head -c 4000 /dev/urandom > .git/index',
  'nothing at all': ': > .git/index',
  'a lock that stays': ': > .git/index.lock',
  'a repository as a submodule that runs something':
    'mkdir -p n; git init -q n; (cd n; git commit -q --allow-empty -m n; git config core.fsmonitor "touch @C; false"; mkdir -p .git/hooks); git update-index --add --cacheinfo 160000,$(git -C n rev-parse HEAD),n',
  'a submodule that is a file of git':
    'mkdir -p g n; cp -r .git/objects .git/refs .git/HEAD g/; printf "[core]\\n\\tfsmonitor = \\"touch @C; false\\"\\n" > g/config; echo "gitdir: ../g" > n/.git; git update-index --add --cacheinfo 160000,$H,n',
});

export const STORED_DATA_ATTACKS: readonly GitAttack[] = [...OBJECTS, ...PACKS, ...INDEX];
