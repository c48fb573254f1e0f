import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { MaskedPrograms } from '../../../../src/infrastructure/command/program/masked-programs.js';

describe('MaskedPrograms', () => {
  let root: string;
  let bin: string;
  let covered: MaskedPrograms;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-covered-')));
    bin = join(root, 'bin');
    mkdirSync(bin);
    covered = new MaskedPrograms(`${bin}:relative:${root}/missing`);
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const program = (name: string, content: string | Buffer = '#!/bin/sh\n'): string => {
    const path = join(bin, name);
    writeFileSync(path, content);
    chmodSync(path, 0o755);
    return path;
  };
  /** What the machine of the test has by these names is not what the tests are about. */
  const filesOf = (...names: string[]): readonly string[] =>
    covered.filesOf(names).filter((path) => path.startsWith(root));

  it('finds nothing for nothing, and for a name that is not there', () => {
    program('zz-tool');
    expect(covered.filesOf([])).to.deep.equal([]);
    expect(covered.filesOf(['zz-other'])).to.deep.equal([]);
  });

  it('follows links to the file itself, and finds its other names', () => {
    const real = join(root, 'zz-tool-1.2');
    writeFileSync(real, '#!/bin/sh\n');
    symlinkSync(real, join(bin, 'zz-tool'));
    const [first, second] = [program('zz-second'), join(bin, 'zz-twin')];
    linkSync(first, second);
    expect(filesOf('zz-tool')).to.deep.equal([real]);
    expect(filesOf('zz-second')).to.deep.equal([first, second].sort());
  });

  it('never covers the shells that start commands', () => {
    expect(covered.filesOf(['sh', 'bash'])).not.to.include(realpathSync('/bin/sh'));
    symlinkSync('/bin/sh', join(bin, 'zz-shell'));
    expect(covered.filesOf(['zz-shell'])).to.deep.equal([]);
  });

  it('covers a file of many programs where nothing else leads to it, and keeps it where the rest needs it', () => {
    const box = program('busybox', Buffer.from('\0ls\0zz-tool\0rm\0'));
    expect(filesOf('zz-tool')).to.deep.equal([box]);
    expect(filesOf('zz-absent')).to.deep.equal([]);
    symlinkSync(box, join(bin, 'ls'));
    symlinkSync(box, join(bin, 'zz-tool'));
    covered = new MaskedPrograms(bin);
    expect(filesOf('zz-tool')).to.deep.equal([]);
    expect(filesOf('busybox')).to.deep.equal([box]);
  });

  it('looks again when a program has come', () => {
    expect(filesOf('zz-late')).to.deep.equal([]);
    const path = program('zz-late');
    expect(filesOf('zz-late')).to.deep.equal([path]);
  });
});
