import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { MAIN, PROJECT } from '../support/spawned-server.js';

const PACKAGES = [
  '@langchain/mcp-adapters@1.1.4',
  '@langchain/core@1.2.13',
  // Newer ones want packages that are not published.
  '@langchain/langgraph@1.4.10',
  '@google/genai@2.32.0',
  'ai@6.0.326',
  '@ai-sdk/mcp@1.0.101',
];

/** They are 150 MB together: only the long run fetches them. The short run has their rules (listed-schemas.test.ts). */
if (process.env.CASTELLAN_LONG === '1') {
  describe('the converters of agents', () => {
    let folder: string;

    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'castellan-converters-'));
      writeFileSync(join(folder, 'package.json'), '{"private":true}');
      execFileSync(
        'npm',
        ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES],
        {
          cwd: folder,
        },
      );
      mkdirSync(join(folder, 'workspace/docs'), { recursive: true });
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('take every tool: LangChain, @google/genai and the AI SDK', () => {
      const config = join(folder, 'castellan.yaml');
      const policy = join(folder, 'policy.yaml');
      writeFileSync(config, 'categories: { guidelines: { dir: docs } }\n');
      writeFileSync(
        policy,
        'version: 1\nextends: [builtin:workspace]\ntools:\n  claude_conversation: {}\n  create_document: {}\n  update_document: {}\n',
      );
      const script = join(PROJECT, 'tests/support/converters.mjs');
      const workspace = join(folder, 'workspace');
      const output = execFileSync(
        process.execPath,
        [script, folder, MAIN, '--config', config, '--policy', policy],
        {
          encoding: 'utf8',
          env: {
            ...process.env,
            CASTELLAN_WORKSPACE: workspace,
            CASTELLAN_ANSWERS: 'text',
            CASTELLAN_TOOLSETS: 'all',
          },
        },
      );
      const taken: Readonly<Record<string, readonly string[]>> = JSON.parse(output);
      expect(Object.keys(taken)).to.deep.equal(['langchain', 'google', 'aiSdk']);
      for (const [converter, names] of Object.entries(taken)) {
        expect(names, converter).to.be.an('array').with.length.above(28);
        expect(names, converter).to.deep.equal(taken.langchain);
      }
    });
  });
}
