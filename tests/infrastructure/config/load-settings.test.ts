import { expect } from 'chai';
import { loadSettings } from '../../../src/infrastructure/config/load-settings.js';
import { DEFAULT_SETTINGS } from '../../../src/infrastructure/config/settings.js';
import { settingsTemplate } from '../../../src/infrastructure/config/settings-template.js';

const FILE = '/workspace/castellan.yaml';

function load(text: string, trusted = true) {
  const bytes = new TextEncoder().encode(text);
  return loadSettings({ file: FILE, bytes, workspace: '/workspace', trusted, tools: [] });
}

async function problemsOf(text: string, trusted = true): Promise<readonly string[]> {
  const loaded = await load(text, trusted);
  return loaded.success ? [] : loaded.error.split('\n');
}

const mistakes: readonly [string, string, RegExp][] = [
  ['an unknown key', 'tool_prefx: a', /:1:1: Unknown key "tool_prefx"\. Did you mean tool_prefix\?$/],
  ['a duplicate key', 'log: {}\nlog: {}', /:2:1: The key "log" appears twice/],
  ['a wrong choice', 'error_style: rcp', /:1:14: Expected one of result, rpc.* Did you mean rpc\?/],
  ['a wrong type', 'tool_prefix: 1', /:1:14: Expected a string/],
  ['a port that is none', 'http:\n  port: 70000', /:2:9: /],
  ['an idle time that is too short', 'http: { session_idle: 5 }', /:1:23: Expected a time from 10s to 24h/],
  [
    'an address of a Sentinel',
    'redis: { url: "redis+sentinel://:secret@a" }',
    /:1:15: redis\.url must be .*Sentinel are not taken\.$/,
  ],
  ['a category without a folder', 'categories:\n  adr: {}', /:2:8: The key "dir" is missing/],
  ['a misspelt kind', 'categories: { a: { dir: a, kind: patern } }', /:1:34: .*Did you mean patterns\?/],
  [
    'a flag that cannot be one',
    'tools: { enabled_by: { echo: a.b } }',
    /:1:30: .*letters, digits, underscores and hyphens/,
  ],
  [
    'a bad pattern of documents',
    'categories: { a: { dir: a, enabled_by: { "": on } } }',
    /:1:40: Bad pattern/,
  ],
  [
    'an expression in the schema of a flag',
    'flags: { schemas: { c: { items: { pattern: "(a+)+$" } } } }',
    /:1:35: A flag is not held to an expression/,
  ],
  ['an empty file', '', /:1:1: The file is empty/],
  ['a custom tag', 'project: !x {}', /:1:10: .*Custom tags are refused/],
];

describe('castellan.yaml', () => {
  for (const [name, text, wanted] of mistakes) {
    it(`${name} gets one answer with file, line, column and a suggestion`, async () => {
      const problems = await problemsOf(text);
      expect(problems, problems.join('\n')).to.have.length(1);
      expect(problems[0])
        .to.match(wanted)
        .and.to.match(/^\/workspace\/castellan\.yaml:/);
    });
  }

  it('tells all its problems at once', async () => {
    expect(await problemsOf('tool_prefx: a\nerror_style: rcp\nhttp: { prot: 1 }')).to.have.length(3);
  });

  it('as init writes it says nothing but the defaults', async () => {
    const loaded = await load(settingsTemplate());
    expect(loaded.success && loaded.value.settings).to.deep.equal(DEFAULT_SETTINGS);
  });

  it('has kinds that the three names imply', async () => {
    const loaded = await load('categories: { adr: { dir: a }, notes: { dir: b }, x: { dir: c, kind: adr } }');
    if (!loaded.success) throw new Error(loaded.error);
    const kinds = Object.values(loaded.value.settings.categories).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['adr', 'documents', 'adr']);
  });

  it('has flags for documents, and schemas for flags', async () => {
    const loaded = await load(`
categories:
  a: { dir: a, enabled_by: all }
  b: { dir: b, enabled_by: { "x/**": some } }
flags: { schemas: { colour: { enum: [red, blue] } } }`);
    if (!loaded.success) throw new Error(loaded.error);
    const { categories, flags } = loaded.value.settings;
    expect(categories.a?.enabledBy).to.deep.equal([{ pattern: '**', flag: 'all' }]);
    expect(categories.b?.enabledBy).to.deep.equal([{ pattern: 'x/**', flag: 'some' }]);
    expect(flags.schemas).to.deep.equal({ colour: { enum: ['red', 'blue'] } });
  });

  it('of a stranger does not say where to connect and listen', async () => {
    const text = 'http: { host: 0.0.0.0, port: 1 }\nredis: { url: "redis://evil" }\nerror_style: rpc';
    const loaded = await load(text, false);
    if (!loaded.success) throw new Error(loaded.error);
    expect(loaded.value.settings).to.deep.equal({ ...DEFAULT_SETTINGS, errorStyle: 'rpc' });
  });

  for (const dir of ['/etc', '../other', 'a/../..']) {
    it(`of a stranger may not name the folder ${dir}`, async () => {
      const text = `categories:\n  adr: { dir: ${dir} }`;
      const [problem = ''] = await problemsOf(text, false);
      expect(problem).to.match(/:2:15: A folder outside the workspace is refused.*castellan trust/);
      expect(await problemsOf(text)).to.deep.equal([]);
    });

    it(`of a stranger may not have its prompts in ${dir}`, async () => {
      const text = `prompts:\n  dir: ${dir}`;
      const [problem = ''] = await problemsOf(text, false);
      expect(problem).to.match(/:2:8: A folder outside the workspace is refused.*castellan trust/);
      expect(await problemsOf(text)).to.deep.equal([]);
    });
  }
});
