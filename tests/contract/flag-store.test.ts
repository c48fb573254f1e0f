import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { FlagStore } from '../../src/application/ports/flag/flag-store.js';
import { type FlagName, type FlagScope, type FlagValue, parseFlagName } from '../../src/domain/flag/flag.js';
import { FileFlagStore } from '../../src/infrastructure/flag/file-flag-store.js';
import { RedisFlagStore } from '../../src/infrastructure/flag/redis-flag-store.js';
import { InMemoryFlagStore } from '../../src/testing/in-memory-flag-store.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { eventually } from '../support/eventually.js';
import { RedisServer } from '../support/redis-server.js';

/** Two stores as two processes would have them, on the same flags. */
interface Fixture {
  readonly name: string;
  open(): Promise<readonly [FlagStore, FlagStore]>;
  close(): Promise<void>;
}

function fileFixture(): Fixture {
  const folders: string[] = [];
  return {
    name: 'FileFlagStore',
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'castellan-flags-'));
      folders.push(folder);
      const files = {
        project: join(folder, 'work', '.castellan', 'flags.json'),
        global: join(folder, 'config', 'castellan', 'flags.json'),
      };
      const open = () => new FileFlagStore(files, new RecordingLogger());
      return [open(), open()];
    },
    close: async () => {
      for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
    },
  };
}

function redisFixture(): Fixture {
  let server: RedisServer | undefined;
  let project = 0;
  return {
    name: 'RedisFlagStore',
    open: async () => {
      server ??= await RedisServer.start();
      const { url } = server;
      project += 1;
      const open = () => new RedisFlagStore({ url, project: `p${project}` }, new RecordingLogger());
      const stores = [open(), open()] as const;
      const left = await stores[0].all('global');
      if (!left.success) throw new Error(left.error);
      for (const flag of left.value.keys()) await stores[0].set('global', name(flag), undefined);
      return stores;
    },
    close: async () => server?.stop(),
  };
}

const memoryFixture: Fixture = {
  name: 'InMemoryFlagStore',
  open: async () => {
    const store = new InMemoryFlagStore();
    return [store, store];
  },
  close: async () => {},
};

function name(raw: string): FlagName {
  const parsed = parseFlagName(raw);
  if (!parsed.success) throw new Error(parsed.error);
  return parsed.value;
}

async function read(store: FlagStore, scope: FlagScope): Promise<Readonly<Record<string, FlagValue>>> {
  const flags = await store.all(scope);
  if (!flags.success) throw new Error(flags.error);
  return Object.fromEntries(flags.value);
}

async function write(store: FlagStore, scope: FlagScope, flag: string, value?: FlagValue): Promise<void> {
  const written = await store.set(scope, name(flag), value);
  if (!written.success) throw new Error(written.error);
}

const flagValues: fc.Arbitrary<FlagValue> = fc.oneof(
  fc.boolean(),
  fc.string({ unit: 'binary' }),
  fc.array(fc.string()),
  fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string())), { noNullPrototype: true }),
);

for (const fixture of [memoryFixture, fileFixture(), redisFixture()]) {
  describe(`FlagStore: ${fixture.name}`, () => {
    let one: FlagStore;
    let two: FlagStore;

    beforeEach(async () => {
      [one, two] = await fixture.open();
    });

    afterEach(async () => {
      await one.close();
      await two.close();
    });

    after(() => fixture.close());

    it('begins empty', async () => {
      expect(await read(one, 'project')).to.deep.equal({});
      expect(await read(one, 'global')).to.deep.equal({});
    });

    it('shows to every process what one has set, sorted by name', async () => {
      await write(one, 'project', 'b', 'text');
      await write(two, 'project', 'a', { deep: ['x'] });
      expect(Object.entries(await read(two, 'project'))).to.deep.equal([
        ['a', { deep: ['x'] }],
        ['b', 'text'],
      ]);
      expect(await read(one, 'project')).to.deep.equal(await read(two, 'project'));
    });

    it('S0-53: a write to one scope leaves the other as it was', async () => {
      await write(one, 'project', 'same', 'project');
      await write(one, 'global', 'same', 'global');
      await write(two, 'global', 'other', true);
      expect(await read(two, 'project')).to.deep.equal({ same: 'project' });
      await write(one, 'project', 'same', undefined);
      expect(await read(two, 'project')).to.deep.equal({});
      expect(await read(two, 'global')).to.deep.equal({ other: true, same: 'global' });
    });

    it('removes what is set to nothing, and does not mind what is not there', async () => {
      await write(one, 'global', 'gone', 'x');
      await write(two, 'global', 'gone', undefined);
      await write(two, 'global', 'never', undefined);
      expect(await read(one, 'global')).to.deep.equal({});
    });

    it('gives back every value as it was given', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('a', '__proto__', 'constructor'),
          flagValues,
          async (flag, value) => {
            await write(one, 'project', flag, value);
            const flags = await two.all('project');
            expect(flags.success && flags.value.get(flag)).to.deep.equal(value);
            await write(one, 'project', flag, undefined);
          },
        ),
        { numRuns: 40 },
      );
    });

    it('loses nothing when two processes write at once', async () => {
      const sets = Array.from({ length: 100 }, (_, index) =>
        write(index % 2 === 0 ? one : two, 'project', `flag-${index}`, String(index)),
      );
      await Promise.all(sets);
      const flags = await read(one, 'project');
      expect(Object.keys(flags).length).to.equal(100);
      for (let index = 0; index < 100; index += 1) expect(flags[`flag-${index}`]).to.equal(String(index));
    });

    it('tells listeners in every process which scope has changed, until they stop listening', async () => {
      const heard: FlagScope[] = [];
      const mine: FlagScope[] = [];
      const forget = two.onChange((scope) => heard.push(scope));
      one.onChange((scope) => mine.push(scope));
      // A store that has just connected says once for each scope that it may have changed.
      let round = 0;
      await eventually('both listen', async () => {
        round += 1;
        await write(one, 'project', 'warm', String(round));
        return heard.includes('project') && mine.includes('project');
      });
      heard.length = 0;
      mine.length = 0;
      await write(one, 'project', 'a', true);
      await eventually(
        'a notice of the project',
        () => heard.includes('project') && mine.includes('project'),
      );
      expect(heard).not.to.include('global');
      await write(one, 'global', 'a', true);
      await eventually('a notice of the global flags', () => heard.includes('global'));
      forget();
      heard.length = 0;
      mine.length = 0;
      await write(one, 'project', 'a', false);
      await eventually('a notice to the one that still listens', () => mine.includes('project'));
      expect(heard).to.deep.equal([]);
    });
  });
}
