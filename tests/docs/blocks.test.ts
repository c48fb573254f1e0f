import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { parseAllDocuments } from 'yaml';
import { loadSettings } from '../../src/infrastructure/config/load-settings.js';
import { problemsOf } from '../support/policy-bench.js';

const root = resolve(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(?:adr|template)\//.test(name))
    .map((name) => join('docs', name)),
];

interface Block {
  readonly page: string;
  readonly text: string;
}

function blocksOf(language: string): readonly Block[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return PAGES.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(fence)].map(([, text = '']) => ({ page, text })),
  );
}

async function settingsProblems(text: string): Promise<readonly string[]> {
  const loaded = await loadSettings({
    file: '/workspace/castellan.yaml',
    bytes: new TextEncoder().encode(text),
    workspace: '/workspace',
    trusted: true,
    tools: [],
  });
  return loaded.success ? [] : loaded.error.split('\n');
}

/** A page may show a part of a policy that builds on the profile of `castellan init`. */
async function policyProblems(text: string): Promise<readonly string[]> {
  return text.includes('extends:') ? problemsOf(text) : problemsOf(`extends: [builtin:workspace]\n${text}`);
}

/** The rules in the front matter of a pattern are read by the knowledge tools. */
function isPattern(text: string): boolean {
  return text.startsWith('rules:');
}

describe('the blocks in the pages', () => {
  it('of YAML load as a policy, tests included, or as settings', async () => {
    const wrong: unknown[] = [];
    const counts = { policies: 0, settings: 0 };
    for (const { page, text } of blocksOf('yaml')) {
      if (isPattern(text)) {
        expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).to.deep.equal([]);
        continue;
      }
      const policy = await policyProblems(text);
      const settings = policy.length === 0 ? [] : await settingsProblems(text);
      if (policy.length === 0) counts.policies += 1;
      else if (settings.length === 0) counts.settings += 1;
      else wrong.push({ page, text, policy, settings });
    }
    expect(wrong).to.deep.equal([]);
    expect(counts.policies).to.be.greaterThan(25);
    expect(counts.settings).to.be.greaterThan(10);
  });

  it('of JSON can be parsed', () => {
    const blocks = blocksOf('json');
    expect(blocks.length).to.be.greaterThan(20);
    for (const { page, text } of blocks) expect(() => JSON.parse(text), page).not.to.throw();
  });

  it('of shell commands can be parsed by bash', () => {
    const blocks = blocksOf('sh');
    expect(blocks.length).to.be.greaterThan(15);
    for (const { page, text } of blocks)
      expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }).stderr, page).to.equal('');
  });
});
