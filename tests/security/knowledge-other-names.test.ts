import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ResourceCatalogue } from '../../src/application/resource/resource-catalogue.js';
import type { Castellan } from '../../src/composition/server/castellan.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';

const HIDDEN = 'HIDDEN_CONTENT';
const DOCUMENT = `# Title\n\n${HIDDEN} zebra\n`;
const PROMPT = JSON.stringify({
  name: 'linked',
  description: `A prompt ${HIDDEN}`,
  messages: [{ role: 'user', content: { type: 'text', text: HIDDEN } }],
});

/** Another name of a hidden file: an unpacked archive, another user or `cp -al` can make one. */
describe('Documents, resources and prompts that are another name of a hidden file', () => {
  let folder: string;
  let root: string;
  let castellan: Castellan;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-names-'));
    root = join(folder, 'project');
    put('docs/adr/0001-seen.md', '# Seen\n\nAn open zebra.\n');
    put(
      'castellan.yaml',
      'categories:\n  adr: { dir: docs/adr, patterns: ["**/*.md"] }\nprompts: { dir: prompts }\n',
    );
  });

  afterEach(async () => {
    await castellan.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function put(name: string, text: string): void {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }

  function link(hidden: string, name: string, text = DOCUMENT): void {
    put(hidden, text);
    mkdirSync(dirname(join(root, name)), { recursive: true });
    linkSync(join(root, hidden), join(root, name));
  }

  async function serve(rules = ''): Promise<void> {
    const policy = join(folder, 'permissions.yaml');
    writeFileSync(policy, `version: 1\nextends: [builtin:workspace]\n${rules}`);
    castellan = await createCastellan({
      workspace: root,
      policy,
      config: join(root, 'castellan.yaml'),
      environment: { HOME: join(folder, 'home'), CASTELLAN_TOOLSETS: 'all', CASTELLAN_ANSWERS: 'envelope' },
      logLevel: 'silent',
    });
  }

  const call = async (tool: string, args: Readonly<Record<string, unknown>>) =>
    JSON.stringify(await castellan.execute(tool, args));
  const everything = async (path: string, number: string) => [
    await call('read_file', { path }),
    await call('get_content', { expression: number }),
    await call('get_content', { expression: 'adr/**' }),
    await call('search_architecture', { query: 'zebra' }),
    await call('check_adr_alignment', { title: 'zebra', content: `Use ${HIDDEN.toLowerCase()} zebra` }),
    JSON.stringify(
      await castellan.container
        .get(ResourceCatalogue)
        .read(castellan.session.id, `architecture://adr/000${number}`),
    ),
  ];

  const hidden: readonly (readonly [what: string, hidden: string, rules?: string])[] = [
    ['a secret of every project', '.env'],
    ['a key', 'keys/id_rsa'],
    [
      'a path that read_file is denied',
      'private/plan.md',
      'tools: { read_file: { denied_paths: ["private/**"] } }\n',
    ],
    [
      'a document of a folder that is denied',
      'docs/adr/secret/a.md',
      'tools: { read_file: { denied_paths: ["docs/adr/secret"] } }\n',
    ],
    [
      'a folder that the whole group may not read',
      'customers/a.md',
      'tools: { files.read: { denied_paths: ["customers/**"] } }\n',
    ],
  ];
  for (const [what, name, rules] of hidden) {
    it(`${what} is not shown by any of them`, async () => {
      link(name, 'docs/adr/0003-c.md');
      await serve(rules);
      for (const answer of await everything('docs/adr/0003-c.md', '3')) expect(answer).not.to.contain(HIDDEN);
      expect(await call('search_architecture', { query: 'zebra' })).to.contain('open zebra');
    });
  }

  it('neither is the file that describes a document beside it', async () => {
    put('docs/adr/0004-folder/README.md', '# Four\n\nA zebra.\n');
    link('.env', 'docs/adr/0004-folder/kep.yaml', `title: ${HIDDEN}\nstatus: ${HIDDEN}\n`);
    await serve();
    for (const answer of await everything('docs/adr/0004-folder/kep.yaml', '4'))
      expect(answer).not.to.contain(HIDDEN);
  });

  it('nor is it told to the writer of a document what the hidden file holds', async () => {
    link('.env', 'docs/adr/0003-c.md');
    await serve();
    const args = { category: 'adr', path: '0003-c.md', content: '# New\n', if_match: 'x' };
    expect(await call('update_document', args)).to.match(/"success":false/);
  });

  for (const [what, name, rules] of [
    ['a secret', '.env', undefined],
    ['a denied file', 'private/prompt.json', 'tools: { read_file: { denied_paths: ["private/**"] } }\n'],
  ] as const) {
    it(`a prompt that is another name of ${what} is not listed`, async () => {
      link(name, 'prompts/linked.json', PROMPT);
      put('prompts/fine.json', PROMPT.replaceAll(HIDDEN, 'open').replace('linked', 'fine'));
      await serve(rules);
      expect((await castellan.prompt('fine')).success).to.equal(true);
      expect((await castellan.prompt('linked')).success).to.equal(false);
    });
  }

  it('a prompt in a denied path is not listed under its own name either', async () => {
    put('prompts/linked.json', PROMPT);
    await serve('tools: { read_file: { denied_paths: ["prompts/linked.json"] } }\n');
    expect((await castellan.prompt('linked')).success).to.equal(false);
  });

  it('several names that are all open are shown', async () => {
    link('docs/other.md', 'docs/adr/0003-c.md');
    await serve();
    expect(await call('get_content', { expression: '3' })).to.contain(HIDDEN);
  });
});
