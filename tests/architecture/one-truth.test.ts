import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const SOURCE = join(import.meta.dirname, '../../src');

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
const filesWith = (pattern: RegExp): readonly string[] =>
  files.filter((name) => pattern.test(readFileSync(join(SOURCE, name), 'utf8')));

describe('One truth', () => {
  it('the folders of the system are listed once, for policy, sandbox and program search', () => {
    expect(filesWith(/'\/(usr|sbin|lib64|nix\/store)'/)).to.deep.equal([
      'domain/permission/path/system-folders.ts',
    ]);
  });

  it('the code of an error of the system is read in one place', () => {
    expect(filesWith(/instanceof Error && 'code' in/)).to.have.members(['infrastructure/state/errno.ts']);
  });

  it('one place asks whether a process lives', () => {
    expect(filesWith(/\.kill\([^)]*, 0\)/)).to.deep.equal(['infrastructure/state/process-identity.ts']);
  });

  it('C32: processes are started with execa by one starter, commands too, but for a question that cannot wait', () => {
    expect(filesWith(/import (?!type )[^;]*'execa'|import\('execa'\);/)).to.deep.equal([
      'infrastructure/process/process-starter.ts',
    ]);
    expect(filesWith(/import (?!type )[^;]*'node:child_process'/)).to.have.members([
      'infrastructure/process/ask-at-once.ts',
    ]);
  });

  it('what several servers write is locked and replaced in one place', () => {
    expect(filesWith(/new FileLock\(/)).to.deep.equal(['infrastructure/state/locked-file.ts']);
    expect(filesWith(/new LockedFile\(/)).to.have.members([
      'infrastructure/approval/pin-file.ts',
      'infrastructure/flag/flag-file.ts',
      'infrastructure/model/file-token-ledger.ts',
      'infrastructure/policy/file-trust-store.ts',
    ]);
  });
});
