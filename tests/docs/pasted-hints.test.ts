import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { paste, textToPaste } from '../support/paste-hint.js';

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

const run = (command: string): Call => ['execute_command', { command }];
const read = (path: string): Call => ['read_file', { path }];

const POLICIES: readonly (readonly [name: string, yaml: string])[] = [
  ...readdirSync('docs/policies')
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [name, readFileSync(`docs/policies/${name}`, 'utf8')] as const),
  ...['baseline', 'readonly', 'workspace'].map(
    (name) => [`builtin:${name}`, `version: 1\nextends: [builtin:${name}]\n`] as const,
  ),
];

const FILES = [
  'README.md',
  'package.json',
  'src/a.ts',
  'src/deep/b.ts',
  'docs/x.md',
  'tests/t.ts',
  'notes.txt',
];

/** They pass under each of the policies, and change nothing. */
const EVERYDAY: readonly Call[] = [
  ...FILES.map(read),
  ...FILES.slice(0, 3).map((path): Call => ['file_info', { path }]),
  ['read_files', { paths: ['src/a.ts', 'README.md'] }],
  ['list_directory', { path: '.' }],
  ['list_directory', { path: 'src' }],
  ['search_files', { path: '.', pattern: '*.ts' }],
  ['search_content', { path: '.', query: 'text' }],
  ['search_content', { path: 'src', query: 'text' }],
  ['echo', { message: 'x' }],
  ['system_info', {}],
  ['get_project_config', {}],
  ['get_tool_stats', {}],
  ['explain_permission', { tool: 'echo' }],
];

describe('the hints of refusals, pasted, and the refused calls made again', function () {
  this.timeout(300_000);
  let project: CliWorkspace;
  let outside: string;
  let peer: Server;
  let address = '';

  before(async () => {
    peer = createServer((_, answer) => answer.end('reached\n'));
    await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
    const bound = peer.address();
    address = typeof bound === 'object' && bound !== null ? `127.0.0.1:${bound.port}` : '';
  });
  after(() => void peer.close());

  beforeEach(() => {
    project = new CliWorkspace();
    outside = realpathSync(mkdtempSync('/var/tmp/castellan-outside-'));
    for (const name of [...FILES, '.env', 'CLAUDE.md']) project.write(name, `the text of ${name}\n`);
    for (const name of ['notes.txt', 'more.txt']) writeFileSync(join(outside, name), 'the text outside\n');
    mkdirSync(join(outside, 'folder'));
  });
  afterEach(async () => {
    await project.remove();
    rmSync(outside, { recursive: true, force: true });
  });

  /** Some of these are refused by each policy. */
  const wanted = (): readonly Call[] => [
    read('.env'),
    read(join(outside, 'notes.txt')),
    ['read_files', { paths: ['notes.txt', 'more.txt'].map((name) => join(outside, name)) }],
    ['list_directory', { path: outside }],
    ['write_file', { path: 'new.txt', content: 'new\n' }],
    ['write_file', { path: 'CLAUDE.md', content: 'be nice\n' }],
    ['write_file', { path: join(outside, 'new.txt'), content: 'new\n' }],
    ['create_directory', { path: 'build' }],
    ['copy_path', { source: 'notes.txt', destination: 'copy.txt' }],
    ['edit_file', { path: 'src/a.ts', edits: [{ old_text: 'text', new_text: 'words' }] }],
    run('ls -la'),
    run('cat .env'),
    run('sed -n 1p README.md'),
    run('head -n 1 README.md > first.txt'),
  ];

  /** Each call in turn, by a server of its own. */
  async function answers(yaml: string, calls: readonly Call[]): Promise<readonly Answer[]> {
    const policy = join(outside, 'policy.yaml');
    writeFileSync(policy, yaml);
    const castellan = await createCastellan({
      workspace: project.folder,
      policy,
      environment: { ...project.env, PATH: process.env.PATH },
      logLevel: 'silent',
    });
    try {
      const all: Answer[] = [];
      for (const [tool, args] of calls) all.push(answerOf(await castellan.execute(tool, args)));
      return all;
    } finally {
      await castellan.close();
    }
  }

  for (const [name, yaml] of POLICIES) {
    it(`${name}: each refused call passes, and what passed before still does`, async () => {
      const calls = wanted();
      const first = await answers(yaml, calls);
      const refused = calls.flatMap((call, index) => {
        const hint = first[index]?.passed === false ? first[index].text : '';
        return textToPaste(hint) === undefined ? [] : [{ call, hint }];
      });
      expect(refused, JSON.stringify(first)).to.have.length.at.least(4);
      let whole = withoutTests(yaml);
      for (const { call, hint } of refused) {
        const [again] = await answers(paste(withoutTests(yaml), hint), [call]);
        expect(again?.passed, `${JSON.stringify(call)}\n${hint}\n${again?.text}`).to.equal(true);
        whole = paste(whole, hint.replace(/`also_allow:\n/, whole.includes('\nalso_allow:\n') ? '`' : '$&'));
      }
      const usual = await answers(yaml, EVERYDAY);
      const later = await answers(whole, EVERYDAY);
      const passing = usual.filter(({ passed }) => passed);
      expect(passing, JSON.stringify(usual)).to.have.length.at.least(20);
      for (const [index, { passed }] of usual.entries())
        expect(later[index]?.passed, `${JSON.stringify(EVERYDAY[index])}\n${later[index]?.text}`).to.equal(
          passed,
        );
    });
  }

  for (const [name, yaml] of POLICIES.filter(([, text]) => text.includes('builtin:workspace'))) {
    it(`${name}: a command that found no network reaches it`, async () => {
      // No name server is asked for a name as long as the second one.
      const call = run(`curl -sS http://${address}/ http://${'x'.repeat(64)}/`);
      const [first] = await answers(yaml, [call]);
      expect(first?.text).to.contain('network').and.not.contain('reached');
      const [again] = await answers(paste(yaml, first?.text ?? ''), [call]);
      expect(again?.text).to.contain('reached');
    });
  }
});

interface Answer {
  readonly passed: boolean;
  readonly text: string;
}

type Outcome = Awaited<ReturnType<Awaited<ReturnType<typeof createCastellan>>['execute']>>;

/** A command that ended with another code than 0 has not done what it was to do. */
function answerOf(outcome: Outcome): Answer {
  if (!outcome.success) return { passed: false, text: outcome.error.message };
  const { json = '{}' } = outcome.value;
  const {
    value,
    instruction = '',
  }: { value?: { exit_code?: number; stdout?: string }; instruction?: string } = JSON.parse(json);
  return { passed: (value?.exit_code ?? 0) === 0, text: `${value?.stdout ?? json}\n${instruction}` };
}

/** A changed policy decides otherwise than its tests say; that is the point. */
function withoutTests(yaml: string): string {
  return yaml.replace(/^tests:\n(?: .*\n|\n)*/m, '');
}
