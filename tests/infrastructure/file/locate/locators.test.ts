import { closeSync, constants, mkdirSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FileAccess } from '../../../../src/application/ports/file/safe-file-system.js';
import { faultKindOf } from '../../../../src/infrastructure/file/file-fault.js';
import { GenericLocator } from '../../../../src/infrastructure/file/locate/generic-locator.js';
import { LinuxLocator } from '../../../../src/infrastructure/file/locate/linux-locator.js';
import {
  type PathLocator,
  type Permission,
  releasePlace,
} from '../../../../src/infrastructure/file/locate/path-locator.js';
import { TemporaryDisk } from '../../../support/temporary-disk.js';

/** What a path in the workspace leads to, or why not: `w` is the workspace, `o` the folder beside it. */
const LOCATED: readonly (readonly [path: string, permission: Permission, wanted: string])[] = [
  ['w/file', 'read', 'w/file'],
  ['w', 'read', 'w'],
  ['w/sub/file', 'both', 'w/sub/file'],
  ['w/missing', 'read', 'not-found'],
  ['w/missing/file', 'read', 'not-found'],
  ['w/file/below', 'read', 'not-a-directory'],
  ['w/secret', 'read', 'denied'],
  ['w/frozen', 'read', 'w/frozen'],
  ['w/frozen', 'write', 'denied'],
  ['w/frozen', 'both', 'denied'],
  ['w/secret', 'write', 'w/secret'],
  ['w/secret', 'both', 'denied'],
  ['o/file', 'read', 'denied'],
  ['w/to-file', 'read', 'w/file'],
  ['w/to-sub/file', 'read', 'w/sub/file'],
  ['w/to-to-sub/file', 'read', 'w/sub/file'],
  ['w/sub/up', 'read', 'w/file'],
  ['w/absolute', 'read', 'w/file'],
  ['w/to-secret', 'read', 'outside'],
  ['w/to-frozen', 'write', 'outside'],
  ['w/escape', 'read', 'outside'],
  ['w/escape/file', 'read', 'outside'],
  ['w/escape/missing', 'read', 'outside'],
  ['w/to-kernel/status', 'read', 'special-file'],
  ['w/ring', 'read', 'too-many-links'],
];

/** Where something would be written: its folder and name, whether it is there, and with its last link followed. */
const PLACED: readonly (readonly [path: string, wanted: string, followed: string])[] = [
  ['w/file', 'w/file there', 'w/file there'],
  ['w/new', 'w/new free', 'w/new free'],
  ['w/sub/new', 'w/sub/new free', 'w/sub/new free'],
  ['w/to-file', 'w/to-file there', 'w/file there'],
  ['w/to-sub/new', 'w/sub/new free', 'w/sub/new free'],
  ['w/escape', 'w/escape there', 'outside'],
  ['w/escape/new', 'outside', 'outside'],
  ['w/frozen', 'denied', 'denied'],
  ['w/to-frozen', 'w/to-frozen there', 'outside'],
  ['w/missing/new', 'not-found', 'not-found'],
  ['w/file/new', 'not-a-directory', 'not-a-directory'],
  ['o/new', 'denied', 'denied'],
];

const LOCATORS: readonly (readonly [string, () => PathLocator])[] = [
  ['by descriptor on Linux', () => new LinuxLocator()],
  ['by real path elsewhere', () => new GenericLocator('generic')],
];

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

