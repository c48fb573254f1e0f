/** All that a user can tell about a repository from outside, in sections; changes nothing. */
export const USER_VIEW = `export GIT_OPTIONAL_LOCKS=0
s() { echo "== $1"; }
s HEAD; cat .git/HEAD
s refs; git for-each-ref --format='%(objectname) %(symref) %(refname)' | grep -v refs/airlock
s status; git status --porcelain=v2 -b 2>&1
s long; git status 2>&1 | grep -v '^  (use'
s log; git log --all --format='%H %P %s' 2>&1
s stash; git stash list --format='%H %gd %gs' 2>/dev/null
s index; git ls-files -s -v 2>&1; git ls-files -s -t 2>&1
s diff; git diff --stat 2>&1; git diff --cached --stat 2>&1
s config; git config --local --list 2>&1 | sort; git config --file .git/config.worktree --list 2>/dev/null | sort
s reflogs; (cd .git/logs 2>/dev/null && find . -type f | sort | while read f; do echo "-- $f"; cat "$f"; done)
s state; (cd .git; for f in MERGE_HEAD MERGE_MSG MERGE_MODE CHERRY_PICK_HEAD REVERT_HEAD ORIG_HEAD SQUASH_MSG BISECT_LOG BISECT_START BISECT_TERMS BISECT_NAMES BISECT_EXPECTED_REV REBASE_HEAD AUTO_MERGE FETCH_HEAD COMMIT_EDITMSG info/sparse-checkout info/exclude shallow rebase-merge/* rebase-apply/* sequencer/*; do
case $f in *patch-merge-index) continue;; esac; [ -f "$f" ] && { echo "-- $f"; cat "$f"; echo; }; done; ls -d rebase-merge rebase-apply sequencer worktrees modules 2>/dev/null)
s worktrees; git worktree list --porcelain 2>&1; for w in wt0 wt1; do [ -e $w/.git ] && (cd $w; echo $w; git status --porcelain=v2 -b 2>&1; git ls-files -s 2>&1); done
s submodule; git submodule status 2>&1; [ -e sm/.git ] && (cd sm; git status --porcelain=v2 -b 2>&1; git log --oneline --all 2>&1; git for-each-ref; git config --local --list | sort)
s fsck; git fsck --no-dangling --no-progress 2>&1 | grep -v '^notice\\|^dangling\\|^unreachable' | sort
s files; find . -name '*.git' -prune -o -type f -print0 | sort -z | xargs -0 -r sha1sum
s remote; git -C remote.git for-each-ref
s end`;

export type UserView = ReadonlyMap<string, readonly string[]>;

/** Fails if the script did not come to its end. */
export function readView(text: string): UserView {
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('== ')) {
      lines = [];
      sections.set(line.slice(3), lines);
    } else lines.push(line);
  }
  if (!sections.has('end')) throw new Error(`The view is not whole: ${text.slice(-400)}`);
  return sections;
}

/** Each section that differs, with the first lines of either side. */
export function viewDifferences(inside: UserView, beside: UserView): readonly string[] {
  const told: string[] = [];
  for (const section of new Set([...inside.keys(), ...beside.keys()])) {
    const [first, second] = [inside.get(section) ?? [], beside.get(section) ?? []];
    if (first.join('\n') === second.join('\n')) continue;
    const only = (these: readonly string[], those: readonly string[]): string =>
      JSON.stringify(these.filter((line) => !those.includes(line)).slice(0, 6));
    told.push(`${section}: only inside ${only(first, second)}, only beside ${only(second, first)}`);
  }
  return told;
}
