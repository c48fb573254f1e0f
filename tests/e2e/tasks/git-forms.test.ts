import { expect } from 'chai';
import { TaskTwins } from '../../support/task-twins.js';

/** Five commits of a project, of which each changes a workflow, a devcontainer file or both beside the source. */
const MAKE = `
git init -q -b main; git config user.name dev; git config user.email dev@example.com
mkdir -p .github/workflows .devcontainer .vscode src
for i in 1 2 3 4 5; do
  echo "on: push # $i" > .github/workflows/ci.yml
  [ $((i % 2)) = 1 ] && echo "{ \\"name\\": \\"dev $i\\" }" > .devcontainer/devcontainer.json
  echo "{ \\"editor.tabSize\\": $i }" > .vscode/settings.json
  echo "line $i" >> src/main.txt
  [ $i = 3 ] && echo broken > src/state.txt
  [ $i = 1 ] && echo good > src/state.txt
  git add -A; GIT_AUTHOR_DATE="2024-01-0$i 12:00 +0000" GIT_COMMITTER_DATE="2024-01-0$i 12:00 +0000" git commit -qm "commit $i"; git tag v$i
done
git branch old v2; git branch topic v4
echo '#!/bin/sh
grep -q good src/state.txt' > check.sh; chmod +x check.sh
git add check.sh; GIT_AUTHOR_DATE="2024-01-06 12:00 +0000" GIT_COMMITTER_DATE="2024-01-06 12:00 +0000" git commit -qm "check"`;

/** As agents write them: never git alone. */
const FORMS: readonly string[] = [
  'git checkout old 2>&1 | tail -2',
  'cat .github/workflows/ci.yml .devcontainer/devcontainer.json .vscode/settings.json',
  'git checkout main 2>&1 && ls -A',
  'git checkout -q topic; git log --oneline | wc -l',
  'git switch -q --detach v1 && ls -A .devcontainer; git switch main 2>/dev/null || echo no',
  '(git checkout -q HEAD~1 && git show -s --format=%s; git checkout main) 2>&1 | tail -n 1',
  'git bisect start v5 v1 2>&1 | grep -c Bisecting',
  'head -1 .github/workflows/ci.yml; cat src/state.txt',
  'git bisect bad 2>&1 | grep -o "^[0-9a-f]* is the first bad commit\\|Bisecting"; ls src',
  'git bisect reset 2>&1 | tail -1',
  'echo edited >> src/main.txt; git diff --stat | tail -1',
  'git stash -q && git status --short; git stash list | wc -l',
  'git checkout -q old && git log -1 --format=%s; git checkout main 2>&1 | tail -1',
  'git stash pop 2>&1 | grep -c main.txt; git diff --stat | tail -1',
  'git checkout -q -- src/main.txt; git diff --stat | tail -1',
  'git reset -q --hard HEAD~1 && git log -1 --format=%s; git reset --hard -q "HEAD@{1}" && git log -1 --format=%s',
  'git merge --no-edit topic 2>&1 | tail -1; git log -1 --format=%s',
  'git checkout -qb feature old && ls .vscode',
  'echo new > src/new.txt && git add -A && git commit -qm "feature" && git log -1 --format=%s',
  'git rebase -q main 2>&1 | tail -1; git log --format=%s | head -2',
  'git checkout -q main && git merge -q --no-edit feature 2>&1; ls src; git log -1 --format=%s',
  'if git show v1:.github/workflows/ci.yml | grep -q "# 1"; then echo yes; fi',
  'git restore --source v3 -- src/state.txt && cat src/state.txt; git checkout HEAD -- src/state.txt',
  'git checkout v3 -- .github/workflows/ci.yml && git status --short | head -3',
  'git reset -q --hard && git status --short | wc -l',
  'git add -A && git status --short; touch left.txt; git clean -fdq && ls',
  'git cherry-pick v5 2>&1 | tail -1 | wc -l; git cherry-pick --skip 2>&1 | wc -l; git status --short',
  'git log --format=%s -3 -- .github .devcontainer .vscode && git diff v1 v5 --stat | tail -1',
  'git fsck 2>&1 | grep -v dangling; git rev-parse --abbrev-ref HEAD; git status --short --branch',
];

describe('An agent that uses git as it is written every day, among workflows and devcontainer files', function () {
  this.timeout(300_000);
  const twins = new TaskTwins();
  before(() => twins.begin(MAKE));
  after(() => twins.stop());

  for (const line of FORMS)
    it(`ends as plain git: ${line}`, async () => {
      await twins.same(line);
    });

  it('leaves what a person finds: history, branches and a clean tree', async () => {
    for (const line of [
      'git log --format="%s %T" --all',
      'git branch -a',
      'git stash list',
      'git status --porcelain',
    ]) {
      const [inside, outside] = await Promise.all([
        twins.plain(`cd '${twins.folder}' && ${line}`),
        twins.plain(line),
      ]);
      expect(inside, line).to.deep.equal(outside);
    }
  });
});