for (const [how, make] of LOCATORS) {
  describe(`Paths that are found ${how}`, () => {
    let disk: TemporaryDisk;
    let access: FileAccess;

    beforeEach(() => {
      disk = new TemporaryDisk();
      const inside = (path: string) => path === disk.root || path.startsWith(`${disk.root}/`);
      access = {
        guard: {
          mayRead: (path) => (inside(path) && path !== at('w/secret')) || path.startsWith('/proc/'),
          mayWrite: (path) => inside(path) && path !== at('w/frozen'),
        },
        signal: new AbortController().signal,
      };
      for (const name of ['w/file', 'w/sub/file', 'w/secret', 'w/frozen', 'o/file'])
        disk.file(at(name), name);
      for (const [link, target] of [
        ['to-file', 'file'],
        ['to-sub', 'sub'],
        ['to-to-sub', './to-sub/'],
        ['sub/up', '../file'],
        ['to-secret', 'secret'],
        ['to-frozen', 'frozen'],
        ['to-kernel', '/proc/self'],
        ['ring', 'ring'],
      ] as const)
        disk.link(at(`w/${link}`), target);
      disk.link(at('w/absolute'), at('w/file'));
      disk.link(at('w/escape'), disk.outside);
    });
    afterEach(() => disk.dispose());

    function at(path: string): string {
      return path.replace(/^w/, disk.root).replace(/^o/, disk.outside);
    }

    function shown(real: string): string {
      return real.replace(disk.root, 'w').replace(disk.outside, 'o');
    }

    /** What it gives, or the kind of its refusal. Neither leaves a descriptor open. */
    function outcome(work: () => string): string {
      const before = openDescriptors();
      try {
        return work();
      } catch (error) {
        return faultKindOf(error) ?? `bug: ${String(error)}`;
      } finally {
        expect(openDescriptors()).to.equal(before);
      }
    }

    function located(path: string, permission: Permission, more: Partial<FileAccess> = {}): string {
      return outcome(() => {
        const held = make().locate(at(path), permission, { ...access, ...more });
        held.release();
        return shown(held.real);
      });
    }

    function placed(path: string, follow: boolean, more: Partial<FileAccess> = {}): string {
      return outcome(() => {
        const place = make().place(at(path), follow, 'write', { ...access, ...more });
        releasePlace(place);
        expect(`${place.parent.real}/${place.name}`).to.equal(place.real);
        return `${shown(place.real)} ${place.child === undefined ? 'free' : 'there'}`;
      });
    }

    for (const [path, permission, wanted] of LOCATED) {
      it(`to ${permission} ${path}: ${wanted}`, () => expect(located(path, permission)).to.equal(wanted));
    }

    for (const [path, wanted, followed] of PLACED) {
      it(`to put something at ${path}: ${wanted}`, () => {
        expect(placed(path, false)).to.equal(wanted);
        expect(placed(path, true)).to.equal(followed);
      });
    }

    it('lead through no object that was denied in another place', () => {
      const { ino } = statSync(at('w/sub'));
      const isDeniedObject = (object: { readonly ino: number }) => object.ino === ino;
      expect(located('w/sub/file', 'read', { isDeniedObject })).to.equal('denied');
      expect(located('w/sub', 'read', { isDeniedObject })).to.equal('denied');
      expect(located('w/file', 'read', { isDeniedObject })).to.equal('w/file');
      expect(placed('w/sub/new', false, { isDeniedObject })).to.equal('denied');
      expect(placed('w/new', false, { isDeniedObject })).to.equal('w/new free');
    });

    it('end at a link to nothing as outside, whatever is missing there', () => {
      symlinkSync(join(disk.outside, 'nothing'), at('w/dangling'));
      expect(located('w/dangling', 'read')).to.equal('outside');
      expect(located('w/dangling/below', 'read')).to.equal('outside');
    });

    it('open regular files and nothing else', () => {
      const locator = make();
      const open = (path: string) =>
        outcome(() => {
          const held = locator.locate(at(path), 'read', access);
          try {
            closeSync(locator.openRegular(held, constants.O_RDONLY));
            return 'opened';
          } finally {
            held.release();
          }
        });
      expect(open('w/file')).to.equal('opened');
      expect(open('w/to-file')).to.equal('opened');
      expect(open('w/sub')).to.equal('is-a-directory');
    });

    it('are entered by name, and never through a link', () => {
      const locator = make();
      const enter = (name: string | Buffer) =>
        outcome(() => {
          const parent = locator.locate(disk.root, 'read', access);
          try {
            const held = locator.descend(parent, name);
            held.release();
            return shown(held.real);
          } finally {
            parent.release();
          }
        });
      expect(enter('sub')).to.equal('w/sub');
      expect(enter(Buffer.from('sub'))).to.equal('w/sub');
      expect(enter('to-sub')).to.be.oneOf(['not-a-directory', 'too-many-links']);
      expect(enter('file')).to.equal('not-a-directory');
      expect(enter('missing')).to.equal('not-found');
    });
  });
}

describe('A path that is held without descriptors', () => {
  it('is not taken for what has come in its place', () => {
    const disk = new TemporaryDisk();
    try {
      const folder = join(disk.root, 'folder');
      mkdirSync(folder);
      const access: FileAccess = {
        guard: { mayRead: () => true, mayWrite: () => true },
        signal: new AbortController().signal,
      };
      const held = new GenericLocator('generic').locate(folder, 'read', access);
      held.confirm();
      renameSync(folder, `${folder}-moved`);
      symlinkSync(`${folder}-moved`, folder);
      expect(() => held.confirm()).to.throw('outside');
    } finally {
      disk.dispose();
    }
  });
});
