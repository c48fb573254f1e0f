import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  boundSandbox,
  checkBound,
  hidesFolderEntry,
  isBeyond,
  type PathBound,
} from '../../../../src/domain/permission/path/path-bounds.js';
import { PathRules } from '../../../../src/domain/permission/path/path-rules.js';
import type { SandboxProfile } from '../../../../src/domain/permission/policy/obligations.js';

const at = { file: 'p', line: 1, column: 1 };

function bound(...patterns: readonly string[]): PathBound {
  const paths = PathRules.compile(patterns.map((pattern) => ({ pattern, at })));
  if (!paths.success) throw new Error(paths.error);
  return { paths: paths.value, at };
}

describe('Bounds of all tools', () => {
  it('bind what they name, each for its own access', () => {
    const bounds = { read: bound('/w'), write: bound('/w/out') };
    expect(isBeyond(bounds, 'read', '/w/a')).to.equal(false);
    expect(isBeyond(bounds, 'read', '/x')).to.equal(true);
    expect(isBeyond(bounds, 'write', '/w/a')).to.equal(true);
    expect(isBeyond(bounds, 'write', '/w/out/a')).to.equal(false);
    expect(isBeyond({}, 'write', '/x')).to.equal(false);
    expect(isBeyond(bounds, 'read', '/'), 'a folder on the way').to.equal(false);
    expect(isBeyond(bounds, 'write', '/w'), 'a folder on the way').to.equal(true);
  });

  it('refuse with the key that has to change', () => {
    const layer = { workspace: '/w', bounds: { read: bound('/w/src'), write: bound('/w/out') } };
    expect(checkBound(layer, 'read', '/w/src/a')).to.equal(undefined);
    expect(checkBound({ ...layer, bounds: {} }, 'read', '/x')).to.equal(undefined);
    const reading = checkBound(layer, 'read', '/w/a');
    expect(reading?.reason).to.equal('NO_ALLOW');
    expect(reading?.hint).to.include('read files only in src,');
    expect(reading?.message).to.include('allowed_paths of files.read');
    expect(checkBound(layer, 'write', '/x')?.hint).to.include('change files only in out,');
  });

  it('hide from walks what leads to nothing that may be read', () => {
    const bounds = { read: bound('/w/src/lib', '/data') };
    const hidden = (folder: string, name: string) => hidesFolderEntry(bounds, folder)(name);
    expect(hidden('/', 'w')).to.equal(false);
    expect(hidden('/w', 'src')).to.equal(false);
    expect(hidden('/w/src', 'lib')).to.equal(false);
    expect(hidden('/w/src/lib', 'a')).to.equal(false);
    expect(hidden('/', 'data')).to.equal(false);
    expect(hidden('/w', 'sr')).to.equal(true);
    expect(hidden('/w/src', 'a')).to.equal(true);
    expect(hidden('/', 'x')).to.equal(true);
    expect(hidesFolderEntry({}, '/')('x')).to.equal(false);
  });
});

describe('boundSandbox', () => {
  const profile: SandboxProfile = {
    name: 's',
    read: ['/w', '/opt'],
    write: ['/w/out'],
    hide: [],
    network: 'none',
    seccomp: 'default',
  };

  it('leaves a sandbox as it is where nothing binds', () => {
    expect(boundSandbox(profile, {})).to.equal(profile);
    expect(boundSandbox(undefined, { read: bound('/w') })).to.equal(undefined);
    expect(boundSandbox(profile, { read: bound('*') })).to.deep.equal({
      ...profile,
      read: ['/w', '/opt', '/w/out'],
    });
  });

  it('leaves the folders that both have, whichever is the narrower', () => {
    expect(boundSandbox(profile, { read: bound('/w/src', '/opt/a', '/x') })).to.deep.include({
      read: ['/w/src', '/opt/a'],
      write: [],
    });
    expect(boundSandbox(profile, { read: bound('/') })).to.deep.include({
      read: ['/w', '/opt', '/w/out'],
      write: ['/w/out'],
    });
    expect(boundSandbox(profile, { write: bound('/w') })).to.deep.include({
      read: ['/w', '/opt', '/w/out'],
      write: ['/w/out'],
    });
    expect(boundSandbox(profile, { write: bound('/w/out/a', '/opt') })).to.deep.include({
      write: ['/w/out/a'],
    });
    expect(boundSandbox(profile, { read: bound('/w'), write: bound('/w/out') })).to.deep.include({
      write: ['/w/out'],
    });
  });

  it('takes no folder from a pattern', () => {
    expect(boundSandbox(profile, { read: bound('/w/*', '/w/{a,b}', '/opt') })).to.deep.include({
      read: ['/opt'],
      write: [],
    });
  });
});
