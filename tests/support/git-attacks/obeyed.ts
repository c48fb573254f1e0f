import { attacks, type GitAttack } from './attack.js';

/** Settings that run or redirect something, as a value with @C in it. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'touch @C; false',
  'core.hooksPath': 'made-hooks',
  'core.sshCommand': 'touch @C; false',
  'core.gitProxy': 'touch @C',
  'core.pager': 'touch @C; cat',
  'core.editor': 'touch @C; true',
  'core.askPass': './evil',
  'core.alternateRefsCommand': 'touch @C; false',
  'core.attributesFile': './attributes',
  'core.excludesFile': './ignored',
  'core.worktree': '../../outside',
  'core.bare': 'true',
  'core.repositoryFormatVersion': '99',
  'extensions.objectFormat': 'sha256',
  'extensions.evil': 'true',
  'alias.status': '!touch @C',
  'filter.e.clean': 'touch @C; cat',
  'filter.e.process': 'touch @C; cat',
  'diff.external': 'touch @C; true',
  'diff.e.textconv': 'touch @C; cat',
  'diff.e.command': 'touch @C; true',
  'merge.e.driver': 'touch @C; true',
  'credential.helper': '!touch @C',
  'gpg.program': './evil',
  'sequence.editor': 'touch @C; true',
  'include.path': '../evil.inc',
  'includeIf.gitdir:/.path': '../evil.inc',
  'remote.origin.url': 'ext::sh -c touch% @C',
  'remote.origin.uploadpack': 'touch @C; false',
  'remote.origin.receivepack': 'touch @C; false',
  'remote.origin.vcs': 'evil',
  'remote.origin.proxy': 'http://127.0.0.1:9',
  'branch.main.remote': './b.git',
  'remote.pushDefault': './b.git',
  'url../b.git.insteadOf': 'https://example.com/remote.git',
  'protocol.ext.allow': 'always',
  'submodule.x.update': '!touch @C',
  'uploadpack.packObjectsHook': 'touch @C; false',
  'trailer.e.cmd': 'touch @C',
  'interactive.diffFilter': 'touch @C; cat',
  'pager.status': 'touch @C; cat',
  'init.templateDir': './template',
  'http.proxy': 'http://127.0.0.1:9',
  'core.logAllRefUpdates': 'nonsense',
};

/** What the settings above name. */
const NAMED = `hook made-hooks/pre-commit; hook made-hooks/post-checkout; hook evil; hook template/hooks/pre-commit; printf '[core]\\n\\tfsmonitor = "touch @C; false"\\n' > evil.inc; printf '* filter=e diff=e merge=e\\n' > attributes; cp attributes .gitattributes; git init -q --bare b.git; hook b.git/hooks/pre-receive; echo more >> a.txt;`;

/** By git itself, or in the file; the odd ones in the one way, the even ones in the other. */
const CONFIGURED: readonly GitAttack[] = Object.entries(SETTINGS).map(([key, value], index) => ({
  name: `settings: ${key} ${index % 2 === 0 ? 'by git' : 'in the file'}`,
  scripts: [
    index % 2 === 0
      ? `${NAMED} git config '${key}' '${value}'`
      : `${NAMED} git config --file $T/c '${key}' '${value}'; cat $T/c >> .git/config || { cp .git/config $T/d; cat $T/c >> $T/d; cp -f $T/d .git/config || mv -f $T/d .git/config; }`,
  ],
}));

const FILES = attacks('files that git obeys', {
  'a hook':
    'for h in pre-commit post-checkout post-merge post-commit reference-transaction post-index-change; do hook .git/hooks/$h; done',
  'the folder of hooks a link':
    'hook made/post-checkout; hook made/pre-commit; rm -rf .git/hooks; ln -s ../made .git/hooks',
  'another configuration in its place':
    'printf "[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = \\"touch @C; false\\"\\n" > $T/c; mv -f $T/c .git/config || cp $T/c .git/config',
  'a link in the place of the configuration':
    'printf "[core]\\n\\tfsmonitor = \\"touch @C; false\\"\\n" > evil.inc; rm -f .git/config; ln -s ../evil.inc .git/config',
  'a pipe in the place of the configuration': 'rm -f .git/config; mkfifo .git/config',
  'no configuration': 'rm -f .git/config',
  'a configuration of nonsense': 'echo "[[[" >> .git/config',
  'a configuration of the worktree':
    'git config extensions.worktreeConfig true; printf "[core]\\n\\tfsmonitor = \\"touch @C; false\\"\\n" > .git/config.worktree',
  commondir:
    'mkdir -p g; cp -r .git/objects .git/refs g/; printf "[core]\\n\\tfsmonitor = \\"touch @C; false\\"\\n" > g/config; echo ../g > .git/commondir',
  'a remote of the older kind':
    'git init -q --bare b.git; hook b.git/hooks/pre-receive; mkdir -p .git/remotes .git/branches; printf "URL: $PWD/b.git\\n" > .git/remotes/origin; echo $PWD/b.git > .git/branches/origin',
  'a folder in its place':
    'mv .git old && git init -q . && printf "[core]\\n\\tfsmonitor = \\"touch @C; false\\"\\n" >> .git/config',
  'a link in its place':
    'cp -r .git g; printf "[core]\\n\\tfsmonitor = \\"touch @C; false\\"\\n" >> g/config; rm -rf .git; ln -s g .git',
  'a file in its place':
    'cp -r .git g; printf "[core]\\n\\tfsmonitor = \\"touch @C; false\\"\\n" >> g/config; rm -rf .git; echo "gitdir: g" > .git',
  'all of it taken away': 'rm -rf .git',
  'a git init over what was taken away': 'rm -rf .git; git init -q .; git add -A; git commit -qm mine',
  'a socket in it':
    'python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.bind(\'.git/fsmonitor--daemon.ipc\')"',
  'a note that somebody tidies up': 'echo "1 here" > .git/gc.pid; echo "evil" > .git/gc.log',
  'the workspace made a repository':
    'cp -r .git/objects .git/refs .; cp .git/HEAD HEAD; printf "[core]\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = \\"touch @C; false\\"\\n" > config; rm -f .git/HEAD',
  'attributes that choose a driver':
    'mkdir -p .git/info; echo "* diff=e filter=e" > .git/info/attributes; git config filter.e.clean "touch @C; cat"; echo more >> a.txt',
  'locks that stay': 'for l in HEAD config packed-refs shallow refs/heads/main; do : > .git/$l.lock; done',
});

