import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ExchangingNeighbour } from '../support/exchanging-neighbour.js';
import { allowing } from '../support/sample-workspace.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { TemporaryDisk } from '../support/temporary-disk.js';

const SECONDS = process.env.CASTELLAN_LONG === '1' ? 30 : 3;
const LIMITS = '    rate: { per: principal, limit: 1000000/min }\n    limits: { concurrency: 64 }\n';
/** No answer may say it: neither the word nor the size of what lies outside. */
const TELLTALE = /SECRET|7777/;
const OUTSIDE = 'SECRET inside\n'.padEnd(7777, '.');
const NAMES = ['file', 'edited', 'victim'];

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** Everything the tools can do to what is being exchanged at that moment. */
function callsOf(round: number): readonly Call[] {
  const folder = ['folder', 'deep/folder', 'swapped'][round % 3] ?? 'folder';
  const file = round % 2 === 0 ? 'file' : 'swapped-file';
  const edits = [{ old_text: 'inside', new_text: `inside ${round % 2}`, replace_all: true }];
  return [
    ['read_file', { path: `${folder}/file` }],
    ['read_file', { path: file }],
    ['read_files', { paths: [`${folder}/file`, file, 'still'] }],
    ['file_info', { path: `${folder}/file` }],
    ['list_directory', { recursive: true, ignore: false }],
    ['list_directory', { path: folder }],
    ['search_files', { pattern: '*', ignore: false }],
    ['write_file', { path: `${folder}/new`, content: 'inside' }],
    ['write_file', { path: file, content: 'inside', mode: round % 3 === 0 ? 'append' : 'overwrite' }],
    ['edit_file', { path: `${folder}/edited`, edits }],
    ['copy_path', { source: `${folder}/file`, destination: `${folder}/copy`, overwrite: true }],
    ['copy_path', { source: folder, destination: 'copied', overwrite: true }],
    ['move_path', { source: `${folder}/new`, destination: `${folder}/moved`, overwrite: true }],
    ['create_directory', { path: `${folder}/made/more` }],
    ['delete_path', { path: `${folder}/made`, recursive: true, explicit_action: 'DELETE_PATH' }],
    ['delete_path', { path: `${folder}/victim`, explicit_action: 'DELETE_PATH' }],
    ...(round % 8 === 0
      ? ([['search_content', { query: 'SEC.ET|insid.', ignore: false, context: 1 }]] as const)
      : []),
  ];
}

describe('a neighbour that exchanges folders and files while the built server works on them', () => {
  let disk: TemporaryDisk;
  let server: SpawnedServer;
  let neighbour: ExchangingNeighbour;

  beforeEach(async () => {
    disk = new TemporaryDisk();
    for (const folder of ['folder', 'deep/folder', 'swapped'])
      for (const name of NAMES) disk.file(join(disk.root, folder, name), 'inside');
    for (const name of ['file', 'still', 'swapped-file']) disk.file(join(disk.root, name), 'inside');
    for (const name of [...NAMES, 'SECRET-name']) disk.file(join(disk.outside, name), OUTSIDE);
    disk.link(join(disk.root, '.away-swapped'), disk.outside);
    disk.link(join(disk.root, '.away-swapped-file'), join(disk.outside, 'file'));
    writeFileSync(join(disk.base, 'policy.yaml'), allowing('.', LIMITS));
    server = new SpawnedServer(undefined, {
      CASTELLAN_WORKSPACE: disk.root,
      CASTELLAN_POLICY: join(disk.base, 'policy.yaml'),
      XDG_STATE_HOME: disk.state,
    });
    await server.initialize();
    neighbour = new ExchangingNeighbour(disk.root, disk.outside);
    neighbour.exchangeAtOnce();
  });
  afterEach(async () => {
    await neighbour.stop();
    await server.kill();
    disk.dispose();
  });

  it('gets no byte read, listed, found, written, moved or removed outside, while honest calls succeed', async function () {
    this.timeout((SECONDS + 70) * 1000);
    const changed = readdirSync(disk.outside).map((name) => statSync(join(disk.outside, name)).ctimeMs);
    const done = new Map<string, number>();
    const tools = new Set(callsOf(0).map(([tool]) => tool));
    const end = Date.now() + SECONDS * 1000;
    // On a busy machine a tool may meet nothing but exchanges for as long: it goes on until each has succeeded once.
    const isOver = (now: number) => now >= end + 30_000 || (now >= end && done.size === tools.size);
    for (let round = 0; !isOver(Date.now()); round += 1) {
      await Promise.all(
        callsOf(round).map(async ([tool, args], index) => {
          const { result } = await server.callTool(`${round}-${index}`, tool, args);
          const answer = JSON.stringify(result?.content);
          if (tool !== 'search_content')
            expect(answer, `${tool} ${JSON.stringify(args)}`).not.to.match(TELLTALE);
          else expect(answer).not.to.match(/SECRET/);
          if (result?.isError !== true) done.set(tool, (done.get(tool) ?? 0) + 1);
        }),
      );
      const still = await server.callTool(`still-${round}`, 'read_file', { path: 'still' });
      expect(still.result?.content).to.deep.equal([{ type: 'text', text: 'inside' }]);
    }
    expect(readdirSync(disk.outside).sort()).to.deep.equal([...NAMES, 'SECRET-name'].sort());
    for (const name of readdirSync(disk.outside))
      expect(readFileSync(join(disk.outside, name), 'utf8') === OUTSIDE, name).to.equal(true);
    const now = readdirSync(disk.outside).map((name) => statSync(join(disk.outside, name)).ctimeMs);
    expect(now, 'not even touched').to.deep.equal(changed);
    expect(neighbour.exchanges, 'exchanges').to.be.greaterThan(50);
    for (const tool of tools) expect(done.get(tool) ?? 0, tool).to.be.greaterThan(0);
  });
});
