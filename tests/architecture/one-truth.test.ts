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
});