const UNFINISHED = attacks('unfinished work', {
  'a command in a rebase': `GIT_SEQUENCE_EDITOR="sed -i '1i break\\nexec touch @C'" git rebase -i HEAD~1`,
  'a command in a rebase, added by hand': `GIT_SEQUENCE_EDITOR="sed -i '1i break'" git rebase -i HEAD~1; printf ' x  touch @C\\n' >> .git/rebase-merge/git-rebase-todo`,
  'a command in a rebase, after a wrong word': `GIT_SEQUENCE_EDITOR="sed -i '1i break'" git rebase -i HEAD~1; printf 'evil x\\nexec touch @C\\n' >> .git/rebase-merge/git-rebase-todo`,
  'a rebase that was never begun':
    'mkdir -p .git/rebase-merge; cd .git/rebase-merge; echo refs/heads/main > head-name; echo $H > onto; echo $H > orig-head; echo "exec touch @C" > git-rebase-todo; : > done; : > interactive; echo 1 > msgnum; echo 1 > end',
  'an author that is a script': `GIT_SEQUENCE_EDITOR="sed -i '1s/pick/edit/'" git rebase -i HEAD~1; echo 'touch @C' >> .git/rebase-merge/author-script; git commit -q --amend --allow-empty -m x`,
  'a strategy that is a program': `hook git-merge-evil; GIT_SEQUENCE_EDITOR="sed -i '1i break'" git rebase -i HEAD~1; echo ../../$PWD/git-merge-evil > .git/rebase-merge/strategy`,
  'options of a strategy': `GIT_SEQUENCE_EDITOR="sed -i '1i break'" git rebase -i HEAD~1; echo evil > .git/rebase-merge/strategy; echo "--x='touch @C'" > .git/rebase-merge/strategy_opts`,
  'a signing program': `GIT_SEQUENCE_EDITOR="sed -i '1i break'" git rebase -i HEAD~1; echo "-Sx" > .git/rebase-merge/gpg_sign_opt`,
  'a list that is a link': `GIT_SEQUENCE_EDITOR="sed -i '1i break'" git rebase -i HEAD~1; echo "exec touch @C" > list; rm .git/rebase-merge/git-rebase-todo; ln -s ../../list .git/rebase-merge/git-rebase-todo`,
  'a list that is a pipe': `GIT_SEQUENCE_EDITOR="sed -i '1i break'" git rebase -i HEAD~1; rm .git/rebase-merge/git-rebase-todo; mkfifo .git/rebase-merge/git-rebase-todo`,
  'a patch that writes anywhere': `git rebase --apply topic; mkdir -p .git/rebase-apply; cd .git/rebase-apply; echo "--unsafe-paths --directory=$(dirname @C)" > apply-opt; echo 1 > next; echo 1 > last; : > applying; echo $H > abort-safety; printf 'From 1\\nFrom: a <a@b>\\nSubject: x\\n\\n---\\ndiff --git a/pwned b/pwned\\nnew file mode 100644\\n--- /dev/null\\n+++ b/pwned\\n@@ -0,0 +1 @@\\n+x\\n' > 0001`,
  'a sequence with options':
    'git cherry-pick --no-commit topic; mkdir -p .git/sequencer; printf "[options]\\n\\tstrategy = evil\\n\\tgpg-sign = x\\n" > .git/sequencer/opts; echo "pick $H x" > .git/sequencer/todo; echo $H > .git/sequencer/head',
  'a bisection that runs something':
    'git bisect start HEAD HEAD~1; echo "touch @C" > .git/BISECT_RUN; echo "touch @C" >> .git/BISECT_NAMES; echo \'$(touch @C)\' >> .git/BISECT_NAMES; echo "touch @C" >> .git/BISECT_LOG',
  'a merge with nonsense':
    'echo nonsense > .git/MERGE_HEAD; echo x > .git/MERGE_MSG; echo no-ff > .git/MERGE_MODE',
  'a merge with an object that is not there':
    'echo 7777777777777777777777777777777777777777 > .git/MERGE_HEAD',
  'a message that is a link outside':
    'for f in MERGE_MSG COMMIT_EDITMSG SQUASH_MSG FETCH_HEAD ORIG_HEAD; do rm -f .git/$f; ln -s @C .git/$f; done',
  'a message that is a pipe':
    'for f in MERGE_MSG COMMIT_EDITMSG SQUASH_MSG FETCH_HEAD; do rm -f .git/$f; mkfifo .git/$f; done',
  'what was solved before':
    'git config rerere.enabled true; mkdir -p .git/rr-cache/$H; ln -s @C .git/rr-cache/$H/postimage; echo x > .git/MERGE_RR',
  'patterns of files':
    'mkdir -p .git/info; head -c 100000 /dev/urandom > .git/info/sparse-checkout; rm -f .git/info/exclude; ln -s @C .git/info/exclude',
});

export const OBEYED_ATTACKS: readonly GitAttack[] = [...CONFIGURED, ...FILES, ...UNFINISHED];
