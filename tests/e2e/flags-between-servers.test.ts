import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { BundledProcess } from '../support/bundled-process.js';
import { eventually } from '../support/eventually.js';
import { ALL_SETS } from '../support/other-answers.js';

const SETS = process.env.CASTELLAN_LONG === '1' ? 10_000 : 50;
const AT_ONCE = 10;

describe('Two server processes on one flag file', () => {
  let program: BundledProcess;
  let folder: string;
  let clients: Client[];

  before(async () => {
    program = await BundledProcess.of('flag-server-process.ts');
  });

  after(() => program.remove());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-two-'));
    clients = [];
  });

  afterEach(async () => {
    for (const client of clients) await client.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function connect(...args: readonly string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    clients.push(client);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [program.file, folder, ...args],
        env: {
          XDG_CONFIG_HOME: join(folder, 'config'),
          XDG_STATE_HOME: join(folder, 'state'),
          PATH: process.env.PATH ?? '',
          ...ALL_SETS,
        },
        stderr: 'ignore',
      }),
    );
    return client;
  }

  async function set(client: Client, flag: string, value: unknown, tool = 'set_project_flag'): Promise<void> {
    const answer = await client.callTool({ name: tool, arguments: { flag, value } });
    if (answer.isError) throw new Error(JSON.stringify(answer.content));
  }

  it(`lose none and tear none of ${SETS} interleaved sets`, async function () {
    this.timeout(SETS * 60 + 20_000);
    const servers = [await connect(), await connect()];
    const file = join(folder, '.castellan', 'flags.json');
    let done = false;
    let looks = 0;
    const reader = (async () => {
      while (!done) {
        const text = await readFile(file, 'utf8').catch(() => '{}');
        JSON.parse(text);
        looks += 1;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    let next = 0;
    const workers = servers.flatMap((client, server) =>
      Array.from({ length: AT_ONCE }, async () => {
        while (next < SETS) {
          const number = next;
          next += 1;
          await set(client, `flag-${number}`, `server ${server}`);
        }
      }),
    );
    await Promise.all(workers);
    done = true;
    await reader;
    const flags: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
    expect(Object.keys(flags)).to.have.length(SETS);
    expect(new Set(Object.values(flags))).to.deep.equal(new Set(['server 0', 'server 1']));
    expect(looks).to.be.above(10);
    expect(await readdir(join(folder, '.castellan'))).to.deep.equal(['flags.json']);
  });

  it('a flag set in one switches a tool in the other, whose client is told that the list has changed', async () => {
    const [writer, switched] = [await connect(), await connect('beta')];
    let notices = 0;
    switched.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      notices += 1;
    });
    const hasEcho = async () => (await switched.listTools()).tools.some(({ name }) => name === 'echo');
    expect(await hasEcho()).to.equal(false);
    await set(writer, 'beta', true, 'set_feature_flag');
    await eventually('the client is told', () => notices === 1);
    expect(await hasEcho()).to.equal(true);
    await set(writer, 'beta', false);
    await eventually('the client is told again', () => notices === 2);
    expect(await hasEcho()).to.equal(false);
  });
});
