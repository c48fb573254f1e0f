import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { SessionTmp } from '../../../../src/infrastructure/command/session/session-tmp.js';
import { eventually } from '../../../support/eventually.js';

describe('SessionTmp', () => {
  let folder: string;
  let tmp: SessionTmp;

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'castellan-session-tmp-')), 'tmp');
    tmp = new SessionTmp(folder);
  });

  afterEach(async () => {
    await tmp.close();
    rmSync(dirname(folder), { recursive: true, force: true });
  });

  it('gives each session one folder that only its user opens, whatever the session is called', () => {
    const [one, two] = [tmp.of('one'), tmp.of('../../two')];
    expect(tmp.of('one')).to.equal(one);
    expect(two).not.to.equal(one);
    for (const path of [one, two]) {
      expect(dirname(dirname(path))).to.equal(folder);
      expect(statSync(path).mode & 0o777).to.equal(0o700);
    }
  });

  it('removes what a session left, also what was closed and what is deeper than a path can be', async () => {
    const path = tmp.of('one');
    mkdirSync(join(path, 'closed/inside'), { recursive: true });
    writeFileSync(join(path, 'closed/inside/file'), 'x');
    const name = 'd'.repeat(200);
    execFileSync('sh', ['-c', `for i in $(seq 30); do mkdir ${name} && cd -P ${name} || exit 1; done`], {
      cwd: path,
    });
    execFileSync('chmod', ['000', join(path, 'closed/inside'), join(path, 'closed')]);
    const other = tmp.of('other');
    await tmp.remove('one');
    expect(existsSync(path)).to.equal(false);
    expect(existsSync(other)).to.equal(true);
    await tmp.remove('never seen');
    expect(statSync(tmp.of('one')).isDirectory()).to.equal(true);
  });

  it('leaves nothing when it is closed, and makes nothing where nobody asked', async () => {
    const unused = new SessionTmp(join(folder, 'unused'));
    await unused.close();
    expect(existsSync(join(folder, 'unused'))).to.equal(false);
    tmp.of('one');
    await tmp.close();
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('removes what killed servers left, and nothing of one that lives or of another machine', async () => {
    const own = basename(dirname(tmp.of('mine')));
    const [pid = '', started = '', place = ''] = own.split('-');
    const left = {
      dead: `${2 ** 22 - 1}-${started}-${place}`,
      reused: `${pid}-${Number(started) + 1}-${place}`,
      elsewhere: `${pid}-${started}-${'0'.repeat(place.length)}`,
      longAgo: `${pid}-${started}-${'1'.repeat(place.length)}`,
    };
    for (const name of Object.values(left)) mkdirSync(join(folder, name, 'session'), { recursive: true });
    const month = Date.now() / 1000 - 30 * 24 * 3600;
    utimesSync(join(folder, left.longAgo), month, month);
    const next = new SessionTmp(folder);
    next.of('next');
    await eventually('they are gone', () =>
      [left.dead, left.reused, left.longAgo].every((name) => !existsSync(join(folder, name))),
    );
    expect(readdirSync(folder)).to.include(own).and.include(left.elsewhere);
  });
});
