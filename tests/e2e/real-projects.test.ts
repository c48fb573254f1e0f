import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { type Same, TwinProjects } from '../support/twin-projects.js';
import { Verdaccio } from '../support/verdaccio.js';

const WORKSPACE = `version: 1
extends: [builtin:workspace]
also_allow:
  - { tool: execute_command, command: [npm], network: full }
`;

const MANIFEST = {
  name: 'real',
  version: '1.0.0',
  private: true,
  scripts: { build: 'tsc -p .', lint: 'eslint src', test: 'jest --cache=false' },
  devDependencies: { eslint: '^9', jest: '^29', typescript: '^5' },
};

const FILES: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(MANIFEST, null, 2)}\n`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: { outDir: 'dist', target: 'es2022', module: 'commonjs', types: [] },
    include: ['src'],
  }),
  'eslint.config.js': "module.exports = [{ rules: { 'no-unused-vars': 'error' } }];\n",
  'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n',
  'src/plain.js': 'module.exports = 1;\n',
  'tests/sum.test.js':
    "const { sum } = require('../dist/sum.js');\ntest('sum', () => expect(sum(1, 2)).toBe(3));\n",
};

/** Of what npm notes about its own run, the time. */
const same: Same = (path, text) => (path.endsWith('.tsbuildinfo') ? undefined : text);

/** Needs npm's registry at its first run, and minutes. */
if (process.env.CASTELLAN_LONG === '1')
  for (const policy of ['builtin:workspace', 'team-repository'])
    describe(`a project with eslint, jest and typescript, under ${policy}`, () => {
      const twins = new TwinProjects();
      let registry: Verdaccio;

      before(async function () {
        this.timeout(600_000);
        registry = await Verdaccio.start();
        for (const [name, text] of Object.entries(FILES)) twins.write(name, text);
        const file = join(twins.folder, '..', 'policy.yaml');
        writeFileSync(file, WORKSPACE);
        await twins.start(policy === 'team-repository' ? resolve('docs/policies', `${policy}.yaml`) : file);
      });
      after(async () => {
        registry.stop();
        await twins.stop();
      });

      const LINES = [
        'npm install --registry=REGISTRY --no-audit',
        'npm ci --registry=REGISTRY --no-audit',
        'npm run build',
        'npm run lint',
        'npm test',
        'npm install left-pad --registry=REGISTRY --no-audit',
        'npm uninstall left-pad --registry=REGISTRY --no-audit',
        'npm uninstall eslint --registry=REGISTRY --no-audit',
        'npm install -D eslint@9 --registry=REGISTRY --no-audit',
        'npm ci --registry=REGISTRY --no-audit',
      ];
      const ALONE = [
        'npx jest --cache=false',
        'npx tsc -p .',
        'rm -rf node_modules/jest',
        'rm -rf node_modules',
      ];
      for (const line of policy === 'team-repository' ? LINES : [...LINES, ...ALONE])
        it(`ends as outside: ${line}`, async function () {
          this.timeout(600_000);
          await twins.both(line.replaceAll('REGISTRY', registry.url), same);
          expect(twins.trees(same)[0].length).to.be.above(5);
        });
    });
