import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { transform } from 'esbuild';
import { eventually } from '../support/eventually.js';
import { type Finished, runCommand } from '../support/run-command.js';
import { PROJECT } from '../support/spawned-server.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const TSC = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');

/** Two callers that the policy tells apart. Only operators see what_time. */
const POLICY = `version: 1
principals:
  - { match: { transport: [stdio, embedded], claim: { team: ops } }, roles: [operator] }
  - { match: { transport: [stdio, embedded] }, roles: [viewer] }
roles:
  viewer: { tools: [echo, repeat] }
  operator: { inherits: [viewer], tools: [what_time, wait] }
`;

/** A consumer's ordinary settings, with every declaration of ours checked. */
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(PROJECT, 'node_modules', '@types')],
  },
  files: ['host.ts'],
};

/**
 * The tarball with the dependencies that it declares, and no others, linked from our own: packages that are missing in
 * package.json are not found. The long run has npm install them.
 */
async function install(folder: string, tarball: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'castellan');
  await mkdir(own, { recursive: true });
  const unpack = ['-xzf', join(folder, tarball), '-C', own, '--strip-components=1'];
  succeeded(await runCommand('tar', unpack));
  const { dependencies, bin } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8'));
  await mkdir(join(modules, '.bin'));
  await symlink(join(own, bin.castellan), join(modules, '.bin', 'castellan'));
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(PROJECT, 'node_modules', name), join(modules, name));
  }
}

/** `npm run check` has compiled it against the sources: only its types are to go. */
async function stripTypes(file: string): Promise<void> {
  const { code } = await transform(await readFile(file, 'utf8'), { loader: 'ts', target: 'es2023' });
  await writeFile(file.replace(/ts$/, 'js'), code);
}

describe('an embedder with the packed tarball in a folder of its own', function () {
  this.timeout(180_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-embedder-'));
    // npm test builds without the types, which take longest.
    if (LONG)
      succeeded(await runCommand(process.execPath, [TSC, '-p', 'tsconfig.types.json'], { cwd: PROJECT }));
    // The rest is there already: without scripts packing does not make it again under the other suites.
    const pack = ['pack', '--ignore-scripts', '--pack-destination', folder];
    succeeded(await runCommand('npm', pack, { cwd: PROJECT }));
    const [tarball] = await readdir(folder);
    await writeFile(join(folder, 'package.json'), '{ "name": "host", "private": true, "type": "module" }\n');
    if (LONG) {
      const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`];
      succeeded(await runCommand('npm', args, { cwd: folder }));
    } else await install(folder, tarball ?? '');
    await copyFile(join(import.meta.dirname, '..', 'embedding-host', 'host.ts'), join(folder, 'host.ts'));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await writeFile(join(folder, 'policy.yaml'), POLICY);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it(`has its own container, streams, callers, prompt and audit log${LONG ? ', and compiles strictly' : ''}`, async () => {
    if (LONG) succeeded(await runCommand(process.execPath, [TSC, '-p', '.'], { cwd: folder }));
    else await stripTypes(join(folder, 'host.ts'));
    const { stdout } = succeeded(await runCommand(process.execPath, ['host.js'], { cwd: folder }));
    const { operatorSees, viewerSees, ledger, prompt, missing, ...saw } = JSON.parse(stdout);
    expect(missing).to.contain('Load castellanModule');
    expect(saw).to.deep.equal({
      sameContainer: true,
      told: 'Hello, it is 42',
      refused: 'invalid-input',
      hidden: 'not-found',
      ofNobody: 'Echo: hi',
      inWorkflow: 'HO HO (2, create-adr)',
      outOfWorkflow: 'HO HO (2, no prompt)',
      tooMany: 'invalid-input',
      cancelled: 'cancelled',
      stats: 3,
      logged: true,
      options: ['colour'],
    });
    expect(prompt).to.contain('storage');
    expect(operatorSees).to.include.keys('what_time', 'repeat', 'echo');
    expect(viewerSees).to.include.keys('repeat', 'echo').and.not.to.include.keys('what_time');
    expect(viewerSees.repeat).to.include({ $comment: 'sent as it is' }).and.not.to.have.key('$id');
    expect(ledger).to.include.members([
      'olga what_time success',
      'olga what_time refused',
      'vera what_time refused',
      'local echo success',
      'olga wait cancelled',
    ]);
  });

  it('S4-15, S3-11: registers a tool of category ai while it serves, exchanges and removes it; a client hears of it', async () => {
    await copyFile(
      join(import.meta.dirname, '..', 'embedding-host', 'dynamic-host.ts'),
      join(folder, 'dynamic-host.ts'),
    );
    await stripTypes(join(folder, 'dynamic-host.ts'));
    const client = new Client({ name: 'test', version: '1.0.0' });
    let notices = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      notices += 1;
    });
    const environment = { PATH: process.env.PATH ?? '', HOME: folder };
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['dynamic-host.js'],
        cwd: folder,
        env: environment,
      }),
    );
    const listed = async () =>
      (await client.listTools()).tools.some(({ name, _meta }) => {
        return name === 'summarise' && _meta?.['castellan/category'] === 'ai';
      });
    const text = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify((await client.callTool({ name, arguments: args })).content);
    try {
      expect(await listed()).to.equal(false);
      expect(await text('change_tools', { step: 'add' })).to.contain('summarise');
      await eventually('the client was told of the tool', () => notices > 0);
      expect(await listed()).to.equal(true);
      expect(await text('summarise', { text: 'x' })).to.contain('first: x');
      expect(await text('change_tools', { step: 'wrong' })).to.contain('lacks `examples`');
      expect(await text('summarise', { text: 'x' })).to.contain('first: x');
      await text('change_tools', { step: 'exchange' });
      expect(await text('summarise', { text: 'x' })).to.contain('second: x');
      const before = notices;
      expect(await text('change_tools', { step: 'remove' })).to.contain('true');
      await eventually('the client was told that it is gone', () => notices > before);
      expect(await listed()).to.equal(false);
    } finally {
      await client.close();
    }
  });

  it('finds the command, which lists and calls', async () => {
    const bin = join(folder, 'node_modules', '.bin', 'castellan');
    const tools = succeeded(await runCommand(bin, ['tools'], { cwd: folder }));
    expect(tools.stdout).to.contain('echo');
    const call = succeeded(await runCommand(bin, ['call', 'echo', '{"message":"hi"}'], { cwd: folder }));
    expect(call.stdout).to.equal('Echo: hi');
  });
});

function succeeded(finished: Finished): Finished {
  expect(finished.code, `${finished.stdout}\n${finished.stderr}`).to.equal(0);
  return finished;
}
