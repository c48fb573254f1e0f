import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import { leftBehindFailure } from '../../../src/application/command/left-behind.js';
import { withUnread } from '../../../src/application/command/unread-by-git.js';
import type { CommandParser } from '../../../src/application/ports/command/command-parser.js';
import type { CommandOutcome } from '../../../src/application/ports/command/command-sandbox.js';
import type { CommandPlan } from '../../../src/domain/command/command-plan.js';
import { loadShellParser } from '../../../src/infrastructure/shell/shell-parser.js';

const NO_TRACES = { appeared: [], quarantined: [], findings: [] };

describe('What an answer says of git', () => {
  let parser: CommandParser;

  before(async () => {
    parser = await loadShellParser();
  });

  function plan(line: string): CommandPlan {
    const parsed = parser.parse(line, 'static');
    if (!parsed.success) throw new Error(parsed.error.message);
    return parsed.value;
  }

  function outcome(parts: Partial<CommandOutcome>): CommandOutcome {
    return {
      exitCode: 0,
      stdout: '',
      stderr: '',
      truncated: false,
      durationMs: 1,
      sandbox: 'bubblewrap',
      ...parts,
    };
  }

  describe('where a hidden file is tracked', () => {
    const SUMMARY = '[main 4151314] one\n 1 file changed, 0 insertions(+), 0 deletions(-)\n';

    function note(line: string, stdout: string, unread = ['data/private.txt']): string {
      return withUnread(plan(line), outcome({ stdout }), { ...NO_TRACES, unread }).hint ?? '';
    }

    it('names the file beside changes that git counted or printed', () => {
      expect(note('git cherry-pick one', SUMMARY)).to.include('hides data/private.txt from commands');
      expect(note('git commit --amend -a --no-edit', SUMMARY)).to.include('data/private.txt');
      expect(note('git diff HEAD~1', 'diff --git a/x b/x\n')).to.include('data/private.txt');
      expect(note('git log --stat', ' x | 3 +++\n')).to.include('data/private.txt');
    });

    it('names it where the changes went to a file or to another program', () => {
      expect(note('git diff HEAD~1 > all.patch', '')).to.include('data/private.txt');
      expect(note('git log -p | wc -l', '12\n')).to.include('data/private.txt');
      expect(note('git format-patch -1', '0001-one.patch\n')).to.include('data/private.txt');
    });

    it('says nothing where git told of no changes, or no such file is tracked', () => {
      expect(note('git status', 'nothing to commit\n')).to.equal('');
      expect(note('git log --oneline', '4151314 one\n')).to.equal('');
      expect(note('git cherry-pick one', SUMMARY, [])).to.equal('');
      expect(note('cat notes.txt', SUMMARY)).to.equal('');
    });

    it('keeps what else there is to say', () => {
      const hinted = outcome({ stdout: SUMMARY, hint: 'First.' });
      const told = withUnread(plan('git commit -m x'), hinted, { ...NO_TRACES, unread: ['a'] });
      expect(told.hint).to.match(/^First\. The policy hides a /);
    });
  });

  describe('where git could not write', () => {
    function failure(stderr: string): string {
      const ended = outcome({ exitCode: 1, stderr });
      return leftBehindFailure(plan('git merge topic'), ended, NO_TRACES)?.message ?? '';
    }

    it('names the whole file', () => {
      for (const [line, name] of [
        ['error: unable to create file docs/agents.md: Read-only file system', 'docs/agents.md'],
        ["error: unable to unlink old 'a b/ci.yml': Device or resource busy", 'a b/ci.yml'],
        ["warning: unable to unlink 'claude.md': Read-only file system", 'claude.md'],
      ] as const)
        expect(failure(`${line}\n`)).to.include(`could not write ${name}: other programs`);
    });

    it("takes no file of git's own for a protected one", () => {
      expect(failure('error: unable to create temporary file: Read-only file system\n')).to.equal('');
    });
  });
});
