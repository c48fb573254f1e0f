import { expect } from 'chai';
import { keepsGitCompany } from '../../../src/application/command/git-company.js';
import { bringsFiles } from '../../../src/application/command/git-overrides.js';
import { loadShellParser } from '../../../src/infrastructure/shell/shell-parser.js';

const TRUE: readonly string[] = [
  'git checkout old',
  'git checkout old 2>&1 | tail -2',
  'git checkout old 2>&1 | tail -n 2',
  'git checkout main 2>&1 && ls -A',
  'git checkout -q main; git log --oneline | wc -l',
  '(git checkout -q main; git status --short) | grep -c -v src | head -1',
  'cd sub && git merge topic 2>/dev/null || true',
  'git stash -q && echo done && git stash pop -q',
  'git switch main 2>&1 | tr a-z A-Z | cut -d: -f1 | sort -ru | uniq -c',
];
const FALSE: readonly string[] = [
  'git checkout old && cat x',
  'git checkout old | cat x',
  'git checkout old | tail x',
  'git checkout old | tail -n x',
  'git checkout old | grep a b',
  'git checkout old | grep -f b',
  'git checkout old | grep -r a',
  'git checkout old | grep a*',
  'git checkout old | sort -o x',
  'git checkout old | sort --output=x',
  'git checkout old | uniq a b',
  'git checkout old | tee x',
  'git checkout old > x',
  'git checkout old; echo x > .vscode/tasks.json',
  'git checkout old; make',
  'git checkout old; sleep 100',
  'git checkout old; tail',
  'git checkout old | xargs touch',
  'git checkout old | (sleep 100)',
  'git checkout old & ls',
  'timeout 9 git checkout old',
  'sleep 9 | git checkout old',
  'git bisect run sh x | tail -1',
  'git rebase -x make main | tail -1',
  'B=old; git checkout $B',
  'git() { make; }; git checkout old',
  'PATH=.:$PATH; git checkout old',
  'for t in a b; do git checkout $t; done',
];

describe('The company that git keeps in a line', () => {
  for (const shell of ['full', 'static'] as const)
    it(`ends with git and changes nothing, where it may bring protected files: ${shell}`, async () => {
      const parser = await loadShellParser();
      const brings = (line: string): boolean => {
        const plan = parser.parse(line, shell);
        return plan.success && bringsFiles(plan.value);
      };
      expect(TRUE.filter((line) => !brings(line))).to.deep.equal([]);
      expect(FALSE.filter(brings)).to.deep.equal([]);
    });

  it('is not kept by a program that the line leaves behind', () => {
    const sleep = { kind: 'command', words: [{ kind: 'literal', text: 'sleep' }], redirects: [] } as const;
    expect(keepsGitCompany({ kind: 'background', body: sleep })).to.equal(false);
  });
});
