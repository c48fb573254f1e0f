import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type {
  FileAccess,
  PathGuard,
  SafeFileSystem,
  WalkEntry,
  WalkOptions,
} from '../../src/application/ports/file/safe-file-system.js';
import { Result } from '../../src/domain/result.js';

export interface FileSystemUnderTest {
  readonly files: SafeFileSystem;
  /** An empty folder that may be used, and one beside it that may not. */
  readonly root: string;
  readonly outside: string;
  seedFile(path: string, content: string): Promise<void>;
  seedFolder(path: string): Promise<void>;
  seedLink(path: string, target: string): Promise<void>;
  dispose(): Promise<void>;
}

export function rootGuard(root: string, denied: readonly string[] = []): PathGuard {
  const inside = (path: string) =>
    (path === root || path.startsWith(`${root}/`)) &&
    !denied.some((other) => path === other || path.startsWith(`${other}/`));
  return { mayRead: inside, mayWrite: inside };
}

/** What every implementation of the port must do. */
export function safeFileSystemContract(name: string, create: () => Promise<FileSystemUnderTest>): void {
  describe(`SafeFileSystem: ${name}`, () => {
    let disk: FileSystemUnderTest;
    let access: FileAccess;
    const at = (relative: string) => `${disk.root}/${relative}`;

    beforeEach(async () => {
      disk = await create();
      access = { guard: rootGuard(disk.root), signal: new AbortController().signal };
    });
    afterEach(() => disk.dispose());

    async function text(path: string, using = access): Promise<string> {
      const read = await disk.files.readBytes(path, { offset: 0, length: 1_000_000 }, using);
      return read.success ? Buffer.from(read.value.bytes).toString() : `refused: ${read.error.kind}`;
    }
    async function put(path: string, content: string, mode: 'overwrite' | 'create' | 'append' = 'overwrite') {
      const written = await disk.files.write(path, content, { mode }, access);
      return written.success ? written.value : written.error.kind;
    }
    async function tree(path: string, options: WalkOptions = {}, using = access): Promise<WalkEntry[]> {
      const walk = await disk.files.walk(path, options, using);
      if (!walk.success) throw new Error(walk.error.kind);
      const entries: WalkEntry[] = [];
      for await (const batch of walk.value) entries.push(...batch);
      return entries;
    }
    const paths = (entries: readonly WalkEntry[]) => entries.map((entry) => entry.path);
    const kindOf = (result: Result<unknown, { readonly message: string; readonly kind?: string }>) =>
      result.success ? 'done' : result.error.kind;
    const denying = (...denied: string[]): FileAccess => ({
      ...access,
      guard: rootGuard(disk.root, denied.map(at)),
    });

    describe('reading', () => {
      it('gives the bytes of a range and what the file is', async () => {
        await disk.seedFile(at('a.txt'), 'hello world');
        const read = await disk.files.readBytes(at('a.txt'), { offset: 6, length: 3 }, access);
        if (!read.success) throw new Error(read.error.message);
        expect(Buffer.from(read.value.bytes).toString()).to.equal('wor');
        expect(read.value.info).to.include({ kind: 'file', size: 11, realPath: at('a.txt') });
      });
      it('keeps an opened file readable after its name is gone', async () => {
        await disk.seedFile(at('a.txt'), 'hello');
        const opened = await disk.files.open(at('a.txt'), access);
        if (!opened.success) throw new Error(opened.error.message);
        await disk.files.remove(at('a.txt'), { recursive: false }, access);
        const read = await opened.value.read(1, 100);
        opened.value.close();
        expect(read.success && Buffer.from(read.value).toString()).to.equal('ello');
      });
      it('names what is missing, a folder, and a file used as a folder', async () => {
        await disk.seedFile(at('a.txt'), 'x');
        expect(await text(at('no'))).to.equal('refused: not-found');
        expect(await text(at('no/deeper'))).to.equal('refused: not-found');
        expect(await text(disk.root)).to.equal('refused: is-a-directory');
        expect(await text(at('a.txt/b'))).to.equal('refused: not-a-directory');
        expect(await text('relative')).to.equal('refused: invalid-path');
        expect(await text(at('a\0b'))).to.equal('refused: invalid-path');
      });
      it('refuses what the guard denies, whether it exists or not', async () => {
        await disk.seedFile(`${disk.outside}/secret`, 'secret');
        expect(await text(`${disk.outside}/secret`)).to.equal('refused: denied');
        expect(await text(`${disk.outside}/none`)).to.equal('refused: denied');
      });
      it('follows links that stay inside, in the middle and at the end', async () => {
        await disk.seedFile(at('real/a.txt'), 'inside');
        await disk.seedLink(at('relative'), 'real');
        await disk.seedLink(at('absolute'), at('real/a.txt'));
        await disk.seedLink(at('real/up'), '../relative/a.txt');
        expect(await text(at('relative/a.txt'))).to.equal('inside');
        expect(await text(at('absolute'))).to.equal('inside');
        expect(await text(at('real/up'))).to.equal('inside');
      });
      it('refuses links that leave, and tells nothing about what is there', async () => {
        await disk.seedFile(`${disk.outside}/secret`, 'secret');
        await disk.seedLink(at('file'), `${disk.outside}/secret`);
        await disk.seedLink(at('gone'), `${disk.outside}/none`);
        await disk.seedLink(at('folder'), disk.outside);
        await disk.seedLink(at('chain'), 'folder/secret');
        for (const path of ['file', 'gone', 'folder/secret', 'folder/none', 'folder/none/x', 'chain']) {
          expect(await text(at(path)), path).to.equal('refused: outside');
        }
      });
      it('refuses links to what is denied inside, and links in a circle', async () => {
        await disk.seedFile(at('private/key'), 'key');
        await disk.seedLink(at('link'), 'private/key');
        await disk.seedLink(at('one'), 'two');
        await disk.seedLink(at('two'), 'one');
        expect(await text(at('link'), denying('private'))).to.equal('refused: outside');
        expect(await text(at('one'))).to.equal('refused: too-many-links');
      });
      it('shows paths in messages the way the caller sees them', async () => {
        const shown = { ...access, display: (path: string) => path.slice(disk.root.length + 1) };
        const read = await disk.files.readBytes(at('no\n.txt'), { offset: 0, length: 1 }, shown);
        if (read.success) throw new Error('read');
        expect(read.error.message).to.contain('no\\x0a.txt').and.not.contain(disk.root);
      });
      it('describes a link itself, or what it leads to', async () => {
        await disk.seedFile(at('a.txt'), 'abc');
        await disk.seedLink(at('link'), 'a.txt');
        const itself = await disk.files.info(at('link'), { followLinks: false }, access);
        const target = await disk.files.info(at('link'), { followLinks: true }, access);
        expect(itself.success && itself.value).to.include({ kind: 'symlink', linkTarget: 'a.txt' });
        expect(target.success && target.value).to.include({ kind: 'file', size: 3, realPath: at('a.txt') });
      });
      it('does nothing for a call that is already cancelled', async () => {
        await disk.seedFile(at('a.txt'), 'x');
        expect(await text(at('a.txt'), { ...access, signal: AbortSignal.abort() })).to.equal(
          'refused: cancelled',
        );
      });
    });

    describe('writing', () => {
      it('writes what comes in pieces as one file, and nothing where its source fails', async () => {
        const pieces = async function* (fails: boolean) {
          yield Buffer.from('one ');
          await Promise.resolve();
          if (fails) throw new Error('no more');
          yield Buffer.from('two');
        };
        await disk.seedFile(at('a.txt'), 'old ');
        for (const [mode, content, lost] of [
          ['overwrite', 'one two', { replaced: 4 }],
          ['append', 'one twoone two', {}],
        ] as const) {
          const written = await disk.files.write(at('a.txt'), pieces(false), { mode }, access);
          expect(written.success && written.value).to.deep.equal({ created: false, bytes: 7, ...lost });
          expect(await text(at('a.txt'))).to.equal(content);
        }
        const failing = disk.files.write(at('b.txt'), pieces(true), { mode: 'create' }, access);
        expect(await failing.catch((error: Error) => error.message)).to.equal('no more');
        expect(paths(await tree(disk.root))).to.deep.equal(['a.txt']);
      });
      it('creates, replaces and appends', async () => {
        expect(await put(at('a'), 'one')).to.deep.equal({ created: true, bytes: 3 });
        expect(await put(at('a'), 'three')).to.deep.equal({ created: false, bytes: 5, replaced: 3 });
        expect(await text(at('a'))).to.equal('three');
        await put(at('a'), '+', 'append');
        await put(at('b'), 'new', 'append');
        expect(await text(at('a'))).to.equal('three+');
        expect(await text(at('b'))).to.equal('new');
      });
      it('keeps long texts apart that are written at once, and from those that were written before', async () => {
        for (const lengths of [
          [30_000, 300_000, 400_000],
          [400_000, 30_000, 200_000],
        ]) {
          const texts = lengths.map((length, index) => `${index}é`.repeat(length / 2));
          await Promise.all(texts.map((content, index) => put(at(`${index}`), content)));
          for (const [index, content] of texts.entries())
            expect((await text(at(`${index}`))) === content, `text ${index}`).to.equal(true);
        }
      });
      it('never replaces when told to create', async () => {
        await put(at('a'), 'one', 'create');
        expect(await put(at('a'), 'two', 'create')).to.equal('already-exists');
        expect(await text(at('a'))).to.equal('one');
      });
      it('makes the folders above only when told so', async () => {
        expect(await put(at('x/y/a'), '1')).to.equal('not-found');
        const options = { mode: 'overwrite', createParents: true } as const;
        expect(kindOf(await disk.files.write(at('x/y/a'), '1', options, access))).to.equal('done');
        expect(await text(at('x/y/a'))).to.equal('1');
      });
      it('keeps a changed version apart from the old one', async () => {
        await put(at('a'), '1');
        const before = await disk.files.info(at('a'), { followLinks: true }, access);
        await put(at('a'), '2');
        const after = await disk.files.info(at('a'), { followLinks: true }, access);
        expect(before.success && before.value.version).to.not.equal(after.success && after.value.version);
      });
      it('writes through a link that stays inside, and keeps the link', async () => {
        await disk.seedFile(at('real.txt'), 'old');
        await disk.seedLink(at('link'), 'real.txt');
        await put(at('link'), 'new');
        expect(await text(at('real.txt'))).to.equal('new');
        const link = await disk.files.info(at('link'), { followLinks: false }, access);
        expect(link.success && link.value.kind).to.equal('symlink');
      });
      it('refuses to write through links that leave', async () => {
        await disk.seedFile(`${disk.outside}/a`, 'old');
        await disk.seedLink(at('file'), `${disk.outside}/a`);
        await disk.seedLink(at('new'), `${disk.outside}/b`);
        await disk.seedLink(at('folder'), disk.outside);
        for (const path of ['file', 'new', 'folder/a', 'folder/c']) {
          for (const mode of ['overwrite', 'create', 'append'] as const) {
            expect(await put(at(path), 'x', mode), `${path} ${mode}`).to.equal('outside');
          }
        }
        expect(await text(`${disk.outside}/a`, { ...access, guard: rootGuard(disk.outside) })).to.equal(
          'old',
        );
      });
      it('refuses folders, and what the guard denies', async () => {
        await disk.seedFolder(at('folder'));
        expect(await put(at('folder'), 'x')).to.equal('is-a-directory');
        expect(await put(`${disk.outside}/x`, 'x')).to.equal('denied');
        const denied = denying('secret');
        const parents = { mode: 'overwrite', createParents: true } as const;
        expect(kindOf(await disk.files.write(at('secret/a/b'), 'x', parents, denied))).to.equal('denied');
        expect(paths(await tree(disk.root))).to.deep.equal(['folder']);
      });
      it('updates one file for many callers without losing a change', async () => {
        await put(at('count'), '0');
        const addOne = () =>
          disk.files.update(
            at('count'),
            { maxBytes: 100 },
            async (bytes) => Result.ok(Buffer.from(String(Number(Buffer.from(bytes).toString()) + 1))),
            access,
          );
        const all = await Promise.all(Array.from({ length: 20 }, addOne));
        expect(all.every((one) => one.success)).to.equal(true);
        expect(await text(at('count'))).to.equal('20');
      });
      it('leaves the file alone when an update refuses, and bounds what it reads', async () => {
        await put(at('a'), 'content');
        const refuse = async () => Result.failure({ message: 'no match' }, 'EditError');
        const refused = await disk.files.update(at('a'), { maxBytes: 100 }, refuse, access);
        expect(refused.success ? '' : refused.error.message).to.equal('no match');
        const large = await disk.files.update(at('a'), { maxBytes: 3 }, refuse, access);
        expect(kindOf(large)).to.equal('too-large');
        expect(await text(at('a'))).to.equal('content');
      });
    });

    describe('folders, moves, copies, removals', () => {
      it('makes folders, with those above when told so', async () => {
        const make = (path: string, parents: boolean) =>
          disk.files.makeDirectory(at(path), { parents }, access);
        expect(kindOf(await make('a/b', false))).to.equal('not-found');
        const made = await make('a/b/c', true);
        expect(made.success && made.value).to.equal(3);
        const again = await make('a/b/c', true);
        expect(again.success && again.value).to.equal(0);
        expect(kindOf(await make('a', false))).to.equal('already-exists');
        await put(at('file'), '');
        expect(kindOf(await make('file', true))).to.equal('not-a-directory');
      });
      it('moves files and folders, and replaces only when told so', async () => {
        await disk.seedFile(at('d/a'), '1');
        await disk.seedFile(at('b'), '2');
        const move = async (from: string, to: string, overwrite = false) =>
          kindOf(await disk.files.move(at(from), at(to), { overwrite }, access));
        expect(await move('d/a', 'b')).to.equal('already-exists');
        expect(await move('d/a', 'b', true)).to.equal('done');
        expect(await text(at('b'))).to.equal('1');
        expect(await move('b', 'd/c')).to.equal('done');
        expect(await move('d', 'e')).to.equal('done');
        expect(await move('e', 'e/f')).to.equal('invalid-path');
        expect(await move('none', 'x')).to.equal('not-found');
        expect(paths(await tree(disk.root))).to.deep.equal(['e', 'e/c']);
      });
      it('moves a link and not what it leads to', async () => {
        await disk.seedFile(`${disk.outside}/a`, '1');
        await disk.seedLink(at('link'), `${disk.outside}/a`);
        expect(kindOf(await disk.files.move(at('link'), at('other'), { overwrite: false }, access))).to.equal(
          'done',
        );
        expect((await tree(disk.root)).map((entry) => [entry.path, entry.kind])).to.deep.equal([
          ['other', 'symlink'],
        ]);
      });
      it('moves nothing out, in, or away from what may not be touched', async () => {
        await disk.seedFile(at('d/secret/key'), '1');
        await disk.seedFile(`${disk.outside}/a`, '1');
        const move = async (from: string, to: string, using: FileAccess) =>
          kindOf(await disk.files.move(from, to, { overwrite: false }, using));
        expect(await move(`${disk.outside}/a`, at('a'), access)).to.equal('denied');
        expect(await move(at('d'), `${disk.outside}/d`, access)).to.equal('denied');
        expect(await move(at('d'), at('e'), denying('d/secret'))).to.equal('denied');
        expect(await move(at('d'), at('e'), denying('e/secret'))).to.equal('denied');
        expect(paths(await tree(disk.root))).to.deep.equal(['d', 'd/secret', 'd/secret/key']);
      });
      it('copies files and trees, without what may not be read', async () => {
        await disk.seedFile(at('d/a'), '12345');
        await disk.seedFile(at('d/e/b'), '1');
        await disk.seedFile(at('d/secret'), '1');
        await disk.seedLink(at('d/link'), 'a');
        const copied = await disk.files.copy(at('d'), at('c'), { overwrite: false }, denying('d/secret'));
        expect(copied.success && copied.value).to.deep.equal({
          files: 3,
          directories: 2,
          bytes: 6,
          skipped: 1,
        });
        expect(paths(await tree(at('c')))).to.deep.equal(['a', 'e', 'e/b', 'link']);
        expect(await text(at('c/a'))).to.equal('12345');
        const one = async (overwrite: boolean) =>
          kindOf(await disk.files.copy(at('d/a'), at('d/e/b'), { overwrite }, access));
        expect(await one(false)).to.equal('already-exists');
        expect(await one(true)).to.equal('done');
        expect(await text(at('d/e/b'))).to.equal('12345');
        expect(kindOf(await disk.files.copy(at('d'), at('d/x'), { overwrite: false }, access))).to.equal(
          'invalid-path',
        );
      });
      it('copies nothing through links that leave', async () => {
        await disk.seedFile(`${disk.outside}/a`, 'secret');
        await disk.seedLink(at('link'), `${disk.outside}/a`);
        expect(kindOf(await disk.files.copy(at('link'), at('x'), { overwrite: false }, access))).to.equal(
          'outside',
        );
      });
      it('removes a file, an empty folder, a link and not its target, a tree when told so', async () => {
        await disk.seedFile(at('d/e/a'), '1');
        await disk.seedFile(`${disk.outside}/a`, '1');
        await disk.seedLink(at('d/link'), disk.outside);
        const remove = (path: string, recursive: boolean) =>
          disk.files.remove(at(path), { recursive }, access);
        expect(kindOf(await remove('d', false))).to.equal('not-empty');
        const removed = await remove('d', true);
        expect(removed.success && removed.value).to.include({ files: 2, directories: 2 });
        expect(kindOf(await remove('d', true))).to.equal('not-found');
        expect(await text(`${disk.outside}/a`, { ...access, guard: rootGuard(disk.outside) })).to.equal('1');
      });
      it('removes nothing of a tree that contains what may not be written', async () => {
        await disk.seedFile(at('d/a'), '1');
        await disk.seedFile(at('d/keep/b'), '1');
        const refused = await disk.files.remove(at('d'), { recursive: true }, denying('d/keep'));
        expect(kindOf(refused)).to.equal('denied');
        expect(paths(await tree(at('d')))).to.deep.equal(['a', 'keep', 'keep/b']);
      });
    });

    describe('walking', () => {
      const seed = async () => {
        for (const path of ['b/2', 'b/1/x', 'a', 'c', 'b/1/y', 'b.txt']) await disk.seedFile(at(path), path);
      };
      const order = ['a', 'b', 'b/1', 'b/1/x', 'b/1/y', 'b/2', 'b.txt', 'c'];

      it('goes by name within a folder, a folder before its content', async () => {
        await seed();
        expect(paths(await tree(disk.root))).to.deep.equal(order);
      });
      it('goes as deep as told', async () => {
        await seed();
        expect(paths(await tree(disk.root, { maxDepth: 1 }))).to.deep.equal(['a', 'b', 'b.txt', 'c']);
        expect(paths(await tree(disk.root, { maxDepth: 2 }))).to.not.include('b/1/x');
      });
      it('goes on after any path, also one that is gone by now', async () => {
        await seed();
        for (const [index, path] of order.entries()) {
          expect(paths(await tree(disk.root, { after: path })), path).to.deep.equal(order.slice(index + 1));
        }
        expect(paths(await tree(disk.root, { after: 'b/1/xx' }))).to.deep.equal(order.slice(4));
        expect(paths(await tree(disk.root, { after: 'b/0/zzz' }))).to.deep.equal(order.slice(2));
      });
      it('leaves out what may not be read, and does not follow links', async () => {
        await seed();
        await disk.seedLink(at('link'), 'b');
        const seen = await tree(disk.root, {}, denying('b/1', 'c'));
        expect(paths(seen)).to.deep.equal(['a', 'b', 'b/2', 'b.txt', 'link']);
        expect(seen.at(-1)?.kind).to.equal('symlink');
      });
      it('lets a filter decide folder by folder, with the text of a rules file', async () => {
        await seed();
        await disk.seedFile(at('b/.rules'), '1');
        const options: WalkOptions = {
          rulesFile: '.rules',
          enter: (_, rules) => (rules === undefined ? undefined : (entry) => entry !== rules),
        };
        expect(paths(await tree(disk.root, options))).to.deep.equal([
          'a',
          'b',
          'b/.rules',
          'b/2',
          'b.txt',
          'c',
        ]);
      });
      it('tells only of what is selected, and looks into the other folders all the same', async () => {
        await seed();
        const named = await tree(disk.root, { select: (entry) => entry === 'x' || entry === 'c' });
        expect(paths(named)).to.deep.equal(['b/1/x', 'c']);
        const placed = await tree(disk.root, { select: (entry, folder) => `${folder}/${entry}` === 'b/1' });
        expect(paths(placed)).to.deep.equal(['b/1']);
        const denied = await tree(disk.root, { select: () => true }, denying('b/1'));
        expect(paths(denied)).to.deep.equal(['a', 'b', 'b/2', 'b.txt', 'c']);
      });
      it('tells of each folder whether all of its files were entries', async () => {
        await seed();
        const left = async (options: WalkOptions, using?: FileAccess) => {
          const told: string[] = [];
          const leave: WalkOptions['leave'] = (folder, files, whole) =>
            told.push(`${folder === '' ? '.' : folder} ${files}${whole ? '' : ' of more'}`);
          await tree(disk.root, { ...options, leave }, using);
          return told.sort();
        };
        expect(await left({})).to.deep.equal(['. 3', 'b 1', 'b/1 2']);
        expect(await left({}, denying('c'))).to.deep.equal(['. 2 of more', 'b 1', 'b/1 2']);
        expect(await left({}, denying('b/1'))).to.deep.equal(['. 3', 'b 1']);
        expect(await left({ select: (name) => name === 'a' })).to.deep.equal([
          '. 1 of more',
          'b 0 of more',
          'b/1 0 of more',
        ]);
        expect(await left({ enter: () => (name) => name !== 'x' })).to.deep.equal([
          '. 3',
          'b 1',
          'b/1 1 of more',
        ]);
        expect(await left({ after: 'b/1/x' })).to.deep.equal(['. 2 of more', 'b 1', 'b/1 1 of more']);
        expect(await left({ after: 'b.txt' })).to.deep.equal(['. 1 of more']);
      });
      it('tells sizes when asked', async () => {
        await seed();
        const [first] = await tree(disk.root, { times: true });
        expect(first?.times?.size).to.equal(1);
      });
      it('refuses files, what is missing, and links that leave', async () => {
        await disk.seedFile(at('a'), '');
        await disk.seedLink(at('link'), disk.outside);
        const walk = async (path: string) => kindOf(await disk.files.walk(at(path), {}, access));
        expect(await walk('a')).to.equal('not-a-directory');
        expect(await walk('none')).to.equal('not-found');
        expect(await walk('link')).to.equal('outside');
      });
    });
  });
}
