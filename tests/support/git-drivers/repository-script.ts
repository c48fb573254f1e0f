import type { Dice } from '../dice.js';
import { BRANCHES, FILES, LIBRARY, REMOTE } from './operations.js';

/** Run beside the workspace: what `origin` and the submodule stand for. */
export const BESIDE_SCRIPT = `mkdir -p ws; git init -q --bare ws/remote.git; git init -q library0
(cd library0 && echo s > s.txt && git add . && git commit -qm s1 && echo t >> s.txt && git commit -qam s2)
git clone -q --bare library0 ws/library.git; rm -rf library0; cd ws
w() { mkdir -p "$(dirname "$1")"; seq 8 | sed "s/^$2\\$/$3/" > "$1"; }
c() { git add -A; git commit -q --allow-empty -m "$1"; }
git init -q -b main .; git config gc.auto 0; printf '/remote.git\\n/library.git\\n' >> .git/info/exclude`;

/** Three branches from one commit, two commits on each, with or without packs. */
export function repositoryScript(dice: Dice): string {
  const lines = [
    BESIDE_SCRIPT,
    ...FILES.map((file) => `w '${file}' 0 0`),
    'c base',
    'git tag v1',
    `git remote add origin ${REMOTE}`,
  ];
  for (const branch of [...BRANCHES.slice(1), 'main']) {
    lines.push(branch === 'main' ? 'git checkout -q main' : `git checkout -q -b ${branch} main`);
    for (const number of [1, 2]) {
      for (let edits = 1 + dice.below(3); edits > 0; edits -= 1)
        lines.push(`w '${dice.pick(FILES)}' ${1 + dice.below(8)} ${branch}`);
      lines.push(`c ${branch}${number}`);
    }
  }
  lines.push('git push -q -u origin main one');
  if (dice.below(3) === 0) lines.push('git pack-refs --all');
  if (dice.below(4) === 0) lines.push('git gc -q');
  return lines.join('\n');
}

/** Settings for git on both sides: what the addresses stand for. */
export function addressSettings(workspace: string): readonly (readonly [string, string])[] {
  return [
    [`url.${workspace}/remote.git.insteadOf`, REMOTE],
    [`url.${workspace}/library.git.insteadOf`, LIBRARY],
    ['protocol.file.allow', 'always'],
    ['safe.directory', '*'],
    ['init.defaultBranch', 'main'],
    ['gc.autoDetach', 'false'],
  ];
}
