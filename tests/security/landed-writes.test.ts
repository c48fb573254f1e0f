import { createHash } from 'node:crypto';
import fs, {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FileAccess } from '../../src/application/ports/file/safe-file-system.js';
import type { LandedFile } from '../../src/domain/file/landed-file.js';
import { Result } from '../../src/domain/result.js';
import { GuardedFileSystem } from '../../src/infrastructure/file/guarded-file-system.js';
import { WriteJournal } from '../../src/infrastructure/file/write/write-journal.js';

const EVIL = 'EVIL instructions\n';
const OTHER_DEVICE = '/dev/shm';

/** What a process of a command can do in a folder that it may write, at the worst moment of a write. */
describe('What lands is what was written', () => {
  let root: string;
  let states: string[];
  let landed: LandedFile[];
  const realRename = fs.renameSync;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-landed-')));
    states = [];
    landed = [];
    writeFileSync(at('CLAUDE.md'), 'old\n');
  });

  afterEach(() => {
    fs.renameSync = realRename;
    syncBuiltinESMExports();
    for (const folder of [root, ...states]) rmSync(folder, { recursive: true, force: true });
  });

  const at = (name: string) => join(root, name);
  const access = (): FileAccess => ({
    guard: { mayRead: () => true, mayWrite: () => true },
    signal: { aborted: false },
    landed: (file) => landed.push(file),
  });
  const stateIn = (folder: string) => {
    const state = mkdtempSync(join(folder, 'castellan-landed-state-'));
    states.push(state);
    return new GuardedFileSystem(state);
  };
  const drafts = () => readdirSync(root).filter((name) => name.startsWith('.castellan-'));
  /** Content whose second half comes when the attacker has had its turn. */
  async function* halves(attack: () => void): AsyncGenerator<Uint8Array> {
    yield Buffer.from('harm');
    attack();
    yield Buffer.from('less\n');
  }
  const write = (files: GuardedFileSystem, attack: () => void) =>
    files.write(at('CLAUDE.md'), halves(attack), { mode: 'overwrite' }, access());
  const afterRename = (attack: () => void) => {
    fs.renameSync = (from, to) => {
      realRename(from, to);
      attack();
    };
    syncBuiltinESMExports();
  };

  it('a file on the same disk is written where no command sees it, and only then gets its name', async () => {
    let seen: readonly string[] = ['not asked'];
    const written = await write(stateIn(tmpdir()), () => {
      seen = drafts();
    });
    expect(written.success).to.equal(true);
    expect(seen).to.deep.equal([]);
    expect(readFileSync(at('CLAUDE.md'), 'utf8')).to.equal('harmless\n');
    const sha256 = createHash('sha256').update('harmless\n').digest('hex');
    expect(landed).to.deep.equal([{ path: at('CLAUDE.md'), sha256 }]);
  });

  const attacks: Readonly<Record<string, (draft: string) => void>> = {
    'exchanged for a file of its own': (draft) => {
      writeFileSync(at('evil'), EVIL);
      realRename(at('evil'), draft);
    },
    'taken away and made anew': (draft) => {
      fs.unlinkSync(draft);
      writeFileSync(draft, EVIL);
    },
    'replaced by a link to a file of its own': (draft) => {
      writeFileSync(at('evil'), EVIL);
      fs.unlinkSync(draft);
      fs.symlinkSync(at('evil'), draft);
    },
  };
  for (const [what, attack] of Object.entries(attacks)) {
    it(`on another disk, a file that is ${what} before the rename does not land`, async () => {
      const written = await write(stateIn(OTHER_DEVICE), () => {
        const [draft = ''] = drafts();
        attack(at(draft));
      });
      expect(written.success ? 'written' : written.error.kind).to.equal('exchanged');
      expect(readFileSync(at('CLAUDE.md'), 'utf8')).to.equal('old\n');
      expect(landed).to.deep.equal([]);
    });
  }

  it('on another disk, a file that is changed in place before the rename is not called written', async () => {
    const written = await write(stateIn(OTHER_DEVICE), () => fs.appendFileSync(at(drafts()[0] ?? ''), EVIL));
    expect(written.success ? 'written' : written.error.message).to.contain(
      'does not hold what this call wrote',
    );
    expect(landed).to.deep.equal([]);
  });

  for (const [what, attack] of [
    ['replaced', () => realRename(at('evil'), at('CLAUDE.md'))],
    ['changed in place', () => fs.writeFileSync(at('CLAUDE.md'), EVIL)],
    ['cut', () => fs.truncateSync(at('CLAUDE.md'), 3)],
    ['removed', () => fs.unlinkSync(at('CLAUDE.md'))],
    [
      'made a link',
      () => {
        fs.unlinkSync(at('CLAUDE.md'));
        fs.symlinkSync(at('evil'), at('CLAUDE.md'));
      },
    ],
  ] as const) {
    it(`a file that is ${what} right after the rename is not called written`, async () => {
      for (const folder of [tmpdir(), OTHER_DEVICE]) {
        const files = stateIn(folder);
        writeFileSync(at('evil'), EVIL);
        writeFileSync(at('CLAUDE.md'), 'old\n');
        afterRename(attack);
        const written = await write(files, () => undefined);
        fs.renameSync = realRename;
        syncBuiltinESMExports();
        rmSync(at('CLAUDE.md'), { force: true });
        expect(written.success ? 'written' : written.error.kind, folder).to.equal('exchanged');
        expect(landed).to.deep.equal([]);
      }
    });
  }

  it('an edit and a copy say so as well', async () => {
    const files = stateIn(tmpdir());
    const evil = (name: string) => {
      writeFileSync(at('evil'), EVIL);
      afterRename(() => realRename(at('evil'), at(name)));
    };
    evil('CLAUDE.md');
    const change = async () => Result.ok(new Uint8Array(3));
    const edited = await files.update(at('CLAUDE.md'), { maxBytes: 100 }, change, access());
    expect(edited.success ? 'edited' : edited.error.message).to.contain('does not hold');
    fs.renameSync = realRename;
    syncBuiltinESMExports();
    writeFileSync(at('source'), 'x');
    writeFileSync(at('target'), 'y');
    evil('target');
    const copied = await files.copy(at('source'), at('target'), { overwrite: true }, access());
    expect(copied.success ? 'copied' : copied.error.kind).to.equal('exchanged');
  });

  it('a folder that a rename cannot reach gets its file all the same, and is remembered', async () => {
    const files = stateIn(tmpdir());
    let refused = 0;
    fs.renameSync = (from, to) => {
      if (!`${from}`.includes('/writes/')) return realRename(from, to);
      refused += 1;
      throw Object.assign(new Error('cross-device'), { code: 'EXDEV', syscall: 'rename' });
    };
    syncBuiltinESMExports();
    for (const content of ['first', 'second']) {
      const written = await files.write(at('CLAUDE.md'), content, { mode: 'overwrite' }, access());
      expect(written.success).to.equal(true);
      expect(readFileSync(at('CLAUDE.md'), 'utf8')).to.equal(content);
    }
    expect(refused).to.equal(1);
    expect([...drafts(), ...readdirSync(join(states[0] ?? '', 'writes'))]).to.deep.equal([]);
  });

  it('names before the last one cannot be guessed from those that were seen', () => {
    const journal = new WriteJournal(at('journal'));
    const names = Array.from({ length: 200 }, () => journal.temporaryIn(root));
    const beginnings = names.map((name) => /-([0-9a-f]{32})\.tmp$/.exec(name)?.[1]?.slice(0, 16));
    expect(new Set(beginnings).size).to.equal(200);
  });

  it('a new file of a folder that gives its group keeps that group', async () => {
    fs.chmodSync(root, 0o2770);
    const written = await stateIn(tmpdir()).write(at('new'), 'x', { mode: 'create' }, access());
    expect(written.success).to.equal(true);
    expect(statSync(at('new')).gid).to.equal(statSync(root).gid);
    expect(existsSync(at('new'))).to.equal(true);
  });
});
