import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { approvalFolder, pinPath } from '../../../src/infrastructure/approval/approval-door.js';
import { PinFile } from '../../../src/infrastructure/approval/pin-file.js';

describe('PinFile', function () {
  this.timeout(60_000);
  let folder: string;
  let now: number;
  let pin: PinFile;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pin-'));
    now = 1_000_000;
    pin = new PinFile(folder, () => now);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('unlocks with the PIN that was set, and with no other', async () => {
    expect(pin.isSet()).to.equal(false);
    expect((await pin.unlock('123456')).success).to.equal(false);
    expect((await pin.set('12345')).success, 'too short').to.equal(false);
    expect((await pin.set('correct horse')).success).to.equal(true);
    expect(pin.isSet()).to.equal(true);
    const wrong = await pin.unlock('correct hors');
    expect(!wrong.success && wrong.error).to.equal('This is not the PIN.');
    const right = await pin.unlock('correct horse');
    if (!right.success) throw new Error(right.error);
    expect(pin.opens(right.value)).to.equal(true);
    expect(pin.opens(`${right.value}x`)).to.equal(false);
    expect(pin.opens('')).to.equal(false);
    await pin.set('another one');
    expect(pin.opens(right.value), 'the key of the PIN before').to.equal(false);
  });

  it('keeps neither the PIN nor the key, in a file of this user alone', async () => {
    await pin.set('correct horse');
    const key = await pin.unlock('correct horse');
    const kept = readFileSync(pinPath(folder), 'utf8');
    expect(kept).not.to.include('correct');
    expect(kept).not.to.include(key.success ? key.value : 'correct');
    expect(statSync(pinPath(folder)).mode & 0o777).to.equal(0o600);
    expect(statSync(approvalFolder(folder)).mode & 0o777).to.equal(0o700);
  });

  it('lets five wrong ones be tried, then one in 15 minutes, by however many processes', async () => {
    await pin.set('correct horse');
    for (let at = 0; at < 5; at += 1) await new PinFile(folder, () => now).unlock(`wrong ${at}`);
    const refused = await new PinFile(folder, () => now).unlock('correct horse');
    expect(!refused.success && refused.error).to.equal('Too many wrong PINs. Try again in 15 min.');
    now += 15 * 60_000;
    await pin.unlock('wrong again');
    expect((await pin.unlock('correct horse')).success, 'one in a rest').to.equal(false);
    now += 15 * 60_000;
    expect((await pin.unlock('correct horse')).success).to.equal(true);
    expect((await pin.unlock('correct horse')).success, 'the right one forgives').to.equal(true);
  });

  it('takes a broken count for many wrong ones', async () => {
    await pin.set('correct horse');
    writeFileSync(join(approvalFolder(folder), 'tries.json'), 'x');
    expect((await pin.unlock('correct horse')).success).to.equal(false);
  });
});
