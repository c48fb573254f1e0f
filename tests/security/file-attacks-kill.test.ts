import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { allowing } from '../support/sample-workspace.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { TemporaryDisk } from '../support/temporary-disk.js';

const KILLS = process.env.CASTELLAN_LONG === '1' ? 200 : 8;
const SIZE = 400_000;

describe('kill -9 of the built server in the middle of writes and edits', () => {
  let disk: TemporaryDisk;
  let server: SpawnedServer;
  beforeEach(() => {
    disk = new TemporaryDisk();
    const rate = '    rate: { per: principal, limit: 100000/min }\n';
    writeFileSync(join(disk.base, 'policy.yaml'), allowing('.', rate));
  });
  afterEach(async () => {
    await server.kill();
    disk.dispose();
  });

  async function start(): Promise<SpawnedServer> {
    const started = new SpawnedServer(undefined, {
      CASTELLAN_WORKSPACE: disk.root,
      CASTELLAN_POLICY: join(disk.base, 'policy.yaml'),
      XDG_STATE_HOME: disk.state,
    });
    await started.initialize();
    return started;
  }
  const content = (letter: string) => letter.repeat(SIZE);

  it('leaves old or new content, whole, and no temporary file after the next start', async function () {
    this.timeout(KILLS * 5000);
    const path = join(disk.root, 'file.txt');
    writeFileSync(path, content('a'));
    for (let kill = 0; kill < KILLS; kill += 1) {
      server = await start();
      const before = readFileSync(path, 'utf8');
      const old = before[0] ?? 'a';
      for (let id = 0; id < 6; id += 1) {
        const letter = String.fromCharCode(97 + ((kill + id) % 26));
        server.post(
          id % 2 === 0
            ? {
                id,
                method: 'tools/call',
                params: { name: 'write_file', arguments: { path: 'file.txt', content: content(letter) } },
              }
            : {
                id,
                method: 'tools/call',
                params: {
                  name: 'edit_file',
                  arguments: {
                    path: 'file.txt',
                    edits: [{ old_text: content(old), new_text: content('z') }],
                  },
                },
              },
        );
      }
      await sleep(Math.random() * 60);
      await server.signal('SIGKILL');
      const after = readFileSync(path, 'utf8');
      expect(after.length, `kill ${kill}`).to.equal(SIZE);
      expect(after, `kill ${kill}`).to.equal(content(after[0] ?? ''));
    }
    server = await start();
    await server.callTool('any', 'read_file', { path: 'file.txt', limit: 1 });
    for (let round = 0; round < 100 && readdirSync(disk.root).length > 1; round += 1) await sleep(20);
    expect(readdirSync(disk.root)).to.deep.equal(['file.txt']);
  });
});
