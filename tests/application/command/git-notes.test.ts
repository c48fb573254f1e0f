import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import { leftBehindFailure } from '../../../src/application/command/left-behind.js';
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

  describe('where git could not read', () => {
    const HIDDEN = 'error: data/x.txt: unsupported file type\n';

    function failure(line: string, parts: Partial<CommandOutcome>): string {
      return leftBehindFailure(plan(line), outcome(parts), NO_TRACES)?.message ?? '';
    }

    it('names the file that git gave up at, also where another program has the last word', () => {
      const stderr = `${HIDDEN}fatal: cannot hash data/x.txt\n`;
      expect(failure('git diff', { exitCode: 128, stderr })).to.include('needs data/x.txt, which the policy');
      expect(failure('git diff | wc -l', { stderr })).to.include('needs data/x.txt');
    });

    it('says nothing where git went on, or something else complains', () => {
      expect(failure('git status | cat', { stderr: HIDDEN })).to.equal('');
      expect(failure('git diff | cat', { stderr: 'fatal: not a git repository\n' })).to.equal('');
      expect(failure('cat x', { exitCode: 1, stderr: `${HIDDEN}fatal: x\n` })).to.equal('');
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
