import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Finished, runCommand } from '../support/run-command.js';
import { PROJECT } from '../support/spawned-server.js';

const TSC = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');

const TYPED_HOST = `
import { type CastellanOptions, Clock, createCastellan, defineTool, type Logger, Result, ToolResult, toolArguments } from 'castellan';
import { RecordingLogger } from 'castellan/testing';
import * as Type from 'typebox';

const logger: Logger = new RecordingLogger();
logger.info('typed');
const tool = defineTool({
  name: 'typed', version: '1.0.0', category: 'host', summary: 'S.', description: 'D.', usage: 'U.', outputText: 'T.',
  examples: [{ title: 'E', arguments: { count: 1 } }], security: 'None.',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: toolArguments({ count: Type.Integer({ description: 'N.' }) }),
  needs: { clock: Clock },
  run: ({ count }, { clock }) => {
    const sum: number = count + clock.now();
    // @ts-expect-error The schema has no such argument.
    const wrong = ({ count } satisfies { count: number }).other;
    return Result.ok(ToolResult.text(String([sum, wrong])));
  },
});
const options: CastellanOptions = { tools: [tool], budget: { timeoutMs: 1000 } };
const castellan = await createCastellan(options);
const outcome = await castellan.execute('typed', { count: 1 });
const kind: string = outcome.success ? outcome.value.content.length.toString() : outcome.error.kind;
// @ts-expect-error There is no such option.
await createCastellan({ colour: kind });
await castellan.close();
`;

/** A consumer's ordinary settings, with every declaration of ours checked. */
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    // Checking every library's declarations takes most of a minute; the long run does it.
    skipLibCheck: process.env.CASTELLAN_LONG !== '1',
    noEmit: true,
    types: ['node'],
    typeRoots: [join(PROJECT, 'node_modules', '@types')],
  },
  files: ['typed-host.ts'],
};

describe('an embedder with the packed tarball in a folder of its own', function () {
  this.timeout(180_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-embedder-'));
    // npm test builds without the types, which take longest: they are made here, beside the other suites.
    succeeded(await runCommand(process.execPath, [TSC, '-p', 'tsconfig.types.json'], { cwd: PROJECT }));
    // The rest is there already: without scripts packing does not make it again under the other suites.
    const pack = ['pack', '--ignore-scripts', '--pack-destination', folder];
    succeeded(await runCommand('npm', pack, { cwd: PROJECT }));
    const [tarball] = await readdir(folder);
    await writeFile(join(folder, 'package.json'), '{ "name": "host", "private": true, "type": "module" }\n');
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`];
    succeeded(await runCommand('npm', install, { cwd: folder }));
    await copyFile(join(import.meta.dirname, '..', 'support', 'embedder-host.mjs'), join(folder, 'host.mjs'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('adds a tool, rebinds ports, and opens our modules in its own container', async () => {
    const { stdout } = succeeded(await runCommand(process.execPath, ['host.mjs'], { cwd: folder }));
    const saw = JSON.parse(stdout);
    expect(saw).to.include({ told: 'Hello, it is 42', logged: true, echoed: 'Echo: from a guest' });
    expect(saw.sameContainer).to.equal(true);
    expect(saw.refused).to.match(/^invalid-input: .*greeting/);
    expect(saw.missing).to.contain('castellan.ToolCatalogue');
  });

  it('is served by types that a strict compiler accepts, libraries included', async () => {
    await writeFile(join(folder, 'typed-host.ts'), TYPED_HOST);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    succeeded(await runCommand(process.execPath, [TSC, '-p', '.'], { cwd: folder }));
  });

  it('finds the command, which lists and calls', async () => {
    const bin = join(folder, 'node_modules', '.bin', 'castellan');
    const tools = succeeded(await runCommand(bin, ['tools'], { cwd: folder }));
    expect(tools.stdout).to.contain('echo');
    const call = succeeded(await runCommand(bin, ['call', 'echo', '{"message":"hi"}'], { cwd: folder }));
    expect(call.stdout).to.equal('Echo: hi\n');
  });
});

function succeeded(finished: Finished): Finished {
  expect(finished.code, `${finished.stdout}\n${finished.stderr}`).to.equal(0);
  return finished;
}
