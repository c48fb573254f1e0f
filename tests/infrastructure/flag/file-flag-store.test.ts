import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type FlagName, parseFlagName } from '../../../src/domain/flag/flag.js';
import { FileFlagStore, type FlagFiles } from '../../../src/infrastructure/flag/file-flag-store.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { BundledProcess } from '../../support/bundled-process.js';
import { eventually } from '../../support/eventually.js';

const KILLS = process.env.CASTELLAN_LONG === '1' ? 200 : 8;

function name(raw: string): FlagName {
  const parsed = parseFlagName(raw);
  if (!parsed.success) throw new Error(parsed.error);
  return parsed.value;
}

describe('FileFlagStore', () => {
  let folder: string;
  let files: FlagFiles;
  let logger: RecordingLogger;
  let store: FileFlagStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-flag-file-'));
    files = {
      project: join(folder, 'work', '.castellan', 'flags.json'),
      global: join(folder, 'config', 'flags.json'),
    };
    await mkdir(join(folder, 'work'));
    logger = new RecordingLogger();
    store = new FileFlagStore(files, logger);
  });

  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function put(text: string): Promise<void> {
    await mkdir(dirname(files.project), { recursive: true });
    await writeFile(files.project, text);
  }

  it('makes no file and no folder by reading', async () => {
    await store.all('project');
    await store.all('global');
    expect(await readdir(join(folder, 'work'))).to.deep.equal([]);
  });

  it('writes a file that a person can read and edit, and leaves nothing beside it', async () => {
    await store.set('project', name('b'), ['x']);
    await store.set('project', name('a'), true);
    expect(await readFile(files.project, 'utf8')).to.equal('{\n  "a": true,\n  "b": [\n    "x"\n  ]\n}\n');
    expect(await readdir(dirname(files.project))).to.deep.equal(['flags.json']);
  });

  for (const [what, text] of [
    ['half a file', '{"a": tr'],
    ['an empty file', ''],
    ['something else than flags', '[1, 2]'],
    ['a flag of another kind', '{"a": {"b": {"c": "d"}}}'],
    ['a name with a dot', '{"a.b": true}'],
  ] as const) {
    it(`keeps the last good flags while the file holds ${what}, and does not overwrite it`, async () => {
      await store.set('project', name('a'), 'good');
      await store.all('project');
      await put(text);
      const flags = await store.all('project');
      expect(flags.success && flags.value.get('a')).to.equal('good');
      expect(logger.records.map(({ message }) => message).join()).to.match(/stay in force/);
      const written = await store.set('project', name('b'), true);
      if (written.success) throw new Error('it was overwritten');
      expect(written.error).to.match(/cannot be understood.*Repair the file or remove it/);
      expect(await readFile(files.project, 'utf8')).to.equal(text);
    });
  }

  it('takes a corrupt file it has never seen whole for an error, not for no flags', async () => {
    await put('root:x:0:0');
    const flags = await store.all('project');
    if (flags.success) throw new Error('it was taken for flags');
    expect(flags.errorType).to.equal('FlagStoreCorrupt');
    expect(flags.error).not.to.include('root');
  });

  it('works again as soon as the file is repaired', async () => {
    await put('{');
    expect((await store.all('project')).success).to.equal(false);
    await put('{"a": "repaired"}');
    const flags = await store.all('project');
    expect(flags.success && flags.value.get('a')).to.equal('repaired');
    expect((await store.set('project', name('b'), true)).success).to.equal(true);
  });

  it('follows no link that a workspace brings, neither of the folder nor of the file', async () => {
    await store.set('global', name('mine'), true);
    await symlink(dirname(files.global), dirname(files.project));
    for (const outcome of [await store.all('project'), await store.set('project', name('a'), true)]) {
      if (outcome.success) throw new Error('the link was followed');
      expect(outcome.error).to.match(/symbolic link/);
    }
    expect(await readdir(dirname(files.global))).to.deep.equal(['flags.json']);
    await rm(dirname(files.project));
    await mkdir(dirname(files.project));
    await symlink(files.global, files.project);
    expect((await store.all('project')).success).to.equal(false);
    expect((await store.set('project', name('a'), true)).success).to.equal(false);
    expect(JSON.parse(await readFile(files.global, 'utf8'))).to.deep.equal({ mine: true });
  });

  it('sees an edit by hand, also of a file whose folder was not there before', async () => {
    let heard = 0;
    store.onChange(() => {
      heard += 1;
    });
    await put('{"a": true}');
    await eventually('the new file is noticed', () => heard > 0);
    const seen = heard;
    await put('{"a": false}');
    await eventually('the edit is noticed', () => heard > seen);
  });

  it(`is whole after each of ${KILLS} kills in the middle of writing, and no confirmed write is lost`, async function () {
    this.timeout(KILLS * 2000 + 20_000);
    const program = await BundledProcess.of('flag-writer-process.ts');
    try {
      for (let round = 0; round < KILLS; round += 1) {
        const confirmed = await killWhileWriting(program.file, files, round);
        const document: { count?: string; filler?: string } = JSON.parse(
          await readFile(files.project, 'utf8').catch(() => '{}'),
        );
        expect(Number(document.count ?? 0)).to.be.at.least(confirmed);
        if (document.filler !== undefined) expect(document.filler).to.have.length(20_000);
        expect((await store.set('global', name('round'), String(round))).success).to.equal(true);
      }
      expect((await store.set('project', name('after'), true)).success).to.equal(true);
      expect(await readdir(dirname(files.project))).to.deep.equal(['flags.json']);
    } finally {
      await program.remove();
    }
  });
});

/** The number of the last write that the process had confirmed when it was killed. */
async function killWhileWriting(
  program: string,
  { project, global }: FlagFiles,
  round: number,
): Promise<number> {
  const child = spawn(process.execPath, [program, project, global], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  let confirmed = 0;
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'ready') resolve();
      else confirmed = Number(line);
    });
    child.once('exit', (code) => reject(new Error(`the writer ended by itself with ${code}`)));
  });
  await ready;
  await sleep((round * 7) % 40);
  child.kill('SIGKILL');
  await gone;
  return confirmed;
}
