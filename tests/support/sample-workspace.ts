import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinTools } from '../../src/presentation/tools/builtin-tools.js';

const FILE_TOOLS = builtinTools.filter(({ category }) => category === 'file').map(({ name }) => name);

/** A small project and, beside it, a policy that lets every file tool use all of it without a question. */
export class SampleWorkspace {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-sample-')));
  readonly root = join(this.base, 'workspace');
  readonly policy = join(this.base, 'policy.yaml');

  constructor(rules = allowing('.')) {
    mkdirSync(join(this.root, 'src'), { recursive: true });
    writeFileSync(join(this.root, 'README.md'), '# Sample\n');
    const lines = `export function main() {}\n${'// line\n'.repeat(39)}`;
    writeFileSync(join(this.root, 'src/index.ts'), `export const one = 1;\n${lines}`);
    writeFileSync(this.policy, rules);
  }

  dispose(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** A policy for all file tools: what they may use, and what a line more says about each. */
export function allowing(paths: string, more = ''): string {
  const entry = `    allowed_paths: [${paths}]\n    consent: never\n${more}`;
  return `version: 1\ntools:\n  echo: {}\n${FILE_TOOLS.map((tool) => `  ${tool}:\n${entry}`).join('')}`;
}
