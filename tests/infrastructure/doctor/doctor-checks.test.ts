import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type {
  InstanceFacts,
  SharedState,
  SharedStatus,
} from '../../../src/application/ports/system/shared-state.js';
import { BubblewrapCheck } from '../../../src/infrastructure/doctor/bubblewrap-check.js';
import { ConfigurationCheck } from '../../../src/infrastructure/doctor/configuration-check.js';
import { NodeCheck } from '../../../src/infrastructure/doctor/node-check.js';
import { RedisCheck } from '../../../src/infrastructure/doctor/redis-check.js';
import { RipgrepCheck } from '../../../src/infrastructure/doctor/ripgrep-check.js';
import { StateFolderCheck } from '../../../src/infrastructure/doctor/state-folder-check.js';
import { TrustCheck } from '../../../src/infrastructure/doctor/trust-check.js';
import { doctorCommand } from '../../../src/presentation/cli/doctor-command.js';
import { CliWorkspace } from '../../support/cli-workspace.js';
import { commandInProcess } from '../../support/command-in-process.js';
import { MemoryOutput } from '../../support/memory-output.js';

describe('the doctor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-doctor-'));
  const nothing = join(folder, 'no-such-program');

  after(() => rmSync(folder, { recursive: true }));

  it('wants Node 20.19 or newer', async () => {
    for (const version of ['20.19.0', '22.1.0']) {
      expect((await new NodeCheck(version).run()).status).to.equal('ok');
    }
    expect((await new NodeCheck('20.18.3').run()).status).to.equal('missing');
  });

  it('misses a sandbox only where the policy runs commands, and says what to install', async () => {
    const needed = await new BubblewrapCheck(true, nothing).run();
    expect(needed).to.include({ status: 'missing' });
    expect(needed.remedy).to.contain('apt install bubblewrap');
    expect((await new BubblewrapCheck(false, nothing).run()).status).to.equal('warn');
  });

  it('tells an installed sandbox that does not work from one that is not there', async () => {
    const broken = join(folder, 'bwrap');
    const script =
      '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 9 && exit 0\necho No permissions >&2\nexit 1\n';
    writeFileSync(broken, script, { mode: 0o755 });
    const { status, detail, remedy } = await new BubblewrapCheck(true, broken).run();
    expect(status).to.equal('missing');
    expect(detail).to.contain('bubblewrap 9 cannot make a sandbox here').and.contain('No permissions');
    expect(remedy).to.contain('user namespaces');
  });

  it('does without ripgrep, more slowly', async () => {
    expect((await new RipgrepCheck(async () => nothing).run()).status).to.equal('warn');
    expect((await new RipgrepCheck(async () => undefined).run()).status).to.equal('warn');
  });

  it('looks at the ripgrep that searches use, whatever is on the PATH', async () => {
    const path = process.env.PATH;
    process.env.PATH = folder;
    try {
      expect(await new RipgrepCheck().run()).to.include({ status: 'ok' });
    } finally {
      process.env.PATH = path;
    }
  });

  it('tells of the Redis that instances share: whether it answers, their versions and clocks', async () => {
    const shared = (status: SharedStatus): SharedState => ({
      join: async () => undefined,
      status: () => status,
      close: async () => undefined,
    });
    const look = (state: SharedState | undefined) =>
      new RedisCheck('1.0.0', state && (async () => state)).run();
    const me = { instance: 'me', version: '1.0.0', skewMs: 0 };
    const joined = (other: InstanceFacts) =>
      shared({ state: 'joined', instance: 'me', skewMs: 3, instances: [me, other] });
    expect(await look(undefined)).to.include({ status: 'ok' });
    expect(await look(joined({ instance: 'b', version: '1.0.0', skewMs: 5 }))).to.include({
      status: 'ok',
      detail: "answers; 1 instances serve (b 1.0.0 5 ms), this machine's clock differs by 3 ms",
    });
    const skewed = await look(joined({ instance: 'b', version: '1.0.0', skewMs: -9000 }));
    expect([skewed.status, skewed.remedy]).to.deep.equal([
      'warn',
      'Synchronise the clocks of all machines with NTP.',
    ]);
    const mixed = await look(joined({ instance: 'b', version: '0.9.0', skewMs: 0 }));
    expect([mixed.status, mixed.detail]).to.satisfy(
      ([status, detail]: string[]) => status === 'warn' && detail?.includes('0.9.0'),
    );
    const away = await look(shared({ state: 'away', instance: 'me', why: 'Redis does not answer.' }));
    expect(away).to.include({ status: 'missing', detail: 'Redis does not answer.' });
  });

  it('makes nothing while it looks at the state folder', async () => {
    const absent = await new StateFolderCheck({ folder: nothing }).run();
    expect(absent).to.include({ status: 'ok' });
    expect((await new StateFolderCheck({ folder: nothing }).run()).detail).to.equal(absent.detail);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect((await new StateFolderCheck({ folder: file }).run()).status).to.equal('missing');
  });

  it('says when the state folder could not be made; root can write anywhere', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o500 });
    const { status, detail } = await new StateFolderCheck({
      folder: join(closed, 'state', 'castellan'),
    }).run();
    const root = process.getuid?.() === 0;
    expect(status).to.equal(root ? 'ok' : 'missing');
    expect(detail).to.contain(root ? 'created when it is needed' : `cannot be made in ${closed} (EACCES)`);
  });

  it('ends with 0 when all is well, 3 for wrong configuration, 4 for something missing', async () => {
    const output = new MemoryOutput();
    const fine = new NodeCheck('22.0.0');
    const wrong = new ConfigurationCheck({ problem: 'p.yaml:1:1: no', origin: [], doubtful: 0 });
    const lacking = new BubblewrapCheck(true, nothing);
    const warned = new TrustCheck(['p.yaml was found here']);
    expect(await doctorCommand([fine, warned], {}, output)).to.equal(0);
    expect(await doctorCommand([fine, lacking], {}, output)).to.equal(4);
    expect(await doctorCommand([wrong, lacking], {}, output)).to.equal(3);
    const breaks = { name: 'breaks', run: () => Promise.reject(new Error('oh')) };
    expect(await doctorCommand([breaks], {}, output)).to.equal(0);
  });

  it('works as a command while the configuration does not', async () => {
    const project = new CliWorkspace();
    project.write('permissions.yaml', 'tool: {}\n');
    const { code, stdout } = await project.run(['doctor', '--policy', 'permissions.yaml']);
    expect(code).to.equal(3);
    expect(stdout).to.contain('permissions.yaml:1:1: Unknown key "tool". Did you mean tools?');
    const found = await project.run(['doctor']);
    expect(found.code).to.equal(0);
    expect(found.stdout).to.contain('permissions.yaml:1:1: This policy was found and is not valid');
    expect(stdout).to.match(/^ok +node /m);
    await project.remove();
  });

  it('tells a problem once, where it is', async () => {
    const project = new CliWorkspace();
    const gone = await project.run(['doctor', '--workspace', '/no/such/folder']);
    expect(gone.code).to.equal(3);
    expect(gone.stdout.split('does not exist')).to.have.length(2);
    expect(gone.stdout)
      .to.match(/^missing +workspace/m)
      .and.match(/^warn +policy +not read/m);
    const { HOME: _home, XDG_STATE_HOME: _state, ...env } = project.env;
    const homeless = await commandInProcess(['doctor'], {
      cwd: project.folder,
      env: { ...env, HOME: '', XDG_STATE_HOME: '' },
    });
    expect(homeless.stdout.split('There is no folder for state')).to.have.length(2);
    expect(homeless.stdout).to.match(/^missing +state folder/m);
    await project.remove();
  });

  it('keeps a row on its line, whatever a check says', async () => {
    const output = new MemoryOutput();
    const breaks = { name: 'b', run: () => Promise.reject(new Error('first\nsecond')) };
    const fine = { name: 'f', run: async () => ({ status: 'ok', detail: 'fine' }) as const };
    await doctorCommand([breaks, fine], {}, output);
    expect(output.stdout).to.equal('warn  b  could not be checked: first\nok    f  fine\n');
  });

  it("reports references to nothing in the project's own prompts, and not in those we ship", async () => {
    const project = new CliWorkspace();
    const { stdout: before } = await project.run(['doctor']);
    expect(before)
      .to.contain('until castellan.yaml names folders under categories')
      .and.not.contain('names no tool');
    const messages = [{ role: 'user', content: { type: 'text', text: '{{tool:no-such-tool}}' } }];
    const prompt = { name: 'mine', description: 'Mine', arguments: [], messages };
    project.write('prompts/mine.json', JSON.stringify(prompt));
    project.write('castellan.yaml', 'prompts: { dir: prompts }\n');
    const { code, stdout } = await project.run(['doctor', '--config', 'castellan.yaml']);
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^warn +prompts +1 problem$/m)
      .and.contain('{{tool:no-such-tool}} names no tool.');
    await project.remove();
  });
});
