import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ENVELOPES, useInstead } from '../support/other-answers.js';
import { allowing } from '../support/sample-workspace.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { TemporaryDisk } from '../support/temporary-disk.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const GROUPS = LONG ? 1000 : 100;
const FOLDERS = 20;
const FILES = 48;
const ENTRIES = GROUPS * (1 + FOLDERS * (1 + FILES));
/** A disk takes half a minute to make and remove so many files; what is looked at is the memory of the server. */
const MEMORY = '/dev/shm';
const PLACE = !LONG && existsSync(MEMORY) ? MEMORY : tmpdir();

interface Page {
  readonly value: readonly { readonly path: string }[];
  readonly page?: { readonly next_cursor?: string };
}

describe('listing very many entries, page by page', () => {
  useInstead(ENVELOPES);
  let disk: TemporaryDisk;
  let server: SpawnedServer;
  beforeEach(async function () {
    this.timeout(LONG ? 600_000 : 60_000);
    disk = new TemporaryDisk(PLACE);
    for (let group = 0; group < GROUPS; group += 1) {
      for (let folder = 0; folder < FOLDERS; folder += 1) {
        const path = join(disk.root, `group${group}`, `folder${folder}`);
        mkdirSync(path, { recursive: true });
        for (let file = 0; file < FILES; file += 1) closeSync(openSync(`${path}/file${file}`, 'w'));
      }
    }
    const rate = '    rate: { per: principal, limit: 1000000/min }\n';
    writeFileSync(join(disk.base, 'policy.yaml'), allowing('.', rate));
    server = new SpawnedServer(undefined, {
      CASTELLAN_WORKSPACE: disk.root,
      CASTELLAN_POLICY: join(disk.base, 'policy.yaml'),
      XDG_STATE_HOME: disk.state,
    });
    await server.initialize();
  });
  afterEach(async function () {
    this.timeout(LONG ? 600_000 : 60_000);
    await server.kill();
    disk.dispose();
  });

  it('takes no more memory at the last pages than at the first, and loses and repeats nothing', async function () {
    this.timeout(LONG ? 1_200_000 : 120_000);
    const memory: number[] = [];
    let found = 0;
    let last: readonly string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const args = { recursive: true, limit: 10_000, ...(cursor !== undefined && { cursor }) };
      const { result } = await server.callTool(`page ${memory.length}`, 'list_directory', args);
      server.messages.splice(0);
      memory.push(server.rss);
      const { value, page } = pageOf(result?.structuredContent);
      for (const { path } of value) {
        const names = path.split('/');
        if (!comesAfter(names, last)) expect.fail(`${path} came after ${last.join('/')}`);
        last = names;
      }
      found += value.length;
      cursor = page?.next_cursor;
    }
    expect(found).to.equal(ENTRIES);
    expect(memory.length, 'pages').to.be.greaterThan(LONG ? 300 : 30);
    const tenth = Math.ceil(memory.length / 10);
    const early = Math.max(...memory.slice(tenth, 2 * tenth));
    const late = Math.max(...memory.slice(-tenth));
    expect(late / early, `${early / 1e6} MB at first, ${late / 1e6} MB at last`).to.be.below(1.3);
  });
});

function pageOf(answer: unknown): Page {
  if (typeof answer !== 'object' || answer === null || !('value' in answer)) throw new Error('no page');
  return answer as Page;
}

function comesAfter(path: readonly string[], before: readonly string[]): boolean {
  for (const [index, name] of path.entries()) {
    const other = before[index];
    if (other === undefined) return true;
    if (name !== other) return name > other;
  }
  return false;
}
